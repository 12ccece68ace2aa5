"""nn.Sequential, ModuleList, ModuleDict, ParameterList and ParameterDict: containers whose children fx sees one by one.

A container's children live in one payload: a List for the ordered ones, a Dict for the keyed ones.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    NONE,
    UNKNOWN,
    Class,
    Const,
    Dict,
    External,
    Instance,
    List,
    ParameterValue,
    Proxy,
    Seq,
    Slice,
    Tuple,
    Value,
    join,
    may_be_proxy,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_SEQUENTIAL = "torch.nn.Sequential"
_ORDERED = frozenset({_SEQUENTIAL, "torch.nn.ModuleList", "torch.nn.ParameterList"})
_KEYED = frozenset({"torch.nn.ModuleDict", "torch.nn.ParameterDict"})


def form(m: Machine, cls: Class | External) -> str | None:
    """The container class among the ancestors."""
    for path in classes.externals(cls):
        if path in _ORDERED or path in _KEYED:
            return path
    return None


def initialise(m: Machine, made: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> bool:
    """`__init__` of a container; False when the instance is none."""
    kind = form(m, made.cls)
    if kind is None:
        return False
    if kind in _KEYED:
        payload = Dict()
        made.payload = payload
        for source in args[:1]:
            for alternative in members(source):
                if isinstance(alternative, (List, Tuple)):
                    builtin_types.add_pairs(m, payload, alternative.seq)
                elif not (isinstance(alternative, Const) and alternative.value is None):
                    builtin_types.update_dict(m, payload, alternative)
        for _, content in payload.every_entry():
            adopt(m, made, content)
        return True
    seq = Seq()
    if kind == _SEQUENTIAL:
        if len(args) == 1 and any(
            isinstance(a, Dict) or (isinstance(a, Instance) and isinstance(a.payload, Dict) and form(m, a.cls) is None)
            for a in members(args[0])
        ):
            source = args[0]
            if isinstance(source, Instance) and isinstance(source.payload, Dict):
                source = source.payload
            entries = builtin_types.dict_views(source, "items") if isinstance(source, Dict) else Seq((), UNKNOWN)
            made.native["names"] = [p.seq.items[0] for p in entries.items if isinstance(p, Tuple)]
            for pair in entries.items:
                if isinstance(pair, Tuple) and isinstance(pair.seq.items[0], Const):
                    m.heap.write(made, str(pair.seq.items[0].value), pair.seq.items[1])
            seq = builtin_types.dict_views(source, "values") if isinstance(source, Dict) else Seq((), UNKNOWN)
        else:
            plain: list[Value] = []
            tail: Value | None = None
            for arg in args:
                if isinstance(arg, functions.Star):
                    tail = arg.value if tail is None else join(tail, arg.value)
                elif tail is None:
                    plain.append(arg)
                else:
                    tail = join(tail, arg)
            seq = Seq(plain, tail)
    elif args and not (isinstance(args[0], Const) and args[0].value is None):
        seq = m.iterate(args[0], node, via=kind.rpartition(".")[2])
    made.payload = List(seq.items, seq.tail)
    for child in seq.every():
        adopt(m, made, child)
    return True


def adopt(m: Machine, owner: Instance, child: Value) -> None:
    """Register children: fx can name them now."""
    for member in members(child):
        if isinstance(member, Instance) and member is not owner and classes.is_module_class(m, member.cls):
            if not any(o is owner for o in member.owners):
                member.owners.append(owner)
        elif isinstance(member, ParameterValue):
            member.registered = True


def children(m: Machine, owner: Instance) -> Seq | None:
    """Children of an ordered container; keys of a keyed one; None for other instances."""
    if form(m, owner.cls) is None:
        return None
    if isinstance(owner.payload, List):
        return owner.payload.seq
    if isinstance(owner.payload, Dict):
        return builtin_types.dict_views(owner.payload, "keys")
    return Seq((), UNKNOWN)


def _seen(m: Machine, value: Value) -> Value:
    """A child as the trace sees it: a Parameter read from its container is a Proxy."""
    if m.tracing and isinstance(value, ParameterValue):
        return Proxy("parameter")
    return value


def iterated(m: Machine, owner: Instance) -> Seq | None:
    """What iterating over a container gives."""
    found = children(m, owner)
    if found is None:
        return None
    return Seq([_seen(m, v) for v in found.items], _seen(m, found.tail) if found.tail is not None else None)


def keys(m: Machine, owner: Instance) -> Seq | None:
    """Keys of a keyed container."""
    if form(m, owner.cls) in _KEYED and isinstance(owner.payload, Dict):
        return builtin_types.dict_views(owner.payload, "keys")
    return None


def item(m: Machine, owner: Instance, index: Value, node: ast.expr) -> Value | None:
    """`container[index]`."""
    kind = form(m, owner.cls)
    if kind is None:
        return None
    if isinstance(owner.payload, Dict):
        proxy = may_be_proxy(index)
        if proxy is not None:
            m.emit(Hook.DICT_KEY, node, proxy, via="ModuleDict")
            return UNKNOWN
        found = builtin_types.get_item(owner.payload, index)
        if found is None:
            raise m.fail("KeyError", node)
        return _seen(m, found)
    if not isinstance(owner.payload, List):
        return UNKNOWN
    if isinstance(index, Slice):
        part = subscripts.sequence_item(m, owner.payload, owner.payload.seq, index, node, "slice")
        made = Instance(External(kind))
        made.payload = part if isinstance(part, List) else List()
        made.settled = True
        for child in made.payload.seq.every() if isinstance(made.payload, List) else ():
            adopt(m, made, child)
        return made
    if isinstance(index, Const) and isinstance(index.value, str):
        return m.getattr(owner, index.value, node)
    found = subscripts.sequence_item(
        m, owner.payload, owner.payload.seq, index, node, f"{kind.rpartition('.')[2]} index"
    )
    return _seen(m, found)


def store(m: Machine, owner: Instance, index: Value, value: Value, node: ast.expr) -> bool:
    """`container[index] = value`; False when it is no container."""
    if form(m, owner.cls) is None:
        return False
    adopt(m, owner, value)
    if owner.payload is not None:
        subscripts.store(m, owner.payload, index, value, node)
        attribute_writes.mark_changed(owner)
    return True


def delete(m: Machine, owner: Instance, index: Value) -> bool:
    """`del container[index]`; False when it is no container."""
    if form(m, owner.cls) is None:
        return False
    if isinstance(owner.payload, (List, Dict)):
        subscripts.delete(m, owner.payload, index, m.frame.module.tree)  # type: ignore[arg-type]
        attribute_writes.mark_changed(owner)
    return True


_GROWING = frozenset({"append", "extend", "insert", "add_module", "register_module", "update", "setdefault"})


def method(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value | None:
    """A method of the container itself; None when it is one of nn.Module's."""
    kind = form(m, owner.cls)
    if kind is None or owner.payload is None:
        return None
    payload = owner.payload
    if name in ("add_module", "register_module") and len(args) == 2:
        adopt(m, owner, args[1])
        if isinstance(payload, List):
            builtin_methods.method(m, payload, "append", [args[1]], {}, node)
        elif isinstance(payload, Dict):
            builtin_types.set_item(m, payload, args[0], args[1])
        if isinstance(args[0], Const):
            m.heap.write(owner, str(args[0].value), args[1])
        return NONE
    if name == "forward" and kind == _SEQUENTIAL:
        return forward(m, owner, args, kwargs, node)
    if isinstance(payload, List) and name in ("append", "extend", "insert", "pop", "__len__", "__iter__"):
        if name in _GROWING:
            for arg in args:
                for child in m.iterate(arg, node).every() if name == "extend" else (arg,):
                    adopt(m, owner, child)
            builtin_methods.method(m, payload, name, args, kwargs, node)
            if owner.settled:
                attribute_writes.mark_changed(owner)
            return owner
        if name == "pop":
            return builtin_methods.method(m, payload, name, args, kwargs, node)
        return builtin_functions.call_by_name(m, "len" if name == "__len__" else "iter", [payload], {}, node)
    if isinstance(payload, Dict) and name in ("keys", "values", "items", "get", "pop", "update", "clear", "setdefault"):
        if name == "update":
            for arg in args:
                if isinstance(arg, Dict):
                    for _, content in arg.every_entry():
                        adopt(m, owner, content)
        found = builtin_methods.method(m, payload, name, args, kwargs, node)
        return _all_seen(m, found)
    return None


def _all_seen(m: Machine, value: Value) -> Value:
    if not m.tracing or not isinstance(value, List):
        return _seen(m, value)
    items = [Tuple(_seen(m, v) for v in i.seq.items) if isinstance(i, Tuple) else _seen(m, i) for i in value.seq.items]
    return List(items, value.seq.tail)


def forward(m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """nn.Sequential.forward: fx enters it, each child is a call of its own."""
    if not isinstance(owner.payload, List):
        return UNKNOWN
    if len(args) != 1:
        raise m.fail("TypeError", node, arity=True)
    value: Value = args[0]
    for child in owner.payload.seq.items:
        value = m.call(child, [value], {}, node)
    tail = owner.payload.seq.tail
    if tail is not None:
        try:
            again = m.call(tail, [value], {}, node)
        except PathEnd:
            return value
        value = again if owner.payload.seq.items == () and isinstance(again, Proxy) else join(value, again)
    return value


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_functions,
    builtin_methods,
    builtin_types,
    classes,
    functions,
    subscripts,
)
