"""Methods of torch.nn.Module that code calls by name: registration, walks over the tree, what `super()` finds.

Those that read parameters give what a trace bakes; those that convert or move a module give the module itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    Instance,
    List,
    ParameterValue,
    RealTensor,
    Super,
    Tuple,
    Value,
    is_none,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


_SAME = frozenset(
    {
        "to",
        "cuda",
        "cpu",
        "eval",
        "train",
        "half",
        "float",
        "double",
        "bfloat16",
        "requires_grad_",
        "type",
        "share_memory",
        "to_empty",
        "xpu",
        "ipu",
    }
)
_QUIET = frozenset(
    {
        "zero_grad",
        "load_state_dict",
        "compile",
        "register_load_state_dict_post_hook",
        "_register_load_state_dict_pre_hook",
        "_register_state_dict_hook",
        "register_state_dict_post_hook",
        "set_extra_state",
        "__setstate__",
        "_load_from_state_dict",
        "_save_to_state_dict",
        "extra_repr",
        "_get_name",
        "register_full_backward_hook",
        "register_backward_hook",
        "register_load_state_dict_pre_hook",
        "register_state_dict_pre_hook",
    }
)


def method(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """Call a method that torch (or another library) gives an instance."""
    if not classes.is_module_class(m, owner.cls):
        return externals.instance_method(m, owner, name, args, kwargs, node)
    found = nn_containers.method(m, owner, name, args, kwargs, node)
    if found is not None:
        return found
    if name == "__call__":
        return nn_modules.enter(m, owner, args, kwargs, node)
    if name == "forward":
        return nn_modules.library_forward(m, owner, args, kwargs, node)
    if name in _SAME:
        return owner
    if name in ("register_buffer", "register_parameter", "add_module", "register_module"):
        return _register(m, owner, name, args, kwargs, node)
    if name in ("register_forward_hook", "register_forward_pre_hook"):
        at = m.span(node, m.frame.module)
        owner.hooks.append((name, args[0] if args else UNKNOWN, at))
        attribute_writes.mark_changed(owner)
        return CONCRETE
    if name in ("children", "named_children", "modules", "named_modules"):
        return _walk(m, owner, name)
    if name in ("parameters", "named_parameters", "buffers", "named_buffers", "state_dict"):
        return _tensors(m, owner, name, node)
    if name == "apply":
        return owner
    if name in ("get_submodule", "get_parameter", "get_buffer") and args and isinstance(args[0], Const):
        value: Value = owner
        for part in str(args[0].value).split("."):
            value = m.getattr(value, part, node) if part else value
        return value
    if name in ("__setattr__", "__getattr__", "__delattr__") and args and isinstance(args[0], Const):
        return _raw(m, owner, name, str(args[0].value), args, node)
    if name in _QUIET:
        return NONE
    return torch_facts.module_method(m, owner, name, args, kwargs, node)


def _raw(m: Machine, owner: Instance, name: str, key: str, args: Sequence[Value], node: ast.AST) -> Value:
    if name == "__setattr__":
        attribute_writes.plain_write(m, owner, key, args[1] if len(args) > 1 else UNKNOWN, node)
        return NONE
    if name == "__delattr__":
        attribute_writes.delete(m, owner, key)
        return NONE
    cell = owner.cells.get(key)
    if isinstance(cell, Value):
        return nn_modules.on_read(m, owner, key, cell, node)
    found = nn_modules.attribute(m, owner, key, node)
    if found is not None:
        return found
    if owner.dynamic:
        return UNKNOWN
    raise m.fail("AttributeError", node)


def _register(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    values = [*args, *kwargs.values()]
    key = args[0] if args else kwargs.get("name", UNKNOWN)
    value = (
        args[1] if len(args) > 1 else next((kwargs[k] for k in ("tensor", "param", "module") if k in kwargs), UNKNOWN)
    )
    if name == "register_buffer":
        value = join(*[v if is_none(v) else RealTensor("buffer") for v in members(value)]) if values else UNKNOWN
    elif name == "register_parameter":
        value = join(*[v if is_none(v) else ParameterValue(True) for v in members(value)])
    for key_member in members(key):
        if isinstance(key_member, Const):
            attribute_writes.plain_write(m, owner, str(key_member.value), value, node)
    nn_containers.adopt(m, owner, value)
    if not all(isinstance(k, Const) for k in members(key)):
        attribute_writes.write_unnamed(m, owner, value)
    return NONE


def _walk(m: Machine, owner: Instance, name: str) -> Value:
    named = name.startswith("named")
    if name.endswith("children"):
        pairs = nn_modules.named_children(m, owner)
    else:
        pairs = []
        pending: list[tuple[str, Value]] = [("", owner)]
        seen: set[int] = set()
        while pending:
            prefix, current = pending.pop(0)
            if not isinstance(current, Instance) or current.serial in seen or len(seen) > 200:
                continue
            seen.add(current.serial)
            pairs.append((prefix, current))
            for key, child in nn_modules.named_children(m, current):
                pending.extend(
                    (f"{prefix}.{key}" if prefix else key, v) for v in members(child) if isinstance(v, Instance)
                )
    items: list[Value] = [Tuple((Const(k), v)) if named else v for k, v in pairs]
    return List(items, UNKNOWN if owner.dynamic else None)


def _tensors(m: Machine, owner: Instance, name: str, node: ast.AST) -> Value:
    if m.tracing and name != "buffers" and name != "named_buffers":
        m.emit(Hook.STATE_DICT, node, subject=node, via=name, effect=Effect.SILENT)
    if name == "state_dict":
        made = Dict("OrderedDict")
        made.cells["rest"] = (Concrete("str"), RealTensor("derived"))
        return made
    value: Value = ParameterValue(True) if "param" in name else RealTensor("buffer")
    return List((), Tuple((Concrete("str"), value)) if name.startswith("named") else value)


def super_method(
    m: Machine, bound: Super, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """`super().name(...)` where the next class with it is a library's."""
    owner = bound.owner
    if not isinstance(owner, Instance):
        if name == "__new__" and args and isinstance(args[0], Class):
            return classes.blank(args[0])
        return NONE if name == "__init_subclass__" else UNKNOWN
    if name == "__init__":
        classes.native_init(m, owner, args, kwargs, node)
        return NONE
    if name == "__new__":
        return classes.blank(owner.cls) if isinstance(owner.cls, Class) else UNKNOWN
    if (
        name in ("__setattr__", "__getattr__", "__getattribute__", "__delattr__")
        and args
        and isinstance(args[0], Const)
    ):
        if name == "__getattribute__":
            return m.getattr(owner, str(args[0].value), node)
        if owner.payload is None or classes.is_module_class(m, owner.cls) or name != "__getattr__":
            return _raw(m, owner, name, str(args[0].value), args, node)
    if owner.payload is not None and nn_containers.form(m, owner.cls) is None:
        return _payload_method(m, owner, name, args, kwargs, node)
    if name == "__post_init__":
        return NONE
    if name == "__call__" and classes.is_module_class(m, owner.cls):
        return nn_modules.enter(m, owner, args, kwargs, node)
    if name in ("__enter__", "__exit__", "__repr__", "__init_subclass__"):
        return owner if name == "__enter__" else CONCRETE
    return method(m, owner, name, args, kwargs, node)


def _payload_method(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    payload = owner.payload
    if payload is None:
        return UNKNOWN
    if name == "__getitem__" and args:
        return subscripts.load(m, payload, args[0], node)  # type: ignore[arg-type]
    if name == "__setitem__" and len(args) == 2:
        subscripts.store(m, payload, args[0], args[1], node)  # type: ignore[arg-type]
        return NONE
    if name == "__contains__" and args:
        return membership.contains(m, args[0], payload, node)  # type: ignore[arg-type]
    if name == "__len__":
        return builtin_functions.call_by_name(m, "len", [payload], {}, node)
    if name == "__iter__":
        return builtin_functions.call_by_name(m, "iter", [payload], {}, node)
    return builtin_methods.method(m, payload, name, args, kwargs, node)


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_functions,
    builtin_methods,
    classes,
    externals,
    membership,
    nn_containers,
    nn_modules,
    subscripts,
    torch_facts,
)
