"""Expressions: one function for each kind of syntax node."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    NONE,
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    List,
    Proxy,
    Seq,
    Slice,
    Tuple,
    Union,
    Value,
    join,
    may_be_proxy,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _constant(m: Machine, node: ast.Constant) -> Value:
    return Const(node.value)


def _name(m: Machine, node: ast.Name) -> Value:
    return names.lookup(m, node.id, node)


def _attribute(m: Machine, node: ast.Attribute) -> Value:
    return m.getattr(m.eval(node.value), node.attr, node)


def _elements(m: Machine, elements: list[ast.expr]) -> Seq:
    seq = Seq()
    for element in elements:
        if isinstance(element, ast.Starred):
            more = m.iterate(m.eval(element.value), element.value, Hook.STAR, "*")
            seq = (
                Seq((*seq.items, *more.items), more.tail)
                if seq.tail is None
                else Seq(seq.items, join(seq.tail, *more.every()))
            )
        else:
            value = m.eval(element)
            seq = Seq((*seq.items, value)) if seq.tail is None else Seq(seq.items, join(seq.tail, value))
    return seq


def _tuple(m: Machine, node: ast.Tuple) -> Value:
    seq = _elements(m, node.elts)
    return Tuple(seq.items, seq.tail)


def _list(m: Machine, node: ast.List) -> Value:
    seq = _elements(m, node.elts)
    return List(seq.items, seq.tail)


def _set(m: Machine, node: ast.Set) -> Value:
    seq = _elements(m, node.elts)
    return List(seq.items, seq.tail, "set")


def _dict(m: Machine, node: ast.Dict) -> Value:
    made = Dict()
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = m.eval(value_node)
        if key_node is None:
            for member in members(value):
                if isinstance(member, Proxy):
                    m.emit(Hook.STAR, value_node, member, via="**")
                    builtin_types.update_dict(m, made, UNKNOWN)
                else:
                    builtin_types.update_dict(m, made, member)
        else:
            builtin_types.set_item(m, made, m.eval(key_node), value)
    return made


def _binop(m: Machine, node: ast.BinOp) -> Value:
    return operators.binary(m, node.op, m.eval(node.left), m.eval(node.right), node)


def _unary(m: Machine, node: ast.UnaryOp) -> Value:
    return operators.unary(m, node.op, m.eval(node.operand), node)


def _boolop(m: Machine, node: ast.BoolOp) -> Value:
    wants = isinstance(node.op, ast.And)
    via = "and" if wants else "or"
    return _boolop_from(m, node.values, wants, via)


def _boolop_from(m: Machine, operands: list[ast.expr], wants: bool, via: str) -> Value:
    first = m.eval(operands[0])
    if len(operands) == 1:
        return first
    answer = m.truth(first, operands[0], Hook.BOOLOP, via)
    if answer is not None:
        if answer is not wants:
            return first
        rest = _boolop_from(m, operands[1:], wants, via)
        if (
            isinstance(first, Const)
            and first.definite
            and isinstance(rest, Const)
            and not rest.definite
            and isinstance(rest.value, bool)
        ):
            return Const(rest.value, True)
        return rest
    results: list[Value] = []
    kept = narrowing.by_truth(m, first, not wants)
    if kept is not None:
        results.append(kept)

    def go_on() -> bool:
        with condition(m, operands[0], first):
            narrowing.narrow(m, operands[0], wants)
            results.append(_boolop_from(m, operands[1:], wants, via))
        return True

    m.heap.fork([go_on, lambda: True])
    return join(*results) if results else UNKNOWN


def condition(m: Machine, test: ast.expr, value: Value) -> Any:
    """The path condition that an undecided test adds; none when a Proxy was asked: both sides then fail alike."""
    if may_be_proxy(value) is not None and not isinstance(value, Union):
        return contextlib.nullcontext()
    return m.under(test)


def _compare(m: Machine, node: ast.Compare) -> Value:
    left = m.eval(node.left)
    result: Value = NONE
    last = len(node.ops) - 1
    for position, (op, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = m.eval(right_node)
        answer = comparison.compare(m, op, left, right, node)
        result = answer if position == 0 else join(result, answer)
        if position < last:
            proxy = may_be_proxy(answer)
            if proxy is not None:
                m.emit(Hook.BOOLOP, node, proxy, via="chained comparison")
            elif isinstance(answer, Const):
                if not answer.value:
                    return answer
                result = Const(True, answer.definite)
        elif position and isinstance(result, Union) and isinstance(answer, Const):
            result = answer
        left = right
    return result


def _ifexp(m: Machine, node: ast.IfExp) -> Value:
    test = m.eval(node.test)
    answer = m.truth(test, node.test, Hook.BRANCH, "conditional expression")
    if answer is not None:
        taken, other = (node.body, node.orelse) if answer else (node.orelse, node.body)
        if not operators.is_definite(test):
            return m.eval(taken)
        m.definite.append(len(m.handlers))
        try:
            return m.eval(taken)
        except PathEnd:
            return m.eval(other)
        finally:
            m.definite.pop()
    results: list[Value] = []

    def side(sense: bool, branch: ast.expr) -> Callable[[], bool]:
        def run() -> bool:
            with condition(m, node.test, test):
                narrowing.narrow(m, node.test, sense)
                results.append(m.eval(branch))
            return True

        return run

    if not m.heap.fork([side(True, node.body), side(False, node.orelse)]):
        raise PathEnd
    return join(*results)


def _call(m: Machine, node: ast.Call) -> Value:
    return calls.call_node(m, node)


def _subscript(m: Machine, node: ast.Subscript) -> Value:
    return subscripts.load(m, m.eval(node.value), m.eval(node.slice), node)


def _slice(m: Machine, node: ast.Slice) -> Value:
    return Slice(*(m.eval(part) if part is not None else NONE for part in (node.lower, node.upper, node.step)))


def _lambda(m: Machine, node: ast.Lambda) -> Value:
    return functions.make(m, node)


def _named(m: Machine, node: ast.NamedExpr) -> Value:
    value = m.eval(node.value)
    scope = m.frame.scope
    while scope.declared.get("<comprehension>") and scope.parent is not None:
        scope = scope.parent
    m.heap.write(scope, node.target.id, value)
    return value


def _joined(m: Machine, node: ast.JoinedStr) -> Value:
    parts: list[str] | None = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            value = m.eval(part.value)
            proxy = may_be_proxy(value)
            if part.format_spec is not None:
                spec = m.eval(part.format_spec)
                if proxy is not None and part.conversion == -1 and not (isinstance(spec, Const) and spec.value == ""):
                    m.emit(Hook.FORMAT, part.value, proxy, via="f-string")
                parts = None
            host = builtin_types.to_host(value)
            if parts is not None and host is not builtin_types.NOT_CONSTANT and part.conversion == -1:
                parts.append(str(host))
            else:
                parts = None
        elif isinstance(part, ast.Constant) and parts is not None:
            parts.append(str(part.value))
    return Const("".join(parts)) if parts is not None else Concrete("str")


def _starred(m: Machine, node: ast.Starred) -> Value:
    seq = m.iterate(m.eval(node.value), node.value, Hook.STAR, "*")
    return Tuple(seq.items, seq.tail)


def _yield(m: Machine, node: ast.Yield) -> Value:
    value = m.eval(node.value) if node.value is not None else NONE
    if m.frame.yields is not None:
        m.frame.yields.append(value)
    return UNKNOWN


def _yield_from(m: Machine, node: ast.YieldFrom) -> Value:
    seq = m.iterate(m.eval(node.value), node.value, via="yield from")
    if m.frame.yields is not None:
        m.frame.yields.extend(seq.items)
        if seq.tail is not None:
            m.frame.yields.append(seq.tail)
    return UNKNOWN


def _await(m: Machine, node: ast.Await) -> Value:
    m.eval(node.value)
    return UNKNOWN


EVALUATE: dict[type, Callable[[Machine, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.BinOp: _binop,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolop,
    ast.Compare: _compare,
    ast.IfExp: _ifexp,
    ast.Call: _call,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Lambda: _lambda,
    ast.NamedExpr: _named,
    ast.JoinedStr: _joined,
    ast.FormattedValue: lambda m, node: m.eval(node.value),
    ast.Starred: _starred,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Await: _await,
}


from fxlint.interp import (  # noqa: E402
    builtin_types,
    calls,
    comparison,
    comprehensions,
    functions,
    names,
    narrowing,
    operators,
    subscripts,
)

EVALUATE.update(comprehensions.EVALUATE)
