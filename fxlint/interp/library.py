"""A library's function is modelled by a function too: it takes the values of a call and gives the result.

It gets the machine, to call back and to emit events, and the call's syntax node, for where the event is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fxlint.interp.values import Value

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

Model = Callable[["Machine", Sequence[Value], dict[str, Value], ast.AST], Value]


def argument(node: ast.AST) -> ast.AST | None:
    """The first argument of a call, as written: what a finding points to."""
    return node.args[0] if isinstance(node, ast.Call) and node.args else None
