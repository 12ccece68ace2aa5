"""Attributes as they are read, in the order in which Python looks: data descriptors, instance, class, `__getattr__`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    UNNAMED,
    BoundMethod,
    Class,
    Concrete,
    Const,
    Descriptor,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    Lazy,
    List,
    Missing,
    ModuleValue,
    NativeMethod,
    ParameterValue,
    Partial,
    Proxy,
    RealTensor,
    Super,
    Tuple,
    Union,
    Value,
    join,
    without,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def read(m: Machine, value: Value, name: str, node: ast.AST) -> Value:
    """`value.name`."""
    if isinstance(value, Union):
        results = []
        for member in value.members:
            if isinstance(member, Missing):
                continue
            try:
                results.append(read(m, member, name, node))
            except PathEnd:
                continue
        if not results:
            raise PathEnd("AttributeError")
        return join(*results)
    if isinstance(value, Instance):
        found = instance_attribute(m, value, name, node)
        if found is None:
            raise m.fail("AttributeError", node)
        return found
    if isinstance(value, Proxy):
        return proxy_attributes.proxy_attribute(m, value, name, node)
    if isinstance(value, Class):
        found = class_attribute(m, value, name, node)
        if found is not None:
            return found
        if value.complete and not externals_hide(value):
            raise m.fail("AttributeError", node)
        return UNKNOWN
    if isinstance(value, ModuleValue):
        return modules.member(m, value, name)
    if isinstance(value, External):
        return externals.attribute(m, value, name, node)
    if isinstance(value, Super):
        return _super_attribute(m, value, name, node)
    if isinstance(value, RealTensor):
        return torch_calls.real_attribute(m, value, name)
    if isinstance(value, ParameterValue):
        return torch_calls.real_attribute(m, RealTensor("folded"), name)
    if isinstance(value, Tuple):
        return _tuple_attribute(m, value, name, node)
    if isinstance(value, Const):
        if value.value is None:
            raise m.fail("AttributeError", node)
        if not hasattr(value.value, name):
            raise m.fail("AttributeError", node)
        plain = getattr(value.value, name)
        return (
            builtin_types.from_host(plain)
            if isinstance(plain, (int, float, str)) and not callable(plain)
            else NativeMethod(value, name)
        )
    if isinstance(value, Function):
        return _function_attribute(value, name)
    if isinstance(value, Partial):
        return {"func": value.function, "args": Tuple(value.args)}.get(name, UNKNOWN)
    if isinstance(value, (List, Dict, Generator, Descriptor)):
        return NativeMethod(value, name)
    if isinstance(value, BoundMethod):
        if name == "__self__":
            return value.owner
        return value.function if name == "__func__" else read(m, value.function, name, node)
    if isinstance(value, NativeMethod):
        return UNKNOWN if name != "__name__" else Const(value.name)
    return CONCRETE if isinstance(value, Concrete) else UNKNOWN


def externals_hide(cls: Class) -> bool:
    """Whether library ancestors may hold attributes that are not modelled."""
    return bool(classes.externals(cls))


def find_in_class(m: Machine, cls: Class | External, name: str) -> Value | None:
    """Class-level lookup along the MRO; an External stands for "the library has it"."""
    if isinstance(cls, External):
        return External(f"{cls.path}.{name}") if externals.has_member(m, cls.path, name) else None
    for base in cls.mro:
        if isinstance(base, Class):
            found = base.cells.get(name)
            if isinstance(found, Lazy):
                found = found.compute()
                base.cells[name] = found
            if isinstance(found, Value) and not isinstance(found, Missing):
                return found
        elif isinstance(base, External) and externals.has_member(m, base.path, name):
            return External(f"{base.path}.{name}")
    return None


def bind(m: Machine, found: Value, owner: Value, node: ast.AST) -> Value:
    """What reading a class attribute through an instance gives."""
    if isinstance(found, Union):
        return join(*[bind(m, f, owner, node) for f in found.members])
    if isinstance(found, Function):
        return BoundMethod(found, owner)
    if isinstance(found, Descriptor):
        if found.form == "staticmethod":
            return found.getter
        if found.form == "classmethod":
            return BoundMethod(found.getter, owner.cls if isinstance(owner, Instance) else owner)
        return m.call(found.getter, [owner], {}, node)
    if isinstance(found, External):
        return NativeMethod(owner, found.path.rpartition(".")[2])
    if (
        isinstance(found, Partial)
        and isinstance(found.function, External)
        and found.function.path == "functools.partialmethod"
    ):
        return UNKNOWN
    return found


def instance_attribute(m: Machine, value: Instance, name: str, node: ast.AST) -> Value | None:
    """An attribute of an instance; None when there is surely none."""
    found = find_in_class(m, value.cls, name)
    if isinstance(found, Descriptor) and found.form == "property":
        return _property(m, value, found, name, node)
    cell = value.cells.get(name)
    if isinstance(cell, Lazy):
        cell = cell.compute()
        value.cells[name] = cell
    if isinstance(cell, Value):
        kept = without(cell, lambda v: isinstance(v, Missing))
        if kept is not None:
            stored = nn_modules.on_read(m, value, name, kept, node)
            if kept is cell:
                return stored
            fallback = None if found is None else bind(m, found, value, node)
            return stored if fallback is None else join(stored, fallback)
    if name == "__class__":
        return value.cls
    if name == "__doc__":
        return Concrete("str")
    if name == "__dict__":
        return nn_modules.instance_dict(m, value)
    if isinstance(found, Descriptor) and found.form == "cached_property":
        result = m.call(found.getter, [value], {}, node)
        m.heap.write(value, name, result)
        return result
    if found is not None and not isinstance(found, External):
        return bind(m, found, value, node)
    native = nn_modules.attribute(m, value, name, node)
    if native is not None:
        return native
    if isinstance(found, External):
        return bind(m, found, value, node)
    if value.payload is not None and not name.startswith("__"):
        try:
            if isinstance(value.payload, Tuple) and value.payload.cls is not None:
                return _tuple_attribute(m, value.payload, name, node)
            if isinstance(value.payload, (Dict, List)) and hasattr(_HOSTS[type(value.payload)], name):
                return NativeMethod(value.payload, name)
        except PathEnd:
            pass
    if isinstance(value.payload, Const):
        return read(m, value.payload, name, node)
    custom = find_in_class(m, value.cls, "__getattr__")
    if isinstance(custom, Function):
        if nn_modules.bypasses_super(m, custom):
            m.emit(Hook.GETATTR_NO_SUPER, node, subject=f"self.{name}", effect=Effect.SILENT)
        return m.call(custom, [value, Const(name)], {}, node)
    if isinstance(custom, External) and custom.path.startswith("builtins.") and not name.startswith("__"):
        return m.call(custom, [value, Const(name)], {}, node)
    spare = value.cells.get(UNNAMED)
    if isinstance(spare, Value):
        return spare
    if value.dynamic:
        return UNKNOWN
    return None


_HOSTS: dict[type, type] = {Dict: dict, List: list}


def _property(m: Machine, value: Instance, found: Descriptor, name: str, node: ast.AST) -> Value:
    if isinstance(found.getter, (Function, BoundMethod, Partial)):
        return m.call(found.getter, [value], {}, node)
    return UNKNOWN


def class_attribute(m: Machine, value: Class, name: str, node: ast.AST) -> Value | None:
    """An attribute read off a class."""
    if name == "__name__":
        return Const(value.name)
    if name == "__mro__":
        return Tuple(value.mro)
    if name == "__bases__":
        return Tuple(value.bases)
    if name == "__members__":
        made = Dict()
        for key, member in value.cells.items():
            if isinstance(member, Instance) and member.cls is value:
                builtin_types.set_item(m, made, Const(key), member)
        return made
    if name == "__annotations__":
        return CONCRETE
    found = find_in_class(m, value, name)
    if found is None:
        return None
    if name == "apply" and isinstance(found, External):
        return NativeMethod(value, name)
    if isinstance(found, Descriptor):
        if found.form == "staticmethod":
            return found.getter
        if found.form == "classmethod":
            return BoundMethod(found.getter, value)
        return found
    return found


def _super_attribute(m: Machine, value: Super, name: str, node: ast.AST) -> Value:
    owner = value.owner
    cls = owner.cls if isinstance(owner, Instance) else owner
    if not isinstance(cls, Class):
        return UNKNOWN
    chain = list(cls.mro)
    start = next((i for i, b in enumerate(chain) if b is value.after), None)
    if start is None:
        return UNKNOWN
    for base in chain[start + 1 :]:
        if isinstance(base, Class):
            found = base.cells.get(name)
            if isinstance(found, Value):
                return bind(m, found, owner, node) if isinstance(owner, Instance) else class_bind(found, owner)
        elif isinstance(base, External) and externals.has_member(m, base.path, name):
            return NativeMethod(Super(value.after, owner), name)
    if name in (
        "__init__",
        "__new__",
        "__init_subclass__",
        "__setattr__",
        "__getattr__",
        "__getattribute__",
        "__delattr__",
        "__post_init__",
        "__repr__",
        "__enter__",
        "__exit__",
        "__getitem__",
        "__setitem__",
        "__call__",
        "forward",
        "train",
        "__len__",
        "__iter__",
        "__contains__",
        "__dir__",
    ):
        return NativeMethod(Super(value.after, owner), name)
    if not cls.complete or externals_hide(cls):
        if isinstance(owner, Instance) and isinstance(owner.payload, (Dict, List, Tuple)):
            return NativeMethod(owner.payload, name)
        native = nn_modules.attribute(m, owner, name, node) if isinstance(owner, Instance) else None
        return native if native is not None else UNKNOWN
    raise m.fail("AttributeError", node)


def class_bind(found: Value, owner: Value) -> Value:
    """Binding through a class: classmethods get the class."""
    if isinstance(found, Descriptor):
        return BoundMethod(found.getter, owner) if found.form == "classmethod" else found.getter
    return found


def _tuple_attribute(m: Machine, value: Tuple, name: str, node: ast.AST) -> Value:
    fields = value.cls.keywords.get("fields") if value.cls is not None else None
    if isinstance(fields, Tuple):
        for field, item in zip(fields.seq.items, value.seq.items, strict=False):
            if isinstance(field, Const) and field.value == name:
                return item
        if name == "_fields":
            return fields
    if value.cls is not None:
        found = value.cls.cells.get(name)
        if isinstance(found, Value):
            return bind(m, found, value, node)
    if hasattr(tuple, name) or name in ("numel", "_asdict", "_replace"):
        return NativeMethod(value, name)
    raise m.fail("AttributeError", node)


def _function_attribute(value: Function, name: str) -> Value:
    if name == "__name__":
        return Const(value.name)
    if name == "__module__":
        return Const(value.module.name)
    if name == "__qualname__":
        return Const(value.qualname)
    if name == "__wrapped__" and value.wrapped is not None:
        return value.wrapped
    if name == "__doc__":
        return Concrete("str")
    if name == "__code__" or name == "__defaults__":
        return CONCRETE
    return value.attrs.get(name, UNKNOWN)


from fxlint.interp import (  # noqa: E402
    builtin_types,
    classes,
    externals,
    modules,
    nn_modules,
    proxy_attributes,
    torch_calls,
)
