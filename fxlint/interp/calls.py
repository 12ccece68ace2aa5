"""Calls: dispatch on what is called.

read function, method, class     entered
leaf module                      one call_module: a Proxy, not entered
other module                     its forward (and hooks) is entered
torch function, Tensor method    the torch model says what a Proxy argument does
name wrapped by torch.fx.wrap    a Proxy, not entered, in the file that wrapped it
unknown                          a Proxy of low confidence when one goes in, else Unknown
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.functions import REST, Star
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
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
    List,
    Missing,
    Mutable,
    NativeMethod,
    ParameterValue,
    Partial,
    Proxy,
    RealTensor,
    Scope,
    Super,
    Tuple,
    Union,
    Value,
    holds_proxy,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def parameters(node: ast.AST) -> list[ast.arg]:
    """All parameters of a definition, in order."""
    spec = getattr(node, "args", None)
    if not isinstance(spec, ast.arguments):
        return []
    found = [*spec.posonlyargs, *spec.args]
    if spec.vararg:
        found.append(spec.vararg)
    found += spec.kwonlyargs
    if spec.kwarg:
        found.append(spec.kwarg)
    return found


def call_node(m: Machine, node: ast.Call) -> Value:
    """Evaluate a call expression."""
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return _super(m, node)
    function = m.eval(node.func)
    args, kwargs = arguments(m, node)
    if m.tracing and isinstance(node.func, ast.Name) and (m.frame.module.path, node.func.id) in m.wrapped:
        proxy = next((p for p in (holds_proxy(_plain(v)) for v in (*args, *kwargs.values())) if p), None)
        if proxy is not None:
            for value in (*args, *kwargs.values()):
                check_argument(m, _plain(value), node)
            return Proxy("tensor")
    return m.call(function, args, kwargs, node)


def arguments(m: Machine, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
    """Evaluate arguments; stars over containers of known length are expanded."""
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            seq = m.iterate(m.eval(argument.value), argument.value, Hook.STAR, "*")
            args.extend(seq.items)
            if seq.tail is not None:
                args.append(Star(seq.tail))
        else:
            args.append(m.eval(argument))
    for keyword in node.keywords:
        value = m.eval(keyword.value)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        else:
            _spread(m, value, kwargs, keyword.value)
    return args, kwargs


def _spread(m: Machine, value: Value, kwargs: dict[str, Value], node: ast.AST) -> None:
    for member in members(value):
        if isinstance(member, Instance) and member.payload is not None:
            member = member.payload
        if isinstance(member, Proxy):
            m.emit(Hook.STAR, node, member, via="**")
            kwargs[REST] = UNKNOWN
        elif isinstance(member, Dict):
            for key, content in member.entries.values():
                if isinstance(key, Const) and isinstance(key.value, str):
                    kept = [v for v in members(content) if not isinstance(v, Missing)]
                    if len(kept) == len(members(content)) and not isinstance(value, Union):
                        kwargs[key.value] = content
                    else:
                        rest = kwargs.get(REST)
                        holder = rest if isinstance(rest, Dict) else Dict()
                        builtin_types.set_item(m, holder, key, join(*kept))
                        kwargs[REST] = holder
            if member.rest is not None:
                kwargs[REST] = member.rest[1] if not isinstance(member.rest[1], Dict) else UNKNOWN
        elif not (isinstance(member, Const) and member.value is None):
            kwargs[REST] = CONCRETE if isinstance(member, Concrete) else UNKNOWN


def _super(m: Machine, node: ast.Call) -> Value:
    if len(node.args) == 2:
        after, owner = m.eval(node.args[0]), m.eval(node.args[1])
        return Super(after, owner) if isinstance(after, Class) else UNKNOWN
    frame = next((f for f in reversed(m.frames) if f.function is not None and f.function.cls is not None), None)
    if frame is None or frame.function is None or frame.function.cls is None:
        return UNKNOWN
    spec = frame.function.node.args
    names_ = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    owner = frame.scope.cells.get(names_[0], UNKNOWN) if names_ else UNKNOWN
    if not names_ and spec.vararg is not None:
        packed = frame.scope.cells.get(spec.vararg.arg)
        owner = packed.seq.items[0] if isinstance(packed, Tuple) and packed.seq.items else UNKNOWN
    return Super(frame.function.cls, owner) if isinstance(owner, Value) else UNKNOWN


def _plain(value: Value) -> Value:
    return value.value if isinstance(value, Star) else value


def proxy_among(args: Sequence[Value], kwargs: dict[str, Value]) -> Proxy | None:
    """A Proxy anywhere in the arguments."""
    for value in (*args, *kwargs.values()):
        found = holds_proxy(_plain(value))
        if found is not None:
            return found
    return None


def call(m: Machine, function: Value, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call any value."""
    if isinstance(function, Function):
        return _read_function(m, function, args, kwargs, node)
    if isinstance(function, BoundMethod):
        return m.call(function.function, [function.owner, *args], kwargs, node)
    if isinstance(function, Class):
        return classes.construct(m, function, args, kwargs, node)
    if isinstance(function, Instance):
        return nn_modules.call_instance(m, function, args, kwargs, node)
    if isinstance(function, External):
        return externals.call(m, function, args, kwargs, node)
    if isinstance(function, NativeMethod):
        return native_method(m, function, args, kwargs, node)
    if isinstance(function, Partial):
        merged = {**function.kwargs, **kwargs}
        return m.call(function.function, [*function.args, *args], merged, node)
    if isinstance(function, Union):
        return _union(m, function, args, kwargs, node)
    if isinstance(function, Proxy):
        return _proxy_method(m, function, args, kwargs, node)
    if isinstance(function, Descriptor):
        return m.call(function.getter, args, kwargs, node)
    if isinstance(function, Concrete):
        found = proxy_among(args, kwargs)
        return Proxy("tensor", low=True) if found is not None else CONCRETE
    if isinstance(function, Const):
        raise m.fail("TypeError", node)
    found = proxy_among(args, kwargs)
    return Proxy("tensor", low=True) if found is not None and m.tracing else UNKNOWN


def _union(m: Machine, function: Union, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    results: list[Value] = []

    def one(member: Value) -> bool:
        results.append(m.call(member, args, kwargs, node))
        return True

    callees = [v for v in function.members if not isinstance(v, (Missing, Const))]
    if not callees:
        raise m.fail("TypeError", node)
    if len(callees) == 1:
        return m.call(callees[0], args, kwargs, node)
    with m.under(node.func if isinstance(node, ast.Call) else "what is called"):
        arrived = m.heap.fork([lambda member=member: one(member) for member in callees])  # type: ignore[misc]
    if not arrived or not results:
        raise PathEnd("TypeError")
    return join(*results)


def _read_function(
    m: Machine, function: Function, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    compiled = function.attrs.get("<compiled>")
    if compiled is not None and m.tracing:
        found = proxy_among(args, kwargs)
        if found is not None:
            m.emit(
                Hook.COMPILED,
                node,
                found,
                subject=function.name,
                via=str(compiled.value) if isinstance(compiled, Const) else "",
            )
            return Proxy("tensor")
    if "<contextmanager>" in function.attrs:
        return functions.invoke(m, function, args, kwargs, node)
    return functions.invoke(m, function, args, kwargs, node)


def _proxy_method(m: Machine, function: Proxy, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Calling an attribute of a Proxy records call_method."""
    for value in (*args, *kwargs.values()):
        check_argument(m, _plain(value), node)
    name = function.attr
    flavour = proxy_attributes.flavour_of(name) if name else "tensor"
    if name in ("size", "stride") and (args or kwargs):
        flavour = "int"
    if name.endswith("_") and not name.endswith("__") and isinstance(function.source, Proxy):
        torch_calls.note_inplace(m, function.source, name, node)
    if name in ("items", "keys", "values") and function.low:
        return UNKNOWN
    if name in ("items", "keys"):
        return Proxy("list", base=name, low=function.low)
    if name in ("type",) and (args or kwargs):
        flavour = "tensor"
    return Proxy(flavour, low=function.low, origin=function.origin)


def native_method(
    m: Machine, function: NativeMethod, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """A method that the interpreter models."""
    owner = function.owner
    if function.name == "<wraps>":
        return decorators.wraps(args[0], owner) if args else UNKNOWN
    if function.name == "<field>":
        return m.call(owner, args, kwargs, node)
    if isinstance(owner, Class) and function.name == "apply":
        return _autograd_apply(m, owner, args, kwargs, node)
    if isinstance(owner, Super):
        return nn_methods.super_method(m, owner, function.name, args, kwargs, node)
    if isinstance(owner, Instance):
        return nn_methods.method(m, owner, function.name, args, kwargs, node)
    if isinstance(owner, RealTensor):
        return torch_calls.real_method(m, owner, function.name, args, kwargs, node)
    if isinstance(owner, (Const, List, Dict, Tuple)):
        expanded = [a for a in args if not isinstance(a, Star)]
        if len(expanded) < len(args):
            expanded = [*expanded, *[_plain(a) for a in args if isinstance(a, Star)]]
        note_mutation(m, owner, function.name, node)
        return builtin_methods.method(m, owner, function.name, expanded, kwargs, node)
    if isinstance(owner, External):
        return externals.call(m, External(f"{owner.path}.{function.name}"), args, kwargs, node)
    if isinstance(owner, Generator):
        return UNKNOWN
    return functions.give_up(args, kwargs)


def _autograd_apply(m: Machine, owner: Class, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`Function.apply`: fx traces through forward, the custom backward is lost."""
    if proxy_among(args, kwargs) is not None:
        m.emit(Hook.AUTOGRAD_FUNCTION, node, subject=owner.name, effect=Effect.SILENT)
    forward = attributes.find_in_class(m, owner, "forward")
    function = forward.getter if isinstance(forward, Descriptor) else forward
    if not isinstance(function, Function):
        return functions.give_up(args, kwargs)
    own_context = len(parameters(function.node)) > len(args) or function.node.args.vararg is not None
    return m.call(function, [CONCRETE, *args] if own_context else args, kwargs, node)


_MUTATORS = frozenset(
    {
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "update",
        "setdefault",
        "add",
        "discard",
        "popitem",
        "appendleft",
        "popleft",
    }
)


def note_mutation(m: Machine, owner: Value, name: str, node: ast.AST) -> None:
    """A list or dict that outlives the trace is changed while tracing."""
    if name in _MUTATORS and isinstance(owner, Mutable):
        note_state_write(m, owner, node)


def note_state_write(m: Machine, owner: Value, node: ast.AST, name: str = "") -> None:
    """A write, while tracing, to an object that existed before the trace: it happens once, not at each call."""
    if m.tracing and isinstance(owner, Mutable) and not isinstance(owner, Scope) and owner.serial < m.heap.settled:
        m.emit(Hook.STATE, node, subject=node, via="attribute" if name else "container", effect=Effect.SILENT)


# ---- arguments of recorded calls


def check_argument(m: Machine, value: Value, node: ast.AST, depth: int = 3) -> None:
    """What `create_arg` refuses in a recorded call: sets, generators, functions, objects, unregistered parameters."""
    if not m.tracing:
        return
    if isinstance(value, ParameterValue):
        if not value.registered:
            m.emit(Hook.UNREGISTERED_PARAMETER, node, subject=node)
    elif isinstance(value, Generator):
        m.emit(Hook.ARGUMENT, node, subject=node, via="generator")
    elif isinstance(value, List) and value.type_name in ("set", "frozenset"):
        m.emit(Hook.ARGUMENT, node, subject=node, via="set")
    elif isinstance(value, (Function, Partial, BoundMethod)):
        m.emit(Hook.ARGUMENT, node, subject=node, via="function")
    elif (
        isinstance(value, Instance)
        and value.payload is None
        and not classes.externals(value.cls)
        and isinstance(value.cls, Class)
    ):
        if "<dataclass>" not in value.cls.cells and not any(
            isinstance(b, Class) and "<dataclass>" in b.cells for b in value.cls.mro
        ):
            m.emit(Hook.ARGUMENT, node, subject=node, via=f"`{value.cls.name}` object")
    elif depth and isinstance(value, (Tuple, List)):
        for item in value.seq.every():
            check_argument(m, item, node, depth - 1)
    elif depth and isinstance(value, Dict):
        for key, content in value.entries.values():
            proxy = may_be_proxy(key)
            if proxy is not None:
                m.emit(Hook.DICT_KEY, node, proxy, via="argument")
            check_argument(m, content, node, depth - 1)


from fxlint.interp import (  # noqa: E402
    attributes,
    builtin_methods,
    builtin_types,
    classes,
    decorators,
    externals,
    functions,
    nn_methods,
    nn_modules,
    proxy_attributes,
    torch_calls,
)
