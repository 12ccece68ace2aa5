"""Statements: one function for each kind. Each says whether the path arrives behind the statement."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.values import NONE, List, Proxy, RealTensor, Seq, join, may_be_proxy, members
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _expr(m: Machine, node: ast.Expr) -> bool:
    m.discarded = node.value
    m.eval(node.value)
    return True


def _pass(m: Machine, node: ast.stmt) -> bool:
    return True


def _assign(m: Machine, node: ast.Assign) -> bool:
    value = m.eval(node.value)
    for target in node.targets:
        targets.assign(m, target, value)
    return True


def _ann_assign(m: Machine, node: ast.AnnAssign) -> bool:
    if node.value is not None:
        targets.assign(m, node.target, m.eval(node.value))
    return True


def _aug_assign(m: Machine, node: ast.AugAssign) -> bool:
    load = _as_load(node.target)
    old = m.eval(load)
    right = m.eval(node.value)
    for member in members(old):
        if isinstance(member, List) and isinstance(node.op, ast.Add):
            more = m.iterate(right, node.value, via="+=")
            now = member.seq
            seq = (
                Seq((*now.items, *more.items), more.tail)
                if now.tail is None
                else Seq(now.items, join(now.tail, *more.every()))
            )
            m.heap.write(member, "seq", seq)
        elif isinstance(member, RealTensor):
            if member.tag in ("buffer", "derived", "plain"):
                m.emit(Hook.STATE, node, member, subject=node.target, effect=Effect.SILENT, via="buffer")
            elif may_be_proxy(right) is not None:
                m.emit(Hook.CONSTANT_MUTATED, node, member, subject=node.target, effect=Effect.SILENT)
        elif isinstance(member, Proxy) and isinstance(node.target, ast.Name):
            _inplace(m, node, node.target, member)
    if isinstance(old, List) and isinstance(node.op, ast.Add):
        return True
    result = operators.binary(m, node.op, old, right, node)
    targets.assign(m, node.target, result)
    return True


def _inplace(m: Machine, node: ast.AugAssign, target: ast.Name, value: Proxy) -> None:
    """`x += y` on a Proxy is recorded out of place: that shows where another name holds the same tensor."""
    if value.flavour not in ("tensor", "input", "parameter"):
        return
    function = m.frame.function
    own = {a.arg for a in calls.parameters(function.node)} if function is not None else set()
    if value.param or value.base == "view" or (target.id in own and value.source is not m.frame):
        m.emit(Hook.INPLACE, node, value, subject=target, effect=Effect.SILENT)


def _as_load(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        made: ast.expr = ast.Name(id=target.id, ctx=ast.Load())
    elif isinstance(target, ast.Attribute):
        made = ast.Attribute(value=target.value, attr=target.attr, ctx=ast.Load())
    elif isinstance(target, ast.Subscript):
        made = ast.Subscript(value=target.value, slice=target.slice, ctx=ast.Load())
    else:
        return target
    return ast.copy_location(made, target)


def _return(m: Machine, node: ast.Return) -> bool:
    frame = m.frame
    frame.returns.append(m.eval(node.value) if node.value is not None else NONE)
    if m.heap.depth > frame.depth:
        frame.exits.append(m.heap.snapshot(frame.depth))
    return False


def _with(m: Machine, node: Any) -> bool:
    for item in node.items:
        value = contexts.enter(m, m.eval(item.context_expr), item.context_expr)
        if item.optional_vars is not None:
            targets.assign(m, item.optional_vars, value)
    return m.run(node.body)


def _function(m: Machine, node: Any) -> bool:
    names.assign(m, node.name, functions.decorated(m, node), node)
    return True


def _class(m: Machine, node: ast.ClassDef) -> bool:
    names.assign(m, node.name, classes.build(m, node), node)
    return True


def _import(m: Machine, node: Any) -> bool:
    modules.bind_import(m, node)
    return True


def _declare(m: Machine, node: Any) -> bool:
    word = "global" if isinstance(node, ast.Global) else "nonlocal"
    for name in node.names:
        m.frame.scope.declared[name] = word
    return True


def _delete(m: Machine, node: ast.Delete) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Name):
            if target.id in m.frame.scope.cells:
                m.heap.delete(m.frame.scope, target.id)
        elif isinstance(target, ast.Attribute):
            attribute_writes.delete(m, m.eval(target.value), target.attr)
        elif isinstance(target, ast.Subscript):
            subscripts.delete(m, m.eval(target.value), m.eval(target.slice), target)
    return True


EXECUTE: dict[type, Callable[[Machine, Any], bool]] = {
    ast.Expr: _expr,
    ast.Pass: _pass,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.Return: _return,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Global: _declare,
    ast.Nonlocal: _declare,
    ast.Delete: _delete,
}
if hasattr(ast, "TypeAlias"):
    EXECUTE[ast.TypeAlias] = _pass


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    branches,
    calls,
    classes,
    contexts,
    exceptions,
    functions,
    loop_statements,
    modules,
    names,
    operators,
    subscripts,
    targets,
)

for _part in (branches, loop_statements, exceptions):
    EXECUTE.update(_part.EXECUTE)
