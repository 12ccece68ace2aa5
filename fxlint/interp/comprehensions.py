"""Comprehensions and generator expressions: nested rounds in a scope of their own.

A generator expression evaluates its first iterable at once and runs when it is iterated.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import Dict, Generator, List, Scope, Seq, Tuple, Value, join, may_be_proxy

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _comprehension(m: Machine, node: Any, element: Callable[[], Value]) -> Seq:
    """Run the generators nested, collecting elements; an undecided filter or a tail makes the rest a tail."""
    found: list[Value] = []
    tails: list[Value] = []
    scope = Scope(m.frame.scope)
    scope.declared["<comprehension>"] = "yes"
    outer = m.frame.scope
    m.frame.scope = scope

    def collect(sure: bool) -> None:
        value = element()
        if sure and not tails:
            found.append(value)
        else:
            tails.append(value)

    def level(position: int, sure: bool) -> None:
        if position == len(node.generators):
            collect(sure)
            return
        generator = node.generators[position]
        seq = m.iterate(m.eval(generator.iter), generator.iter, via="comprehension")
        for item, certain in loops.rounds(seq):
            step(position, generator, item, sure and certain)

    def step(position: int, generator: ast.comprehension, item: Value, sure: bool) -> None:
        try:
            targets.assign(m, generator.target, item)
        except PathEnd:
            return
        for test_node in generator.ifs:
            test = m.eval(test_node)
            answer = m.truth(test, test_node, Hook.BRANCH, "comprehension filter")
            if answer is False:
                return
            if answer is None:
                sure = False
                narrowing.narrow(m, test_node, True)
        level(position + 1, sure)

    try:
        level(0, True)
    finally:
        m.frame.scope = outer
    return Seq(found, join(*tails) if tails else None)


def _list_comp(m: Machine, node: ast.ListComp) -> Value:
    seq = _comprehension(m, node, lambda: m.eval(node.elt))
    return List(seq.items, seq.tail)


def _set_comp(m: Machine, node: ast.SetComp) -> Value:
    seq = _comprehension(m, node, lambda: m.eval(node.elt))
    return List(seq.items, seq.tail, "set")


def _dict_comp(m: Machine, node: ast.DictComp) -> Value:
    seq = _comprehension(m, node, lambda: Tuple((m.eval(node.key), m.eval(node.value))))
    made = Dict()
    builtin_types.add_pairs(m, made, seq)
    return made


def _generator(m: Machine, node: ast.GeneratorExp) -> Value:
    """A generator runs when it is iterated, but its first iterable is evaluated at once."""
    first = node.generators[0]
    source = m.eval(first.iter)
    seq: Seq | None = None
    if may_be_proxy(source) is not None:
        seq = m.iterate(source, first.iter, via="comprehension")
    frame, heap_scope = m.frame, m.frame.scope

    def run() -> Seq:
        saved = frame.scope
        frame.scope = heap_scope
        m.frames.append(frame)
        try:
            given = seq if seq is not None else m.iterate(source, first.iter, via="comprehension")
            holder = Tuple(given.items, given.tail)
            stand_in = ast.comprehension(
                target=first.target, iter=_Given(holder, first.iter), ifs=first.ifs, is_async=0
            )
            copy = ast.GeneratorExp(elt=node.elt, generators=[stand_in, *node.generators[1:]])
            ast.copy_location(copy, node)
            return _comprehension(m, copy, lambda: m.eval(node.elt))
        finally:
            m.frames.pop()
            frame.scope = saved

    return Generator(run)


class _Given(ast.expr):
    """An expression whose value is known already."""

    def __init__(self, value: Value, at: ast.expr) -> None:
        super().__init__()
        self.value = value
        ast.copy_location(self, at)


def _given(m: Machine, node: _Given) -> Value:
    return node.value


EVALUATE: dict[type, Callable[[Machine, Any], Value]] = {
    ast.ListComp: _list_comp,
    ast.SetComp: _set_comp,
    ast.DictComp: _dict_comp,
    ast.GeneratorExp: _generator,
    _Given: _given,
}


from fxlint.interp import builtin_types, loops, narrowing, targets  # noqa: E402
