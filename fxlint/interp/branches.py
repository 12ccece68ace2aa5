"""`if`, `assert` and `match`: the side a known answer takes, or both sides and what they leave behind.

A *definite* answer is torch.fx's own: where the side it takes only raises, that is reported, and the other side runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.values import Mutable, Value

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


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
    """Run the side that a definite answer takes; where it only raises, report that and run the other side as well."""
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
    ast.If: _if,
    ast.Assert: _assert,
    ast.Match: _match,
}


from fxlint.interp import expressions, matching, modules, narrowing, operators  # noqa: E402
