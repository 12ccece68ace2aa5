"""numpy under trace: ufuncs and array constructors refuse a Proxy.

Functions that delegate to a method of their argument record it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import CONCRETE, Concrete, Const, Proxy, Value
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def call(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call a numpy name."""
    name = path.partition(".")[2]
    if name.startswith("random."):
        m.emit(Hook.RANDOM, node, via=f"np.{name}", effect=Effect.SILENT)
        return Concrete("numpy")
    proxy = calls.proxy_among(args, kwargs)
    if proxy is None:
        if name in ("float32", "float64", "int64", "int32", "float16") or _is_scalar(args):
            return Concrete("numpy")
        return CONCRETE
    outcome = torch_facts.numpy_outcome(m, name)
    if outcome == "traces":
        if proxy.flavour == "size" and name in ("prod", "sum", "max", "min", "mean"):
            m.emit(Hook.NUMPY_SCALAR, node, proxy, subject=node, via=f"np.{name}", effect=Effect.BREAKS_LATER)
        return Proxy("int" if proxy.flavour == "size" else "tensor")
    m.emit(Hook.NUMPY, node, proxy, via=f"np.{name}", error="ValueError")
    return Proxy("tensor", low=True)


def _is_scalar(args: Sequence[Value]) -> bool:
    return bool(args) and all(
        (isinstance(a, Const) and isinstance(a.value, (int, float)))
        or (isinstance(a, Concrete) and a.hint in ("int", "float", "numpy"))
        for a in args
    )


from fxlint.interp import calls, torch_facts  # noqa: E402
