"""`raise` and `try`: a handler starts from the states in which the body may have left."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.frames import Handler
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import CONCRETE, Class, External, Instance, Mutable, members

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


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


EXECUTE: dict[type, Callable[[Machine, Any], bool]] = {
    ast.Raise: _raise,
    ast.Try: _try,
}
if hasattr(ast, "TryStar"):
    EXECUTE[ast.TryStar] = _try
