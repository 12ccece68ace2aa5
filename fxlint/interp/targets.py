"""Assignment targets: names, attributes, subscripts, and unpacking with or without a star."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import UNKNOWN, List, Seq, Value, join

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def assign(m: Machine, target: ast.expr, value: Value) -> None:
    """Bind `value` to a target."""
    if isinstance(target, ast.Name):
        names.assign(m, target.id, value, target)
    elif isinstance(target, ast.Attribute):
        attribute_writes.write(m, m.eval(target.value), target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        subscripts.store(m, m.eval(target.value), m.eval(target.slice), value, target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(m, target, value)
    elif isinstance(target, ast.Starred):
        assign(m, target.value, value)


def _unpack(m: Machine, target: ast.Tuple | ast.List, value: Value) -> None:
    stars = [i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)]
    if not stars:
        for element, part in zip(target.elts, iteration.unpack(m, value, len(target.elts), target), strict=True):
            assign(m, element, part)
        return
    seq = m.iterate(value, target, Hook.ITER, "star unpacking")
    before, after = stars[0], len(target.elts) - stars[0] - 1
    head, middle, tail = _split(seq, before, after)
    if seq.tail is None and len(seq.items) < before + after:
        raise m.fail("ValueError", target)
    for element, part in zip(target.elts, [*head, List(middle.items, middle.tail), *tail], strict=True):
        assign(m, element, part)


def _split(seq: Seq, before: int, after: int) -> tuple[list[Value], Seq, list[Value]]:
    items = list(seq.items)
    if seq.tail is None:
        end = len(items) - after
        return items[:before], Seq(items[before:end]), items[end:]
    anything = join(seq.tail, *items[before:])
    head = items[:before] + [seq.tail] * max(0, before - len(items))
    return head, Seq((), anything), [anything if items[before:] else seq.tail or UNKNOWN] * after


from fxlint.interp import attribute_writes, iteration, names, subscripts  # noqa: E402
