"""What runs: activations, the loops and handlers inside them, and events as a call summary keeps them."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fxlint.interp.events import Event, RawStep
from fxlint.interp.heap import Delta
from fxlint.interp.values import Function, Scope, Value

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile


class Exhausted(Exception):  # noqa: N818  (no error: the end of a root's budget)
    """A limit of the whole root was reached."""


@dataclass(slots=True)
class Handler:
    """A `try` that is running: the exception names it catches ("*" for all), and the paths that raised inside it."""

    catches: frozenset[str]
    depth: int
    deltas: list[Delta] = field(default_factory=list)
    raised: bool = False


@dataclass(slots=True)
class Loop:
    """A loop that is running: the paths that left its body early."""

    depth: int
    breaks: list[Delta] = field(default_factory=list)
    continues: list[Delta] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """One activation: of a function, a class body, or a file's top level.

    `call` is the calling node, in `caller`'s file.
    """

    scope: Scope
    module: ModuleFile
    symbol: str
    depth: int
    function: Function | None = None
    call: ast.AST | None = None
    caller: Frame | None = None
    receiver: Value | None = None
    returns: list[Value] = field(default_factory=list)
    exits: list[Delta] = field(default_factory=list)
    yields: list[Value] | None = None
    loops: list[Loop] = field(default_factory=list)
    index: int = 0


@dataclass(frozen=True, slots=True)
class Emission:
    """An event as a call summary keeps it: seen from the callee.

    `settled`: it lies in checked code at or below the callee, reached there through `steps`; otherwise whoever calls is
    charged.
    """

    event: Event
    steps: tuple[RawStep, ...]
    settled: bool
