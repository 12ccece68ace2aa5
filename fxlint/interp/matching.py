"""`match`: a literal pattern compares and asks; a class, sequence or mapping pattern tests a type no Proxy has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Const,
    Dict,
    Instance,
    List,
    Proxy,
    Tuple,
    Union,
    Value,
    is_none,
    join,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

Answer = tuple["bool | None", bool]
"""Whether the pattern matches (None: undecided), and whether fx's answer for a Proxy decided it."""


def match(m: Machine, pattern: ast.pattern, subject: Value, node: ast.expr) -> Answer:
    """Match one pattern and bind its names."""
    if isinstance(subject, Union) and not isinstance(pattern, ast.MatchAs):
        answers = [match(m, pattern, member, node) for member in subject.members]
        first = answers[0][0]
        same = all(a[0] == first for a in answers)
        return (first if same else None, same and all(a[1] for a in answers))
    if isinstance(pattern, ast.MatchAs):
        answer: Answer = (True, False) if pattern.pattern is None else match(m, pattern.pattern, subject, node)
        if pattern.name and answer[0] is not False:
            names.assign(m, pattern.name, subject, pattern)
        return answer
    if isinstance(pattern, ast.MatchOr):
        answers = [match(m, p, subject, node) for p in pattern.patterns]
        if any(a[0] is True for a in answers):
            return True, False
        if any(a[0] is None for a in answers):
            return None, False
        return False, any(a[1] for a in answers)
    if isinstance(pattern, ast.MatchValue):
        value = comparison.compare(m, ast.Eq(), subject, m.eval(pattern.value), pattern.value)
        return m.truth(value, pattern.value, Hook.BRANCH, "match"), False
    if isinstance(pattern, ast.MatchSingleton):
        value = comparison.identity(m, subject, Const(pattern.value), node)
        return (bool(value.value), value.definite) if isinstance(value, Const) else (None, False)
    if isinstance(subject, Proxy):
        m.emit(Hook.TYPE_TEST, pattern, subject, subject=m.text(node), via="match", effect=Effect.SILENT)
        return False, True
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(m, pattern, subject, node)
    if isinstance(pattern, ast.MatchMapping):
        return _mapping(m, pattern, subject, node)
    if isinstance(pattern, ast.MatchClass):
        return _class(m, pattern, subject, node)
    return None, False


def _all(answers: list[Answer]) -> Answer:
    if any(a[0] is False for a in answers):
        return False, any(a[1] for a in answers if a[0] is False)
    return (None, False) if any(a[0] is None for a in answers) else (True, False)


def _sequence(m: Machine, pattern: ast.MatchSequence, subject: Value, node: ast.expr) -> Answer:
    if not isinstance(subject, (Tuple, List)):
        if isinstance(subject, (Const, Dict)):
            return False, False
        _bind_all(m, pattern)
        return None, False
    stars = [i for i, p in enumerate(pattern.patterns) if isinstance(p, ast.MatchStar)]
    items = subject.seq.items
    if subject.seq.tail is not None:
        _bind_all(m, pattern)
        return None, False
    if not stars:
        if len(items) != len(pattern.patterns):
            return False, False
        return _all([match(m, p, i, node) for p, i in zip(pattern.patterns, items, strict=True)])
    before, after = stars[0], len(pattern.patterns) - stars[0] - 1
    if len(items) < before + after:
        return False, False
    star = pattern.patterns[before]
    if isinstance(star, ast.MatchStar) and star.name:
        names.assign(m, star.name, List(items[before : len(items) - after]), pattern)
    pairs = [*zip(pattern.patterns[:before], items[:before], strict=True)]
    if after:
        pairs += zip(pattern.patterns[-after:], items[-after:], strict=True)
    return _all([match(m, p, i, node) for p, i in pairs])


def _mapping(m: Machine, pattern: ast.MatchMapping, subject: Value, node: ast.expr) -> Answer:
    if not isinstance(subject, Dict):
        _bind_all(m, pattern)
        return (False, False) if isinstance(subject, (Const, Tuple, List)) else (None, False)
    answers: list[Answer] = []
    for key, inner in zip(pattern.keys, pattern.patterns, strict=True):
        found = builtin_types.get_item(subject, m.eval(key))
        answers.append((False, False) if found is None else match(m, inner, found, node))
    if pattern.rest:
        names.assign(m, pattern.rest, builtin_types.copy_dict(subject), pattern)
    return _all(answers)


def _class(m: Machine, pattern: ast.MatchClass, subject: Value, node: ast.expr) -> Answer:
    answer = type_tests.is_instance(m, subject, m.eval(pattern.cls))
    if answer is False:
        return False, False
    answers: list[Answer] = [(answer, False)]
    args = None
    if isinstance(subject, Instance) and not is_none(subject):
        args = attributes.find_in_class(m, subject.cls, "__match_args__")
    for position, inner in enumerate(pattern.patterns):
        if isinstance(args, Tuple) and position < len(args.seq.items):
            name = args.seq.items[position]
            value = m.getattr(subject, str(name.value), node) if isinstance(name, Const) else UNKNOWN
        elif isinstance(subject, Const):
            value = subject
        else:
            value = CONCRETE
        answers.append(match(m, inner, value, node))
    for name_, inner in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        answers.append(match(m, inner, m.getattr(subject, name_, node), node))
    return _all(answers)


def _bind_all(m: Machine, pattern: ast.pattern) -> None:
    for inner in ast.walk(pattern):
        name = getattr(inner, "name", None)
        if isinstance(name, str):
            names.assign(m, name, join(UNKNOWN, CONCRETE), pattern)


from fxlint.interp import attributes, builtin_types, comparison, names, type_tests  # noqa: E402
