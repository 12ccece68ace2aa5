"""Comparison: `==`, `<`, `is` and `in` for each kind of value.

A Proxy records comparisons, so they give Proxies, but it is nothing but itself, so identity has one answer; comparing
containers asks for the truth of their elements' comparisons.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    FALSE,
    PROXY_CLASS,
    TRUE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Instance,
    List,
    ParameterValue,
    Proxy,
    RealTensor,
    Tuple,
    Union,
    Unknown,
    Value,
    alternatives,
    holds_proxy,
    is_none,
    join,
    may_be_proxy,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine
_COMPARE: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("eq", operator.eq),
    ast.NotEq: ("ne", operator.ne),
    ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le),
    ast.Gt: ("gt", operator.gt),
    ast.GtE: ("ge", operator.ge),
}
_REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def compare(m: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.expr) -> Value:
    """One comparison, for each pair of alternatives."""
    if isinstance(left, Union) or isinstance(right, Union):
        pairs = alternatives(left, right)
        results = [_compare(m, op, a, b, node) for a, b in pairs[:25]]
        if len(pairs) > 25:
            results.append(UNKNOWN)
        return join(*results) if results else UNKNOWN
    return _compare(m, op, left, right, node)


def _compare(m: Machine, op: ast.cmpop, left: Value, right: Value, node: ast.expr) -> Value:
    if isinstance(op, (ast.Is, ast.IsNot)):
        same = identity(m, left, right, node)
        return same if isinstance(op, ast.Is) else _flip(same)
    if isinstance(op, (ast.In, ast.NotIn)):
        found = membership.contains(m, left, right, node)
        return found if isinstance(op, ast.In) else _flip(found)
    name, fold = _COMPARE[type(op)]
    if isinstance(left, Const) and isinstance(right, Const):
        try:
            return Const(fold(left.value, right.value), left.definite or right.definite)
        except TypeError:
            raise PathEnd("TypeError") from None
    for owner, method, other in ((left, name, right), (right, _REFLECTED[name], left)):
        if isinstance(owner, Instance):
            answer = operators.dunder(m, owner, f"__{method}__", [other], node)
            if answer is not None:
                return answer
    proxy = left if isinstance(left, Proxy) else right if isinstance(right, Proxy) else None
    if proxy is not None:
        if operators.hint(left) == "numpy":
            m.emit(Hook.NUMPY, node, proxy, via="numpy scalar on the left", error="ValueError")
        calls.check_argument(m, right if proxy is left else left, node)
        return Proxy(
            "bool" if proxy.flavour not in ("tensor", "input", "parameter") else "tensor",
            low=proxy.low,
            origin=proxy.origin,
        )
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return UNKNOWN
    if isinstance(left, RealTensor) or isinstance(right, RealTensor):
        other = right if isinstance(left, RealTensor) else left
        if is_none(other) and name in ("eq", "ne"):
            return Const(name == "ne")
        return RealTensor(
            left.tag if isinstance(left, RealTensor) else right.tag if isinstance(right, RealTensor) else "fresh"
        )
    if name in ("eq", "ne"):
        same = equal(m, left, right, node)
        return same if name == "eq" else _flip(same)
    if (
        isinstance(left, (Tuple, List))
        and isinstance(right, (Tuple, List))
        and holds_proxy(left) is None
        and holds_proxy(right) is None
    ):
        a, b = builtin_types.to_host(left), builtin_types.to_host(right)
        if a is not builtin_types.NOT_CONSTANT and b is not builtin_types.NOT_CONSTANT:
            try:
                return Const(bool(fold(a, b)))
            except TypeError:
                return UNKNOWN
    return Concrete("bool")


def _flip(value: Value) -> Value:
    if isinstance(value, Const):
        return Const(not value.value, value.definite)
    return value


def identity(m: Machine, left: Value, right: Value, node: ast.expr) -> Value:
    """`left is right`. A Proxy is nothing but itself, so most answers are definite."""
    for proxy, other in ((left, right), (right, left)):
        if not isinstance(proxy, Proxy):
            continue
        if isinstance(other, Proxy):
            return Concrete("bool")
        if is_none(other):
            if proxy.param and proxy.optional:
                m.emit(Hook.NONE_TEST, node, proxy, subject=proxy.param, effect=Effect.BREAKS_LATER)
            return Const(False, definite=True)
        if isinstance(other, Unknown) or (isinstance(other, Concrete) and other.hint != "torch"):
            return Concrete("bool")
        if proxy.flavour in ("dtype", "device", "bool", "input", "str", "int") and not (
            proxy.flavour == "input" and not proxy.param
        ):
            m.emit(Hook.IDENTITY, node, proxy, effect=Effect.SILENT)
        return Const(False, definite=True)
    if isinstance(left, Const) and isinstance(right, Const):
        return Const(
            type(left.value) is type(right.value) and left.value == right.value, left.definite or right.definite
        )
    if isinstance(left, (Unknown, Concrete)) or isinstance(right, (Unknown, Concrete)):
        hinted = left if isinstance(left, Concrete) else right
        other = right if hinted is left else left
        if isinstance(hinted, Concrete) and hinted.hint and is_none(other):
            return FALSE
        return UNKNOWN if isinstance(left, Unknown) or isinstance(right, Unknown) else Concrete("bool")
    if isinstance(left, External) and isinstance(right, External):
        return Const(left.path == right.path, PROXY_CLASS in (left.path, right.path))
    if left is right or (left.kind == right.kind and not isinstance(left, (Instance, List, Dict, RealTensor))):
        return TRUE if isinstance(left, (Instance, List, Dict, Class)) or left is right else Concrete("bool")
    if type(left) is not type(right):
        return FALSE
    return Const(False) if not isinstance(left, (RealTensor, Tuple)) else Concrete("bool")


def equal(m: Machine, left: Value, right: Value, node: ast.AST) -> Value:
    """`left == right` for values that are no Proxies; comparing containers asks their elements' truth."""
    if isinstance(left, Instance) and left.payload is not None:
        left = left.payload
    if isinstance(right, Instance) and right.payload is not None:
        right = right.payload
    if isinstance(left, (Tuple, List)) and isinstance(right, (Tuple, List)):
        if left.seq.tail is None and right.seq.tail is None:
            if len(left.seq.items) != len(right.seq.items):
                return FALSE
            undecided = False
            for a, b in zip(left.seq.items, right.seq.items, strict=True):
                if a is b:
                    continue
                pair = may_be_proxy(a) or may_be_proxy(b)
                if pair is not None:
                    m.emit(Hook.BOOLOP, node, pair, via="comparison of containers")
                    undecided = True
                    continue
                answer = compare(m, ast.Eq(), a, b, node) if isinstance(node, ast.expr) else UNKNOWN
                if isinstance(answer, Const):
                    if not answer.value:
                        return FALSE
                else:
                    undecided = True
            return Concrete("bool") if undecided else TRUE
        return Concrete("bool")
    if isinstance(left, (Concrete, Unknown)) or isinstance(right, (Concrete, Unknown)):
        return Concrete("bool")
    if isinstance(left, Dict) and isinstance(right, Dict):
        return Concrete("bool")
    if isinstance(left, External) and isinstance(right, External):
        return Const(left.path == right.path, PROXY_CLASS in (left.path, right.path))
    if isinstance(left, (Instance, Class)) and left is right:
        return TRUE
    if isinstance(left, Instance) and isinstance(right, Instance):
        return Concrete("bool")
    if type(left) is not type(right):
        return (
            Const(False) if not {type(left), type(right)} & {RealTensor, ParameterValue, External} else Concrete("bool")
        )
    return Const(left.kind == right.kind)


from fxlint.interp import builtin_types, calls, membership, operators  # noqa: E402
