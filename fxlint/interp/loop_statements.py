"""`for` and `while`: what a body leaves behind after its rounds, its `break`s and its `continue`s.

Rounds that surely happen run one after another; any other is a branch that may not be taken.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.frames import Loop
from fxlint.interp.values import Value

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


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
                m.heap.fork([partial(_round, m, node, loop, item), lambda: True])
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


EXECUTE: dict[type, Callable[[Machine, Any], bool]] = {
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
}


from fxlint.interp import expressions, loops, narrowing, targets  # noqa: E402
