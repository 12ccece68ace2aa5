"""torch.nn.Module: registration, attributes, and what a call of a module does under trace.

Calling a module records one call_module when it is a leaf (torch's own classes but Sequential, and what the user
configured); otherwise its hooks and its forward are entered. Either way fx must be able to name it, so a module that the
root's tree does not hold is refused. Parameters read from a module are Proxies, buffers are real tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    NONE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Instance,
    List,
    ParameterValue,
    Proxy,
    RealTensor,
    Super,
    Tuple,
    Value,
    holds_proxy,
    is_none,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


# ---- construction and registration


def initialise(m: Machine, made: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> None:
    """The torch part of `__init__`."""
    if nn_containers.initialise(m, made, args, kwargs, node):
        return
    made.native["args"] = (tuple(args), dict(kwargs))


def construct(m: Machine, cls: External, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Instance:
    """An instance of one of torch's own module classes."""
    made = Instance(cls)
    initialise(m, made, args, kwargs, node)
    classes.settle(m, made, args, kwargs)
    if m.tracing:
        proxy = calls.proxy_among(args, kwargs)
        if proxy is not None and not nn_containers.form(m, cls):
            m.emit(
                Hook.FOREIGN, node, proxy, via=f"the constructor of {cls.path.rpartition('.')[2]}", error="TypeError"
            )
    return made


def on_write(m: Machine, owner: Instance, name: str, value: Value, node: ast.AST) -> None:
    """Registration by assignment."""
    if classes.is_module_class(m, owner.cls):
        nn_containers.adopt(m, owner, value)
        if name == "forward" and not m.tracing:
            owner.native["forward"] = m.span(node, m.frame.module)
        if isinstance(value, Proxy) and isinstance(owner.cells.get(name), RealTensor):
            m.emit(Hook.STATE, node, value, subject=node, effect=Effect.SILENT, via="buffer")


def on_read(m: Machine, owner: Instance, name: str, value: Value, node: ast.AST) -> Value:
    """What the patched `Module.__getattr__` gives while tracing: a Parameter becomes a Proxy."""
    if not m.tracing:
        return value
    if any(isinstance(v, ParameterValue) for v in members(value)) and classes.is_module_class(m, owner.cls):
        custom = attributes.find_in_class(m, owner.cls, "__getattr__")
        if isinstance(custom, Function) and bypasses_super(m, custom):
            m.emit(Hook.GETATTR_NO_SUPER, node, subject=f"self.{name}", effect=Effect.SILENT)
            return RealTensor("derived")
        return join(*[Proxy("parameter", source=name) if isinstance(v, ParameterValue) else v for v in members(value)])
    return value


def bypasses_super(m: Machine, custom: Function) -> bool:
    """Whether a `__getattr__` looks into `_parameters` itself and never asks nn.Module."""
    text = custom.module.source.segment(custom.node)
    return "_parameters" in text and "__getattr__(" not in text.replace("def __getattr__(", "")


def subtree(m: Machine, root: Instance) -> set[int]:
    """Serials of the modules that the root's tree holds."""
    found: set[int] = set()
    pending: list[Instance] = [root]
    while pending:
        current = pending.pop()
        if current.serial in found:
            continue
        found.add(current.serial)
        held: list[Value] = [v for v in current.cells.values() if isinstance(v, Value)]
        if nn_containers.form(m, current.cls) is not None:
            if isinstance(current.payload, List):
                held.extend(current.payload.seq.every())
            elif isinstance(current.payload, Dict):
                held.extend(v for _, v in nn_containers.builtin_types_entries(current.payload))
        for value in held:
            pending.extend(v for v in members(value) if isinstance(v, Instance) and classes.is_module_class(m, v.cls))
    return found


def named_children(m: Machine, owner: Instance) -> list[tuple[str, Value]]:
    """Registered children with their names."""
    found: list[tuple[str, Value]] = []
    if isinstance(owner.payload, List):
        found.extend((str(i), v) for i, v in enumerate(owner.payload.seq.items))
        if owner.payload.seq.tail is not None:
            found.append(("", owner.payload.seq.tail))
    elif isinstance(owner.payload, Dict):
        found.extend(
            (str(k.value) if isinstance(k, Const) else "", v)
            for k, v in nn_containers.builtin_types_entries(owner.payload)
        )
    for name, value in owner.cells.items():
        if isinstance(value, Value) and any(
            isinstance(v, Instance) and classes.is_module_class(m, v.cls) for v in members(value)
        ):
            found.append((name, value))
    return found


# ---- attributes


def instance_dict(m: Machine, owner: Instance) -> Value:
    """`vars(self)`: plain attributes, without what modules register elsewhere."""
    made = Dict()
    for name, value in owner.cells.items():
        if isinstance(value, Value) and name != "<any>":
            made.cells[builtin_types.key_of(Const(name))] = (Const(name), value)
    spare = owner.cells.get("<any>")
    if isinstance(spare, Value):
        made.cells["rest"] = (Concrete("str"), spare)
    elif owner.dynamic:
        made.cells["rest"] = (Concrete("str"), UNKNOWN)
    made.mirror = owner
    return made


def attribute(m: Machine, owner: Value, name: str, node: ast.AST) -> Value | None:
    """An attribute that torch's own classes give an instance."""
    if not isinstance(owner, Instance) or not classes.is_module_class(m, owner.cls):
        return externals.instance_attribute(m, owner, name) if isinstance(owner, Instance) else None
    if name == "training":
        m.emit(Hook.TRAINING, node, subject=node, effect=Effect.SILENT)
        return FALSE if m.constant_arguments else Concrete("training")
    if name in ("_modules", "_parameters", "_buffers", "_non_persistent_buffers_set"):
        return _registry(m, owner, name)
    if name in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_is_hf_initialized", "_version"):
        return CONCRETE
    if name == "__class__":
        return owner.cls
    for path in classes.externals(owner.cls):
        found = torch_facts.module_attribute(m, owner, path, name)
        if found is not None:
            owner.cells[name] = found
            return on_read(m, owner, name, found, node)
        if path != "torch.nn.Module" and not name.startswith("__") and m.torch.module_class(path) is None:
            return UNKNOWN
    return None


def _registry(m: Machine, owner: Instance, name: str) -> Value:
    made = Dict("OrderedDict")
    if name == "_modules":
        for key, child in named_children(m, owner):
            builtin_types.set_item(m, made, Const(key) if key else UNKNOWN, child)
        return made
    wanted = ParameterValue if name == "_parameters" else RealTensor
    for key, value in owner.cells.items():
        if isinstance(value, wanted):
            builtin_types.set_item(m, made, Const(key), value)
    if owner.dynamic or "args" in owner.native:
        made.cells["rest"] = (
            Concrete("str"),
            ParameterValue(True) if wanted is ParameterValue else RealTensor("buffer"),
        )
    return made


# ---- methods of nn.Module

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
        return enter(m, owner, args, kwargs, node)
    if name == "forward":
        return library_forward(m, owner, args, kwargs, node)
    if name in _SAME:
        return owner
    if name in ("register_buffer", "register_parameter", "add_module", "register_module"):
        return _register(m, owner, name, args, kwargs, node)
    if name in ("register_forward_hook", "register_forward_pre_hook"):
        at = m.span(node, m.frame.module)
        owner.hooks.append((name, args[0] if args else UNKNOWN, at))
        attributes.mark_changed(owner)
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
        attributes.plain_write(m, owner, key, args[1] if len(args) > 1 else UNKNOWN, node)
        return NONE
    if name == "__delattr__":
        attributes.delete(m, owner, key)
        return NONE
    cell = owner.cells.get(key)
    if isinstance(cell, Value):
        return on_read(m, owner, key, cell, node)
    found = attribute(m, owner, key, node)
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
            attributes.plain_write(m, owner, str(key_member.value), value, node)
    nn_containers.adopt(m, owner, value)
    if not all(isinstance(k, Const) for k in members(key)):
        owner.dynamic = True
        spare = owner.cells.get("<any>")
        m.heap.write(owner, "<any>", join(value, spare) if isinstance(spare, Value) else value)
    return NONE


def _walk(m: Machine, owner: Instance, name: str) -> Value:
    named = name.startswith("named")
    if name.endswith("children"):
        pairs = named_children(m, owner)
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
            for key, child in named_children(m, current):
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
        return enter(m, owner, args, kwargs, node)
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
        return List(m.iterate(payload, node).items, m.iterate(payload, node).tail)
    return builtin_types.method(m, payload, name, args, kwargs, node)


# ---- calls


def is_leaf(m: Machine, owner: Instance) -> bool:
    """Whether fx records the module as one call_module."""
    if isinstance(owner.cls, External):
        return not (nn_containers.form(m, owner.cls) or owner.cls.path == "torch.nn.Module")
    names_ = {owner.cls.name, f"{owner.cls.module.name}.{owner.cls.qualname}"}
    return bool(names_ & set(m.config.leaf_modules))


def call_instance(m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`instance(*args, **kwargs)`."""
    custom = attributes.find_in_class(m, owner.cls, "__call__") if isinstance(owner.cls, Class) else None
    if classes.is_module_class(m, owner.cls):
        if isinstance(custom, Function):
            return m.call(custom, [owner, *args], kwargs, node)
        return enter(m, owner, args, kwargs, node)
    if custom is not None and not isinstance(custom, External):
        return m.call(attributes.bind(m, custom, owner, node), args, kwargs, node)
    if isinstance(owner.cls, External):
        return externals.call_instance(m, owner, args, kwargs, node)
    if owner.dynamic:
        return functions.give_up(args, kwargs)
    raise m.fail("TypeError", node)


def enter(m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """nn.Module.__call__ under trace (while building: simply forward)."""
    compiled = owner.native.get("compiled")
    if m.tracing:
        if compiled == "torch.compile":
            m.emit(Hook.COMPILED, node, calls.proxy_among(args, kwargs), subject=_callee(m, node), via=compiled)
            return Proxy("tensor")
        if compiled is not None or owner.native.get("opaque"):
            return Proxy("tensor")
        if owner.serial not in m.tree and owner is not m.root:
            m.emit(Hook.UNREGISTERED_MODULE, node, subject=_callee(m, node), via=_class_name(owner))
        if is_leaf(m, owner):
            for value in (*args, *kwargs.values()):
                calls.check_argument(m, calls._plain(value), node)
            proxy = calls.proxy_among(args, kwargs)
            return Proxy(torch_facts.leaf_flavour(owner), origin=proxy.origin if proxy is not None else None)
    elif isinstance(owner.cls, External) and not nn_containers.form(m, owner.cls):
        return RealTensor("plain")
    pre = [h for h in owner.hooks if h[0] == "register_forward_pre_hook"]
    for _, function, _at in pre:
        given = m.call(function, [owner, Tuple(a for a in args if not isinstance(a, functions.Star))], {}, node)
        for replaced in members(given):
            if isinstance(replaced, Tuple):
                args = list(replaced.seq.items)
            elif not is_none(replaced):
                args = [replaced]
    result = run_forward(m, owner, args, kwargs, node)
    for kind, function, _at in owner.hooks:
        if kind == "register_forward_hook":
            given = m.call(
                function, [owner, Tuple(a for a in args if not isinstance(a, functions.Star)), result], {}, node
            )
            if not is_none(given):
                result = join(*[result if is_none(v) else v for v in members(given)])
    return result


def _callee(m: Machine, node: ast.AST) -> ast.AST:
    return node.func if isinstance(node, ast.Call) else node


def _class_name(owner: Instance) -> str:
    return owner.cls.name if isinstance(owner.cls, Class) else owner.cls.path.rpartition(".")[2]


def _carries_proxy(values: Sequence[Value]) -> bool:
    """Whether a Proxy comes in, as an argument or as an attribute of a plain object."""
    for value in values:
        for member in members(calls._plain(value)):
            if holds_proxy(member) is not None:
                return True
            if isinstance(member, Instance) and any(
                isinstance(v, Value) and holds_proxy(v) is not None for v in member.cells.values()
            ):
                return True
    return False


def run_forward(m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Enter the forward that Python finds: assigned on the instance, the class's, or the library's."""
    if isinstance(owner.cls, Class) and m.tracing and _carries_proxy((*args, *kwargs.values())):
        m.reached.add(f"{owner.cls.module.name}.{owner.cls.qualname}")
    assigned = owner.cells.get("forward")
    if isinstance(assigned, Value):
        return m.call(assigned, args, kwargs, node)
    found = attributes.find_in_class(m, owner.cls, "forward")
    if found is None or isinstance(found, External):
        if owner.dynamic and not isinstance(found, External):
            return functions.give_up(args, kwargs)
        return method(m, owner, "forward", args, kwargs, node)
    return m.call(attributes.bind(m, found, owner, node), args, kwargs, node)


def library_forward(
    m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """Entering a torch module's own forward: some refuse a Proxy, because only a leaf call would hide their checks."""
    for path in classes.externals(owner.cls):
        refusal = torch_facts.forward_refusal(m, path)
        if refusal is not None and m.tracing and calls.proxy_among(args, kwargs) is not None:
            name = path.rpartition(".")[2]
            m.emit(Hook.LEAF_LOST, node, subject=_callee(m, node), via=name, detail=refusal)
            _blame_class(m, owner, name, refusal)
            return Proxy("tensor")
        if torch_facts.reads_training(m, path):
            m.emit(Hook.TRAINING, node, subject=node, effect=Effect.SILENT, via=path.rpartition(".")[2])
    if not m.tracing:
        return RealTensor("plain")
    return Proxy("tensor") if calls.proxy_among(args, kwargs) is not None or isinstance(owner.cls, Class) else UNKNOWN


def _blame_class(m: Machine, owner: Instance, name: str, refusal: str) -> None:
    """The subclass statement is the other half of the cause."""
    cls = owner.cls
    if isinstance(cls, Class) and cls.node is not None and cls.module.checked and cls.node.bases:
        base = cls.node.bases[0]
        m.emit_at(
            Hook.LEAF_LOST,
            m.span(base, cls.module),
            subject=name,
            via=name,
            detail=refusal,
            symbol=f"{cls.module.name}.{cls.qualname}",
        )


from fxlint.interp import (  # noqa: E402
    attributes,
    builtin_functions,
    builtin_types,
    calls,
    classes,
    externals,
    functions,
    membership,
    nn_containers,
    subscripts,
    torch_facts,
)
