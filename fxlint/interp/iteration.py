"""iter(): what a loop, an unpacking or a star gets from each kind of value.

A Proxy refuses, except where fx sees that exactly n names are unpacked (`a, b = proxy`), which it reads off the
bytecode.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd, join_sequences
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Generator,
    Instance,
    List,
    Missing,
    ParameterValue,
    Proxy,
    RealTensor,
    Seq,
    Tuple,
    Union,
    Unknown,
    Value,
    join,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def iterate(m: Machine, value: Value, node: ast.AST, hook: Hook, via: str) -> Seq:
    """What iterating over the value gives."""
    if isinstance(value, Union):
        found = []
        for member in value.members:
            if isinstance(member, Missing) or (
                isinstance(member, Const) and not isinstance(member.value, (str, bytes))
            ):
                continue
            try:
                found.append(iterate(m, member, node, hook, via))
            except PathEnd:
                continue
        return join_sequences(found) if found else Seq((), UNKNOWN)
    if isinstance(value, Proxy):
        m.emit(hook, node, value, via=via)
        item: Value = Proxy("int" if value.flavour == "size" else "tensor", low=value.low)
        if value.base in ("items", "keys"):
            item = Tuple((Concrete("str"), item)) if value.base == "items" else Concrete("str")
        return Seq((), item)
    if isinstance(value, (Tuple, List)):
        return value.seq
    if isinstance(value, Dict):
        return builtin_types.dict_views(value, "keys")
    if isinstance(value, Generator):
        if value.done is None:
            value.done = Seq((), UNKNOWN)
            value.done = value.run()
        return value.done
    if isinstance(value, Const):
        if isinstance(value.value, (str, bytes)):
            return Seq([Const(c) for c in value.value]) if len(value.value) <= 256 else Seq((), Concrete("str"))
        raise m.fail("TypeError", node)
    if isinstance(value, Instance):
        return _instance(m, value, node, hook, via)
    if isinstance(value, Class):
        return _class_members(value)
    if isinstance(value, (RealTensor, ParameterValue)):
        return Seq((), RealTensor(value.tag if isinstance(value, RealTensor) else "folded"))
    if isinstance(value, Concrete):
        return Seq((), Concrete("str") if value.hint == "str" else CONCRETE)
    return Seq((), UNKNOWN if isinstance(value, (Unknown, External)) else CONCRETE)


def _instance(m: Machine, value: Instance, node: ast.AST, hook: Hook, via: str) -> Seq:
    method = attributes.find_in_class(m, value.cls, "__iter__")
    if method is not None and not isinstance(method, External):
        made = m.call(attributes.bind(m, method, value, node), [], {}, node)
        if made is not value:
            return iterate(m, made, node, hook, via)
        step = attributes.find_in_class(m, value.cls, "__next__")
        if step is not None:
            return Seq((), m.call(attributes.bind(m, step, value, node), [], {}, node))
    children = nn_containers.iterated(m, value)
    if children is not None:
        return children
    if value.payload is not None:
        return iterate(m, value.payload, node, hook, via)
    getter = attributes.find_in_class(m, value.cls, "__getitem__")
    if getter is not None and not isinstance(getter, External):
        return Seq((), m.call(attributes.bind(m, getter, value, node), [Concrete("int")], {}, node))
    return Seq((), UNKNOWN)


def _class_members(value: Class) -> Seq:
    """Iterating over an Enum class gives its members."""
    found = [v for k, v in value.cells.items() if not k.startswith("_") and isinstance(v, Instance) and v.cls is value]
    return Seq(found) if found else Seq((), UNKNOWN)


def unpack(m: Machine, value: Value, count: int, node: ast.AST) -> list[Value]:
    """`a, b = value` with a fixed number of plain targets: fx reads the number off the bytecode and indexes."""
    if isinstance(value, Union):
        rows = []
        for member in value.members:
            if isinstance(member, (Missing, Const)):
                continue
            try:
                rows.append(unpack(m, member, count, node))
            except PathEnd:
                continue
        return [join(*column) for column in zip(*rows, strict=True)] if rows else [UNKNOWN] * count
    if isinstance(value, Proxy):
        if value.flavour in ("size", "input", "tensor") and value.attr in ("", "shape"):
            if value.param:
                m.emit(Hook.ARITY, node, value, effect=Effect.SILENT, detail=str(count))
        flavour = {"size": "int"}.get(value.flavour, "tensor")
        return [Proxy(flavour, low=value.low) for _ in range(count)]
    seq = m.iterate(value, node, via="unpack")
    if seq.tail is None and len(seq.items) != count:
        raise m.fail("ValueError", node)
    if len(seq.items) > count:
        raise m.fail("ValueError", node)
    items = list(seq.items)
    while len(items) < count:
        items.append(seq.tail if seq.tail is not None else UNKNOWN)
    return items


from fxlint.interp import attributes, builtin_types, nn_containers  # noqa: E402
