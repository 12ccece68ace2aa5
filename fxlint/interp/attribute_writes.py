"""Attributes that are written and deleted: properties and `__setattr__` first, then the object's own cells.

A write to an instance ends its likeness to others made from the same arguments, and that of the modules holding it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    UNNAMED,
    Class,
    Const,
    Descriptor,
    Function,
    Instance,
    ModuleValue,
    Proxy,
    RealTensor,
    Value,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def write(m: Machine, owner: Value, name: str, value: Value, node: ast.AST) -> None:
    """`owner.name = value`."""
    for member in members(owner):
        _write(m, member, name, value, node)


def _write(m: Machine, owner: Value, name: str, value: Value, node: ast.AST) -> None:
    if isinstance(owner, Proxy):
        m.emit(Hook.PROXY_SETATTR, node, owner, subject=node, detail=name, effect=Effect.SILENT)
    elif isinstance(owner, Instance):
        setter = attributes.find_in_class(m, owner.cls, name)
        if isinstance(setter, Descriptor) and setter.form == "property":
            if setter.setter is not None:
                m.call(setter.setter, [owner, value], {}, node)
            return
        custom = attributes.find_in_class(m, owner.cls, "__setattr__")
        if isinstance(custom, Function):
            m.call(custom, [owner, Const(name), value], {}, node)
            return
        plain_write(m, owner, name, value, node)
    elif isinstance(owner, Class):
        m.heap.write(owner, name, value)
        calls.note_state_write(m, owner, node)
    elif isinstance(owner, Function):
        owner.attrs[name] = value
    elif isinstance(owner, ModuleValue):
        m.heap.write(owner.scope, name, value)
    elif isinstance(owner, RealTensor) and name in ("data", "requires_grad", "grad"):
        m.emit(Hook.STATE, node, owner, subject=node, effect=Effect.SILENT, via="buffer")


def plain_write(m: Machine, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """object.__setattr__ (for modules: nn.Module's, which registers)."""
    nn_modules.on_write(m, owner, name, value, node)
    calls.note_state_write(m, owner, node, name=name)
    m.heap.write(owner, name, value)
    if owner.settled:
        mark_changed(owner)


def write_unnamed(m: Machine, owner: Instance, value: Value) -> None:
    """A write under a name that is not known: any attribute that is not seen may now be this value."""
    owner.dynamic = True
    spare = owner.cells.get(UNNAMED)
    m.heap.write(owner, UNNAMED, join(value, spare) if isinstance(spare, Value) else value)


def mark_changed(owner: Instance) -> None:
    """The instance is no longer like others of its provenance, nor are the modules that hold it."""
    pending, seen = [owner], 0
    while pending and seen < 256:
        current = pending.pop()
        seen += 1
        current.version += 1
        if current.provenance is not None or current is owner:
            current.provenance = None
            pending.extend(current.owners)


def delete(m: Machine, owner: Value, name: str) -> None:
    """`del owner.name`."""
    for member in members(owner):
        if isinstance(member, (Instance, Class)) and name in member.cells:
            m.heap.delete(member, name)
            if isinstance(member, Instance):
                mark_changed(member)


from fxlint.interp import (  # noqa: E402
    attributes,
    calls,
    nn_modules,
)
