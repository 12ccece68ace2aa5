"""Operators and truth: what bool() and Python's unary and binary operators give for each kind of value.

A Proxy records arithmetic, which gives Proxies; it cannot answer bool(), which `and`, `or`, `not`, chained comparisons
and `in` all need.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Instance,
    List,
    Missing,
    ParameterValue,
    Proxy,
    RealTensor,
    Seq,
    Tuple,
    Union,
    Unknown,
    Value,
    alternatives,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_BINARY: dict[type[ast.operator], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("add", operator.add),
    ast.Sub: ("sub", operator.sub),
    ast.Mult: ("mul", operator.mul),
    ast.Div: ("truediv", operator.truediv),
    ast.FloorDiv: ("floordiv", operator.floordiv),
    ast.Mod: ("mod", operator.mod),
    ast.Pow: ("pow", operator.pow),
    ast.LShift: ("lshift", operator.lshift),
    ast.RShift: ("rshift", operator.rshift),
    ast.BitOr: ("or", operator.or_),
    ast.BitXor: ("xor", operator.xor),
    ast.BitAnd: ("and", operator.and_),
    ast.MatMult: ("matmul", operator.matmul),
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_NUMERIC = frozenset({"int", "size", "float", "bool"})


# ---- truth


def truth(m: Machine, value: Value, node: ast.AST, hook: Hook, via: str) -> bool | None:
    """bool() of a value; an event for each Proxy among its alternatives."""
    if isinstance(value, Union):
        answers = {truth(m, v, node, hook, via) for v in value.members if not isinstance(v, Missing)}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Proxy):
        m.emit(hook, node, value, via=via)
        return None
    if isinstance(value, RealTensor):
        m.emit(Hook.BUFFER_BRANCH, node, value, via=via, effect=Effect.SILENT, detail=value.tag)
        return None
    if isinstance(value, (Tuple, List)):
        return _sized(value.seq)
    if isinstance(value, Dict):
        if any(not _maybe_missing(v) for _, v in value.entries.values()):
            return True
        return None if value.rest or value.entries else False
    if isinstance(value, (Concrete, Unknown, ParameterValue)):
        if isinstance(value, Concrete) and value.hint == "training" and hook is not Hook.BOOL_CALL:
            m.emit(Hook.TRAINING, node, effect=Effect.SILENT)
        return None
    if isinstance(value, Instance):
        return _instance_truth(m, value, node, hook, via)
    return True


def _sized(seq: Seq) -> bool | None:
    if seq.items:
        return True
    return None if seq.tail is not None else False


def _maybe_missing(value: Value) -> bool:
    return any(isinstance(v, Missing) for v in members(value))


def _instance_truth(m: Machine, value: Instance, node: ast.AST, hook: Hook, via: str) -> bool | None:
    for name in ("__bool__", "__len__"):
        method = attributes.find_in_class(m, value.cls, name)
        if method is not None and not isinstance(method, External):
            return truth(m, m.call(attributes.bind(m, method, value, node), [], {}, node), node, hook, via)
    children = nn_containers.children(m, value)
    if children is not None:
        return _sized(children)
    if value.payload is not None:
        return truth(m, value.payload, node, hook, via)
    return None if value.dynamic else True


def is_definite(value: Value) -> bool:
    """Whether the constant is an answer that fx always gives of a Proxy."""
    return isinstance(value, Const) and value.definite


def negate(m: Machine, value: Value, node: ast.AST, hook: Hook = Hook.BOOLOP, via: str = "not") -> Value:
    """`not value`."""
    answer = truth(m, value, node, hook, via)
    return Concrete("bool") if answer is None else Const(not answer, is_definite(value))


# ---- arithmetic


def unary(m: Machine, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
    """`-v`, `+v`, `~v`, `not v`."""
    if isinstance(op, ast.Not):
        return negate(m, value, node)
    results: list[Value] = []
    for v in members(value):
        if isinstance(v, Const) and isinstance(v.value, (int, float, complex)):
            try:
                results.append(Const(_UNARY[type(op)](v.value)))
            except TypeError:
                results.append(UNKNOWN)
        elif isinstance(v, Proxy):
            results.append(Proxy(v.flavour if v.flavour in _NUMERIC else "tensor", low=v.low))
        elif isinstance(v, RealTensor):
            results.append(fold_real(m, v, node))
        elif isinstance(v, (Instance, Class)):
            results.append(dunder(m, v, "__neg__" if isinstance(op, ast.USub) else "__invert__", [], node) or CONCRETE)
        else:
            results.append(UNKNOWN if isinstance(v, (Unknown, Missing)) else CONCRETE)
    return join(*results)


def fold_real(m: Machine, value: Value, node: ast.AST) -> Value:
    """A computation on a real tensor: done while tracing, its result baked."""
    if isinstance(value, RealTensor) and value.tag in ("buffer", "derived"):
        m.emit(Hook.BUFFER_FOLDED, node, value, effect=Effect.SILENT)
    if isinstance(value, RealTensor):
        return RealTensor(
            "folded"
            if value.tag in ("buffer", "derived", "folded")
            else value.tag
            if value.tag == "random"
            else "fresh"
        )
    return RealTensor("folded")


def binary(m: Machine, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """`left op right`, for each pair of alternatives."""
    if isinstance(left, Union) or isinstance(right, Union):
        results = []
        for a, b in alternatives(left, right)[:16]:
            try:
                results.append(_binary(m, op, a, b, node))
            except PathEnd:
                continue
        return join(*results) if results else UNKNOWN
    return _binary(m, op, left, right, node)


def _binary(m: Machine, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    name, fold = _BINARY[type(op)]
    if isinstance(left, Const) and isinstance(left.value, (str, bytes)) and name == "mod":
        return builtin_types.percent_format(m, left, right, node)
    if isinstance(left, Const) and isinstance(right, Const):
        return _fold(fold, left.value, right.value)
    if (isinstance(left, Instance) and left.payload is None) or (isinstance(right, Instance) and right.payload is None):
        found = dunder(m, left, f"__{name}__", [right], node) if isinstance(left, Instance) else None
        if found is None and isinstance(right, Instance):
            found = dunder(m, right, f"__r{name}__", [left], node)
        if found is not None:
            return found
    proxy = left if isinstance(left, Proxy) else right if isinstance(right, Proxy) else None
    if proxy is not None:
        return _proxy_binary(m, name, left, right, proxy, node)
    left_seq, right_seq = _plain_sequence(left), _plain_sequence(right)
    if name == "add" and left_seq is not None and right_seq is not None:
        return rebuild(left, _concatenate(left_seq, right_seq))
    if name == "mul":
        for sequence, count, owner in ((left_seq, right, left), (right_seq, left, right)):
            if sequence is not None:
                return rebuild(owner, _repeat(sequence, count))
    if name in ("or", "and", "sub", "xor") and (isinstance(left, (List, Dict)) or isinstance(right, (List, Dict))):
        return builtin_types.set_operation(m, name, left, right, node)
    if isinstance(left, (RealTensor, ParameterValue)) or isinstance(right, (RealTensor, ParameterValue)):
        if left_seq is not None or right_seq is not None:
            return RealTensor("fresh")
        for side in (left, right):
            if isinstance(side, RealTensor) and side.tag in ("buffer", "derived"):
                return fold_real(m, side, node)
        return fold_real(m, left if isinstance(left, RealTensor) else right, node)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    hints = {hint(left), hint(right)}
    if "numpy" in hints:
        return Concrete("numpy")
    if hints <= {"int", "bool"}:
        return Concrete("float" if name == "truediv" else "int")
    if hints <= {"int", "float", "bool"}:
        return Concrete("float")
    return Concrete("str") if "str" in hints and name in ("add", "mul") else CONCRETE


def hint(value: Value) -> str:
    """Name of the value's type, as far as it is known."""
    if isinstance(value, Const):
        return type(value.value).__name__
    return value.hint if isinstance(value, Concrete) else ""


def _fold(fold: Callable[[Any, Any], Any], left: Any, right: Any) -> Value:
    """Compute with constants, unless the result could be huge."""
    try:
        if (
            fold is operator.pow
            and isinstance(left, int)
            and isinstance(right, int)
            and (abs(right) > 64 or abs(left) > 1 << 32)
        ):
            return Concrete("int")
        if fold is operator.lshift and isinstance(right, int) and right > 256:
            return Concrete("int")
        if fold is operator.mul and (
            (isinstance(left, (str, bytes)) and isinstance(right, int) and len(left) * right > limits.LITERAL)
            or (isinstance(right, (str, bytes)) and isinstance(left, int) and len(right) * left > limits.LITERAL)
        ):
            return Concrete("str")
        if isinstance(left, int) and isinstance(right, int) and max(left.bit_length(), right.bit_length()) > 4096:
            return Concrete("int")
        result = fold(left, right)
    except Exception as error:
        raise PathEnd(type(error).__name__) from None
    return Const(result)


def _proxy_binary(m: Machine, name: str, left: Value, right: Value, proxy: Proxy, node: ast.AST) -> Value:
    other = right if proxy is left else left
    if hint(left) == "numpy" and proxy is right:
        m.emit(Hook.NUMPY, node, proxy, via="numpy scalar on the left", error="ValueError")
    elif hint(other) == "numpy":
        m.emit(Hook.NUMPY_SCALAR, node, proxy, effect=Effect.BREAKS_LATER)
    calls.check_argument(m, other, node)
    flavour = "tensor"
    flavours = {v.flavour for v in (left, right) if isinstance(v, Proxy)}
    if isinstance(other, (List, Tuple)):
        flavour = "list" if name in ("add", "mul") else "tensor"
        if isinstance(other, Tuple) or "size" in flavours:
            flavour = "size" if name == "add" else flavour
    elif flavours <= {"int", "float", "bool"} and not isinstance(other, (RealTensor, ParameterValue)):
        flavour = "float" if name == "truediv" or "float" in flavours or hint(other) == "float" else "int"
    elif flavours <= {"size", "list"}:
        flavour = "size"
    return Proxy(flavour, low=proxy.low, origin=proxy.origin)


def _plain_sequence(value: Value) -> Seq | None:
    if isinstance(value, Instance) and value.payload is not None:
        value = value.payload
    if isinstance(value, Tuple) or (isinstance(value, List) and value.type_name in ("list", "deque")):
        return value.seq
    return None


def rebuild(like: Value, seq: Seq) -> Value:
    """A new sequence of the same type."""
    if isinstance(like, Instance) and like.payload is not None:
        like = like.payload
    return Tuple(seq.items, seq.tail) if isinstance(like, Tuple) else List(seq.items, seq.tail)


def _concatenate(left: Seq, right: Seq) -> Seq:
    if left.tail is None:
        return Seq((*left.items, *right.items), right.tail)
    return Seq(left.items, join(left.tail, *right.every()))


def _repeat(seq: Seq, count: Value) -> Seq:
    if (
        isinstance(count, Const)
        and isinstance(count.value, int)
        and seq.tail is None
        and len(seq.items) * max(count.value, 0) <= 256
    ):
        return Seq(seq.items * count.value)
    every = list(seq.every())
    return Seq((), join(*every) if every else None)


def dunder(m: Machine, owner: Value, name: str, args: Sequence[Value], node: ast.AST) -> Value | None:
    """What the user's special method gives; None where there is none."""
    if not isinstance(owner, Instance):
        return None
    method = attributes.find_in_class(m, owner.cls, name)
    if method is None:
        return UNKNOWN if owner.dynamic else None
    return m.call(attributes.bind(m, method, owner, node), list(args), {}, node)


from fxlint.interp import attributes, builtin_types, calls, nn_containers  # noqa: E402
