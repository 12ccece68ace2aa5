"""Statements: one function for each kind. Each says whether the path arrives behind the statement."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.machine import Handler, Loop
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    Class,
    External,
    Instance,
    List,
    Mutable,
    Proxy,
    RealTensor,
    Seq,
    Value,
    join,
    may_be_proxy,
    members,
)
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


# ---- branches


def _if(m: Machine, node: ast.If) -> bool:
    if m.frame.function is None and modules.type_checking_test(node.test):
        m.run(node.body)
        return True
    test = m.eval(node.test)
    answer = m.truth(test, node.test, Hook.BRANCH, "if")
    if answer is not None:
        taken, other = (node.body, node.orelse) if answer else (node.orelse, node.body)
        if operators.is_definite(test):
            return decided_by_fx(m, lambda: m.run(taken), lambda: m.run(other))
        return m.run(taken)
    return _either(m, node.test, test, node.body, node.orelse)


def _either(m: Machine, test: ast.expr, value: Value, body: list[ast.stmt], orelse: list[ast.stmt]) -> bool:
    def side(sense: bool, branch: list[ast.stmt]) -> Callable[[], bool]:
        def run() -> bool:
            with expressions.condition(m, test, value):
                narrowing.narrow(m, test, sense)
                return m.run(branch)

        return run

    return m.heap.fork([side(True, body), side(False, orelse)])


def decided_by_fx(m: Machine, taken: Callable[[], bool], other: Callable[[], bool]) -> bool:
    """Run the side that a definite answer takes; where that side only raises, report it and run the other side as well."""
    frame = m.frame
    before = (len(frame.returns), *((len(loop.breaks), len(loop.continues)) for loop in frame.loops))
    m.definite.append(len(m.handlers))
    try:
        live, delta = m.heap.branch(taken, Mutable().serial)
    finally:
        m.definite.pop()
    if live:
        m.heap.merge([delta], include_current=False)
        return True
    after = (len(frame.returns), *((len(loop.breaks), len(loop.continues)) for loop in frame.loops))
    if after != before:
        return False
    return other()


def _assert(m: Machine, node: ast.Assert) -> bool:
    test = m.eval(node.test)
    answer = m.truth(test, node.test, Hook.ASSERT, "assert")
    if answer is False and operators.is_definite(test):
        m.definite.append(len(m.handlers))
        try:
            m.fail("AssertionError", node.test, explicit=True)
        finally:
            m.definite.pop()
    elif answer is None:
        narrowing.narrow(m, node.test, True)
    return True


# ---- loops


def _for(m: Machine, node: ast.For) -> bool:
    seq = m.iterate(m.eval(node.iter), node.iter, via="for")
    loop = Loop(m.heap.depth)
    m.frame.loops.append(loop)
    live = True
    try:
        for item, sure in loops.rounds(seq):
            if sure:
                live = _round(m, node, loop, item)
                if not live:
                    break
                continue
            for _ in range(limits.LOOP_PASSES):
                m.heap.fork([lambda item=item: _round(m, node, loop, item), lambda: True])  # type: ignore[misc]
    finally:
        m.frame.loops.pop()
    return _leave(m, loop, live, node.orelse)


def _round(m: Machine, node: ast.For, loop: Loop, item: Value) -> bool:
    targets.assign(m, node.target, item)
    return _body(m, loop, node.body)


def _body(m: Machine, loop: Loop, body: list[ast.stmt]) -> bool:
    outer, loop.continues = loop.continues, []
    live = m.run(body)
    if loop.continues:
        m.heap.merge(loop.continues, include_current=live)
        live = True
    loop.continues = outer
    return live


def _leave(m: Machine, loop: Loop, live: bool, orelse: list[ast.stmt]) -> bool:
    if live and orelse:
        live = m.run(orelse)
    if loop.breaks:
        m.heap.merge(loop.breaks, include_current=live)
        live = True
    return live


def _while(m: Machine, node: ast.While) -> bool:
    loop = Loop(m.heap.depth)
    m.frame.loops.append(loop)
    live = True
    try:
        undecided = 0
        for _ in range(limits.WHILE_PASSES):
            test = m.eval(node.test)
            answer = m.truth(test, node.test, Hook.BRANCH, "while")
            if answer is False:
                break
            if answer is True:
                live = _body(m, loop, node.body)
                if not live:
                    break
                continue
            undecided += 1
            if undecided > limits.LOOP_PASSES:
                break

            def run() -> bool:
                with expressions.condition(m, node.test, test):  # noqa: B023  (called within this round)
                    narrowing.narrow(m, node.test, True)
                    return _body(m, loop, node.body)

            m.heap.fork([run, lambda: True])
        narrowing.narrow(m, node.test, False)
    finally:
        m.frame.loops.pop()
    return _leave(m, loop, live, node.orelse)


def _break(m: Machine, node: ast.Break) -> bool:
    if m.frame.loops:
        loop = m.frame.loops[-1]
        loop.breaks.append(m.heap.snapshot(loop.depth))
    return False


def _continue(m: Machine, node: ast.Continue) -> bool:
    if m.frame.loops:
        loop = m.frame.loops[-1]
        loop.continues.append(m.heap.snapshot(loop.depth))
    return False


# ---- leaving


def _return(m: Machine, node: ast.Return) -> bool:
    frame = m.frame
    frame.returns.append(m.eval(node.value) if node.value is not None else NONE)
    if m.heap.depth > frame.depth:
        frame.exits.append(m.heap.snapshot(frame.depth))
    return False


def _raise(m: Machine, node: ast.Raise) -> bool:
    name = "Exception"
    if node.exc is not None:
        for member in members(m.eval(node.exc)):
            found = member.cls if isinstance(member, Instance) else member
            if isinstance(found, Class):
                name = found.name
                for base in found.mro:
                    if isinstance(base, External):
                        name = base.path.rpartition(".")[2]
                        break
            elif isinstance(found, External):
                name = found.path.rpartition(".")[2]
    raise m.fail(name, node, explicit=True)


def _try(m: Machine, node: Any) -> bool:
    names: set[str] = set()
    for clause in node.handlers:
        names |= _caught_names(m, clause.type)
    handler = Handler(frozenset(names), m.heap.depth)
    m.handlers.append(handler)
    start = Mutable().serial
    try:
        live, delta = m.heap.branch(lambda: m.run(node.body), start)
    finally:
        m.handlers.pop()
    arrived = [delta] if live else []
    runs: list[Callable[[], bool]] = []
    if live:
        runs.append(lambda: _resume(m, arrived) and (not node.orelse or m.run(node.orelse)))
    if handler.raised or handler.deltas:
        runs.extend(_clause(m, clause, handler) for clause in node.handlers)
    if not runs:
        if node.finalbody:
            m.run(node.finalbody)
        if not m.frame.returns and not m.frame.loops:
            raise PathEnd(m.heap.error)
        return False
    live = m.heap.fork(runs) if len(runs) > 1 else _only(m, runs[0])
    if node.finalbody and not m.run(node.finalbody):
        return False
    return live


def _only(m: Machine, run: Callable[[], bool]) -> bool:
    try:
        return run()
    except PathEnd as end:
        m.heap.error = end.error
        return False


def _resume(m: Machine, deltas: list[Any]) -> bool:
    m.heap.merge(deltas, include_current=False)
    return True


def _clause(m: Machine, clause: ast.ExceptHandler, handler: Handler) -> Callable[[], bool]:
    def run() -> bool:
        if handler.deltas:
            m.heap.merge(handler.deltas, include_current=False)
        if clause.name:
            m.heap.write(m.frame.scope, clause.name, CONCRETE)
        return m.run(clause.body)

    return run


def _caught_names(m: Machine, expression: ast.expr | None) -> set[str]:
    if expression is None:
        return {"*"}
    if isinstance(expression, ast.Tuple):
        return {name for element in expression.elts for name in _caught_names(m, element)}
    if isinstance(expression, ast.Attribute):
        return {expression.attr}
    if isinstance(expression, ast.Name):
        return {expression.id}
    return set()


def _with(m: Machine, node: Any) -> bool:
    for item in node.items:
        value = contexts.enter(m, m.eval(item.context_expr), item.context_expr)
        if item.optional_vars is not None:
            targets.assign(m, item.optional_vars, value)
    return m.run(node.body)


# ---- definitions


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
            attributes.delete(m, m.eval(target.value), target.attr)
        elif isinstance(target, ast.Subscript):
            subscripts.delete(m, m.eval(target.value), m.eval(target.slice), target)
    return True


def _match(m: Machine, node: ast.Match) -> bool:
    subject = m.eval(node.subject)

    def from_case(position: int) -> bool:
        if position == len(node.cases):
            return True
        case = node.cases[position]
        answer, definite = matching.match(m, case.pattern, subject, node.subject)
        if answer is not False and case.guard is not None:
            guard = m.truth(m.eval(case.guard), case.guard)
            answer = guard if answer is True else (False if guard is False else None)
        if answer is True:
            return m.run(case.body)
        if answer is False:
            if definite:
                return decided_by_fx(m, lambda: from_case(position + 1), lambda: m.run(case.body))
            return from_case(position + 1)
        return m.heap.fork([lambda: m.run(case.body), lambda: from_case(position + 1)])

    return from_case(0)


EXECUTE: dict[type, Callable[[Machine, Any], bool]] = {
    ast.Expr: _expr,
    ast.Pass: _pass,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Assert: _assert,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Global: _declare,
    ast.Nonlocal: _declare,
    ast.Delete: _delete,
    ast.Match: _match,
}
for _name, _run in (("TryStar", _try), ("TypeAlias", _pass)):
    if hasattr(ast, _name):
        EXECUTE[getattr(ast, _name)] = _run

from fxlint.interp import (  # noqa: E402
    attributes,
    calls,
    classes,
    contexts,
    expressions,
    functions,
    loops,
    matching,
    modules,
    names,
    narrowing,
    operators,
    subscripts,
    targets,
)
