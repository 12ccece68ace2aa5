"""Narrowing: what a test's outcome says about the names and attributes in it.

if mask is not None:      inside, `mask` has no None among its alternatives
if not self.norm:         inside, `self.norm` is falsy
if isinstance(f, list):   inside, only the alternatives that can be a list
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.values import (
    Concrete,
    Const,
    Dict,
    Instance,
    List,
    Missing,
    Proxy,
    Scope,
    Tuple,
    Union,
    Unknown,
    Value,
    is_none,
    members,
    without,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine
    from fxlint.interp.values import Mutable


def by_truth(m: Machine, value: Value, sense: bool) -> Value | None:
    """The alternatives that can have this truth value."""
    return without(value, lambda v: _plain_truth(v) is (not sense))


def _plain_truth(value: Value) -> bool | None:
    """Truth of a value without asking a Proxy."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, (Tuple, List)):
        return True if value.seq.items else None if value.seq.tail is not None else False
    if isinstance(value, Dict):
        return True if value.entries else None if value.rest else False
    if isinstance(value, (Proxy, Concrete, Unknown, Missing)):
        return None
    if isinstance(value, Instance):
        return None
    return None


def narrow(m: Machine, test: ast.expr, sense: bool) -> None:
    """Bind what `test` being `sense` implies, in the current branch."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(m, test.operand, not sense)
    elif isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is sense:
            for operand in test.values:
                narrow(m, operand, sense)
    elif isinstance(test, ast.NamedExpr):
        narrow(m, test.target, sense)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        _compare(m, test, sense)
    elif isinstance(test, ast.Call):
        _call(m, test, sense)
    else:
        spot = _spot(m, test)
        if spot is not None:
            _keep(m, spot, by_truth(m, spot[2], sense))


def _compare(m: Machine, test: ast.Compare, sense: bool) -> None:
    op, right = test.ops[0], test.comparators[0]
    left: ast.expr = test.left
    if isinstance(left, ast.NamedExpr):
        left = left.target
    spot = _spot(m, left)
    if spot is None:
        return
    positive = isinstance(op, (ast.Is, ast.Eq, ast.In)) is sense
    if isinstance(right, ast.Constant) and isinstance(op, (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)):
        wanted = right.value
        if positive:
            kept = without(
                spot[2], lambda v: isinstance(v, Const) and (type(v.value) is not type(wanted) or v.value != wanted)
            )
            if wanted is None:
                kept = without(kept, lambda v: not _may_be_none(v)) if kept is not None else None
            elif kept is not None and isinstance(wanted, (str, int, float, bool)):
                kept = without(kept, lambda v: isinstance(v, (Instance, List, Dict, Tuple)))
                if kept is not None and all(isinstance(v, Concrete) for v in members(kept)):
                    kept = Const(wanted)
        else:
            kept = without(
                spot[2], lambda v: isinstance(v, Const) and type(v.value) is type(wanted) and v.value == wanted
            )
        _keep(m, spot, kept)
    elif isinstance(op, (ast.In, ast.NotIn)) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
        if all(isinstance(e, ast.Constant) for e in right.elts):
            values = [e.value for e in right.elts if isinstance(e, ast.Constant)]
            kept = without(spot[2], lambda v: isinstance(v, Const) and (v.value in values) is not positive)
            _keep(m, spot, kept)


def _may_be_none(value: Value) -> bool:
    return is_none(value) or isinstance(value, (Unknown, Missing)) or (isinstance(value, Concrete) and not value.hint)


def _call(m: Machine, test: ast.Call, sense: bool) -> None:
    if not isinstance(test.func, ast.Name) or len(test.args) < 1:
        return
    spot = _spot(m, test.args[0])
    if spot is None or not isinstance(spot[2], Union):
        return
    if test.func.id == "isinstance" and len(test.args) == 2:
        classes = m.eval(test.args[1])
        kept = without(spot[2], lambda v: type_tests.is_instance(m, v, classes) is (not sense))
        _keep(m, spot, kept)
    elif test.func.id == "callable":
        kept = without(spot[2], lambda v: isinstance(v, (Const, Tuple, List, Dict)) is sense)
        _keep(m, spot, kept)


Spot = tuple["Mutable", str, Value]


def _spot(m: Machine, expression: ast.expr) -> Spot | None:
    """The cell that a name or `self.attribute` reads, with its value."""
    if isinstance(expression, ast.Name):
        scope: Scope | None = names.find_cell(m, expression.id)
        if scope is None or (scope.parent is None and m.frame.scope is not scope):
            return None
        value = scope.cells[expression.id]
        return (scope, expression.id, value) if isinstance(value, Value) else None
    if isinstance(expression, ast.Attribute) and isinstance(expression.value, ast.Name):
        scope = names.find_cell(m, expression.value.id)
        owner = scope.cells[expression.value.id] if scope is not None else None
        if isinstance(owner, Instance) and isinstance(owner.cells.get(expression.attr), Value):
            return (owner, expression.attr, owner.cells[expression.attr])
    return None


def _keep(m: Machine, spot: Spot, kept: Value | None) -> None:
    owner, key, value = spot
    if kept is not None and kept is not value:
        m.heap.write(owner, key, kept)


from fxlint.interp import names, type_tests  # noqa: E402
