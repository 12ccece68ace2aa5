"""math, cmath and operator: numbers want a real number, operators are the language's own.

fx patches the functions of `math` in the namespaces it sees: those are recorded; an alias of one asks for a number.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from fxlint.interp.events import Hook
from fxlint.interp.values import NONE, Concrete, External, Instance, Proxy, Value, may_be_proxy

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def math_call(m: Machine, function: External, args: Sequence[Value], proxy: Proxy | None, node: ast.AST) -> Value:
    """Call `math.name` or `cmath.name`. `proxy`: one among the arguments."""
    name = function.path.partition(".")[2]
    if proxy is not None:
        if function.autowrapped:
            return Proxy(
                "float" if name not in ("ceil", "floor", "prod", "gcd", "trunc", "comb", "factorial") else "int"
            )
        m.emit(Hook.NUMBER, node, proxy, via=f"math.{name}", detail="alias")
        return Concrete("float")
    hosts = [builtin_types.to_host(a) for a in args]
    if builtin_types.NOT_CONSTANT not in hosts and name not in ("factorial", "comb", "perm", "pow", "exp", "ldexp"):
        try:
            return builtin_types.from_host(getattr(math, name)(*hosts))
        except Exception:
            return Concrete("float")
    return Concrete("int" if name in ("ceil", "floor", "gcd", "trunc", "comb", "factorial") else "float")


_BINARY = {
    "add": ast.Add,
    "iadd": ast.Add,
    "sub": ast.Sub,
    "mul": ast.Mult,
    "imul": ast.Mult,
    "truediv": ast.Div,
    "floordiv": ast.FloorDiv,
    "mod": ast.Mod,
    "pow": ast.Pow,
    "matmul": ast.MatMult,
    "and_": ast.BitAnd,
    "or_": ast.BitOr,
    "xor": ast.BitXor,
}
_COMPARE = {"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE}


def operator_call(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call `operator.name`."""
    at = cast("ast.expr", node)  # what calls a model is an expression
    if name in _BINARY and len(args) == 2:
        return operators.binary(m, _BINARY[name](), args[0], args[1], node)
    if name in _COMPARE and len(args) == 2:
        return comparison.compare(m, _COMPARE[name](), args[0], args[1], at)
    if name == "getitem" and len(args) == 2:
        return subscripts.load(m, args[0], args[1], at)
    if name == "setitem" and len(args) == 3:
        subscripts.store(m, args[0], args[1], args[2], at)
        return NONE
    if name in ("is_", "is_not") and len(args) == 2:
        return comparison.compare(m, ast.Is() if name == "is_" else ast.IsNot(), args[0], args[1], at)
    if name == "contains" and len(args) == 2:
        return comparison.compare(m, ast.In(), args[1], args[0], at)
    if name == "not_" and args:
        return operators.negate(m, args[0], node)
    if name == "truth" and args:
        return builtin_functions.call_by_name(m, "bool", args, {}, node)
    if name in ("neg", "invert", "pos") and args:
        return operators.unary(m, {"neg": ast.USub, "invert": ast.Invert, "pos": ast.UAdd}[name](), args[0], node)
    if name in ("itemgetter", "attrgetter", "methodcaller"):
        made = Instance(External(f"operator.{name}"))
        made.native["args"] = (tuple(args), dict(kwargs))
        made.provenance = ("operator", name, tuple(a.kind for a in args))
        made.settled = True
        return made
    if name in ("index", "length_hint") and args:
        proxy = may_be_proxy(args[0])
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via=f"operator.{name}")
        return Concrete("int")
    return functions.give_up(args, kwargs)


from fxlint.interp import builtin_functions, builtin_types, comparison, functions, operators, subscripts  # noqa: E402
