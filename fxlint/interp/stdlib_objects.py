"""copy, dataclasses, contextlib, inspect, types: objects that are copied, filled, looked through."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.library import Model
from fxlint.interp.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    List,
    NativeMethod,
    Proxy,
    RealTensor,
    Seq,
    Tuple,
    Value,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _copy(deep: bool) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        value = args[0] if args else UNKNOWN
        proxy = may_be_proxy(value)
        if proxy is not None and deep:
            m.emit(Hook.COPY, node, proxy, subject=node, via="copy.deepcopy", effect=Effect.BREAKS_LATER)
            return value
        return join(*[_clone(m, v, deep, {}) for v in members(value)])

    return run


def _clone(m: Machine, value: Value, deep: bool, seen: dict[int, Value]) -> Value:
    """A copy with an identity of its own; deep copies follow containers and instances."""
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, List):
        made_list = List((), None, value.type_name)
        seen[id(value)] = made_list
        items = [_clone(m, v, deep, seen) if deep else v for v in value.seq.items]
        tail = value.seq.tail
        made_list.cells["seq"] = Seq(items, _clone(m, tail, deep, seen) if deep and tail is not None else tail)
        return made_list
    if isinstance(value, Dict):
        made_dict = builtin_types.copy_dict(value)
        seen[id(value)] = made_dict
        if deep:
            for cell, entry in made_dict.cells.items():
                made_dict.cells[cell] = (entry[0], _clone(m, entry[1], True, seen))
        return made_dict
    if isinstance(value, Tuple) and deep:
        return Tuple((_clone(m, v, True, seen) for v in value.seq.items), value.seq.tail, value.cls)
    if isinstance(value, Instance) and len(seen) < 400:
        made = Instance(value.cls)
        seen[id(value)] = made
        made.payload = _clone(m, value.payload, deep, seen) if value.payload is not None else None
        made.provenance, made.settled, made.dynamic = value.provenance, True, value.dynamic
        made.hooks, made.native = list(value.hooks), dict(value.native)
        for name, cell in value.cells.items():
            copied = (
                join(*[_clone(m, v, True, seen) for v in members(cell)]) if deep and isinstance(cell, Value) else cell
            )
            made.cells[name] = copied
            if isinstance(copied, Value):
                nn_containers.adopt(m, made, copied)
        if isinstance(made.payload, List):
            for child in made.payload.seq.every():
                nn_containers.adopt(m, made, child)
        return made
    return value


def _field(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    factory = kwargs.get("default_factory")
    if factory is not None:
        return NativeMethod(factory, "<field>")
    return kwargs.get("default", UNKNOWN)


def _replace(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = _clone(m, args[0], False, {}) if args else UNKNOWN
    if isinstance(made, Instance):
        for name, value in kwargs.items():
            attribute_writes.plain_write(m, made, name, value, node)
    return made


def _fields(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, Class):
        return UNKNOWN
    found = []
    for name, _ in classes.fields_of(cls):
        field = Instance(External("dataclasses.Field"))
        field.cells["name"] = Const(name)
        field.settled = True
        found.append(field)
    return Tuple(found)


def _is_dataclass(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    cls = value.cls if isinstance(value, Instance) else value
    if isinstance(cls, Class):
        return Const(any(isinstance(b, Class) and "<dataclass>" in b.cells for b in cls.mro))
    return FALSE if isinstance(value, (Proxy, Const, List, Dict, Tuple, RealTensor)) else Concrete("bool")


def _asdict(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        return nn_modules.instance_dict(m, args[0])
    return UNKNOWN


def _nullcontext(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Generator(lambda: Seq([args[0] if args else NONE]))


def _unwrap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    while isinstance(value, Function) and value.wrapped is not None:
        value = value.wrapped
    return value


def _new_type(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return External("<identity>")


def _namespace(m: Machine, kwargs: dict[str, Value]) -> Value:
    made = Instance(External("types.SimpleNamespace"))
    made.cells.update(kwargs)
    made.settled = True
    return made


TABLE: dict[str, Model] = {
    "copy.copy": _copy(False),
    "copy.deepcopy": _copy(True),
    "dataclasses.field": _field,
    "dataclasses.replace": _replace,
    "dataclasses.fields": _fields,
    "dataclasses.asdict": _asdict,
    "dataclasses.is_dataclass": _is_dataclass,
    "contextlib.nullcontext": _nullcontext,
    "inspect.unwrap": _unwrap,
    "typing.NewType": _new_type,
    "types.SimpleNamespace": lambda m, a, k, n: _namespace(m, k),
    "importlib.import_module": lambda m, a, k, n: (
        modules.import_module(m, str(a[0].value), m.frame.module) if a and isinstance(a[0], Const) else UNKNOWN
    ),
}


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_types,
    classes,
    modules,
    nn_containers,
    nn_modules,
)
