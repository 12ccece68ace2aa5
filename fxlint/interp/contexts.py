"""`with`: torch's modes are dropped from the graph, other managers are entered."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import CONCRETE, UNKNOWN, Generator, Instance, Value, members
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def enter(m: Machine, manager: Value, node: ast.expr) -> Value:
    """What `with manager as …` binds."""
    for value in members(manager):
        name = decorators.context_name(value)
        if name is not None:
            m.emit(Hook.CONTEXT, node, subject=name, effect=Effect.SILENT, via="with")
            return CONCRETE
        if isinstance(value, Instance):
            method = attributes.find_in_class(m, value.cls, "__enter__")
            if method is not None:
                return m.call(attributes.bind(m, method, value, node), [], {}, node)
        if isinstance(value, Generator):
            items = list(m.iterate(value, node).every())
            return items[0] if items else UNKNOWN
    return UNKNOWN


from fxlint.interp import attributes, decorators  # noqa: E402
