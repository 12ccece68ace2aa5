"""torch.nn.Module: registration, attributes, and what a call of a module does under trace.

Calling a module records one call_module when it is a leaf (torch's own classes but Sequential, and what the user
configured); otherwise its hooks and its forward are entered. Either way fx must be able to name it, so a module that
the root's tree does not hold is refused. Parameters read from a module are Proxies, buffers are real tensors.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    UNKNOWN,
    UNNAMED,
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
                held.extend(v for _, v in current.payload.every_entry())
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
        found.extend((str(k.value) if isinstance(k, Const) else "", v) for k, v in owner.payload.every_entry())
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
        if isinstance(value, Value) and name != UNNAMED:
            made.cells[builtin_types.key_of(Const(name))] = (Const(name), value)
    spare = owner.cells.get(UNNAMED)
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
        return nn_methods.method(m, owner, "forward", args, kwargs, node)
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
    builtin_types,
    calls,
    classes,
    externals,
    functions,
    nn_containers,
    nn_methods,
    torch_facts,
)
