"""`value[index]`: reads, writes and deletions for each kind of value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Instance,
    List,
    Missing,
    ParameterValue,
    Proxy,
    RealTensor,
    Seq,
    Slice,
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


def load(m: Machine, base: Value, index: Value, node: ast.expr) -> Value:
    """`base[index]`, for each alternative of the base."""
    if isinstance(base, Union):
        results = []
        for member in base.members:
            if isinstance(member, Missing) or (isinstance(member, Const) and member.value is None):
                continue
            try:
                results.append(load(m, member, index, node))
            except PathEnd:
                continue
        if not results:
            raise PathEnd("TypeError")
        return join(*results)
    if isinstance(base, Proxy):
        return _proxy_item(m, base, index, node)
    if isinstance(base, (Tuple, List)):
        return sequence_item(m, base, base.seq, index, node)
    if isinstance(base, Dict):
        return dict_item(m, base, index, node)
    if isinstance(base, RealTensor):
        return _real_item(m, base, index, node)
    if isinstance(base, Instance):
        return _instance_item(m, base, index, node)
    if isinstance(base, Const):
        host = builtin_types.to_host(index)
        if isinstance(index, Slice):
            parts = [builtin_types.to_host(p) for p in index.parts()]
            if all(p is None or isinstance(p, int) for p in parts):
                return Const(base.value[slice(*parts)])
            return Concrete("str")
        if isinstance(base.value, (str, bytes)) and isinstance(host, int):
            try:
                return Const(base.value[host])
            except IndexError:
                raise m.fail("IndexError", node) from None
        if isinstance(base.value, (str, bytes)):
            _needs_index(m, index, node, "string index")
            return Concrete("str")
        raise m.fail("TypeError", node)
    if isinstance(base, Class):
        return _class_item(m, base, index, node)
    if isinstance(base, External):
        return base
    if isinstance(base, ParameterValue):
        return RealTensor("folded")
    if isinstance(base, Concrete) and holds_proxy(index) is None:
        return Concrete("str") if base.hint == "str" else CONCRETE
    return UNKNOWN


def _proxy_item(m: Machine, base: Proxy, index: Value, node: ast.expr) -> Value:
    calls.check_argument(m, index, node)
    flavour = "tensor"
    if base.flavour == "size":
        flavour = "size" if isinstance(index, Slice) else "int"
    elif base.flavour in ("list", "input", "dict"):
        flavour = base.flavour if isinstance(index, Slice) else "tensor"
    elif base.flavour in ("int", "float", "dtype", "device", "str"):
        flavour = base.flavour
    return Proxy(
        flavour,
        low=base.low,
        base="view" if flavour == "tensor" and base.flavour == "tensor" else "",
        origin=base.origin,
    )


def _needs_index(m: Machine, index: Value, node: ast.expr, via: str) -> bool:
    """An event when a Proxy stands where `__index__` is needed, alone or in a slice."""
    parts = index.parts() if isinstance(index, Slice) else (index,)
    for part in parts:
        proxy = may_be_proxy(part)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via=via)
            return True
    return False


def sequence_item(m: Machine, owner: Value, seq: Seq, index: Value, node: ast.expr, via: str = "list index") -> Value:
    """Index or slice a sequence."""
    if _needs_index(m, index, node, via):
        every = list(seq.every())
        return (
            operators.rebuild(owner, Seq((), join(*every) if every else None))
            if isinstance(index, Slice)
            else join(*every)
            if every
            else UNKNOWN
        )
    if isinstance(index, Union):
        results = []
        for member in index.members:
            try:
                results.append(sequence_item(m, owner, seq, member, node, via))
            except PathEnd:
                continue
        return join(*results) if results else UNKNOWN
    if isinstance(index, Slice):
        return operators.rebuild(owner, slice_sequence(seq, index))
    every = list(seq.every())
    if isinstance(index, Const) and isinstance(index.value, int):
        position = index.value
        if seq.tail is None:
            if not -len(seq.items) <= position < len(seq.items):
                raise m.fail("IndexError", node)
            return seq.items[position]
        if 0 <= position < len(seq.items):
            return seq.items[position]
        return seq.tail if position >= 0 else join(*every)
    if isinstance(index, Const):
        raise m.fail("TypeError", node)
    return join(*every) if every else UNKNOWN


def slice_sequence(seq: Seq, index: Slice) -> Seq:
    """The part of a sequence that a slice of constants takes; all of it as a tail when something is undecided."""
    parts = [builtin_types.to_host(p) for p in index.parts()]
    known = all(p is None or (isinstance(p, int) and not isinstance(p, bool)) for p in parts) and parts[2] != 0
    if known and seq.tail is None:
        return Seq(seq.items[slice(*parts)])
    if known and parts[1] is None and parts[2] in (None, 1) and (parts[0] or 0) >= 0:
        return Seq(seq.items[parts[0] or 0 :], seq.tail)
    every = list(seq.every())
    return Seq((), join(*every) if every else None)


def dict_item(m: Machine, base: Dict, index: Value, node: ast.expr) -> Value:
    """`d[key]`; a Proxy key is hashed by identity, so it misses."""
    proxy = may_be_proxy(index)
    if proxy is not None:
        same = base.cells.get(("proxy", id(proxy)))
        if same is not None:
            found: Value = same[1]
            return found
        if base.default_factory is not None:
            return m.call(base.default_factory, [], {}, node)
        m.emit(Hook.DICT_KEY, node, proxy)
        every = [v for _, v in base.entries.values()]
        return join(*every) if every else UNKNOWN
    value = builtin_types.get_item(base, index)
    if value is None:
        if base.default_factory is not None:
            value = m.call(base.default_factory, [], {}, node)
            builtin_types.set_item(m, base, index, value)
            return value
        raise m.fail("KeyError", node)
    return value


def _real_item(m: Machine, base: RealTensor, index: Value, node: ast.expr) -> Value:
    for part in index.seq.every() if isinstance(index, Tuple) else (index,):
        if isinstance(part, Slice):
            for bound in part.parts():
                proxy = may_be_proxy(bound)
                if proxy is not None:
                    m.emit(Hook.SLICE_REAL, node, proxy, subject=node, via=base.tag)
                    return Proxy("tensor", low=proxy.low)
    proxy = holds_proxy(index)
    if proxy is not None:
        if isinstance(index, List):
            m.emit(Hook.TENSOR_DATA, node, proxy, via="index by a list")
        return Proxy("tensor", low=proxy.low)
    return RealTensor("derived" if base.tag in ("buffer", "derived") else base.tag)


def _instance_item(m: Machine, base: Instance, index: Value, node: ast.expr) -> Value:
    method = attributes.find_in_class(m, base.cls, "__getitem__")
    if method is not None and not isinstance(method, External):
        return m.call(attributes.bind(m, method, base, node), [index], {}, node)
    found = nn_containers.item(m, base, index, node)
    if found is not None:
        return found
    if base.payload is not None:
        try:
            return load(m, base.payload, index, node)
        except PathEnd:
            missing = attributes.find_in_class(m, base.cls, "__missing__")
            if missing is not None and not isinstance(missing, External):
                return m.call(attributes.bind(m, missing, base, node), [index], {}, node)
            raise
    return UNKNOWN


def _class_item(m: Machine, base: Class, index: Value, node: ast.expr) -> Value:
    method = base.cells.get("__class_getitem__")
    if isinstance(index, Const) and isinstance(index.value, str) and isinstance(base.cells.get(index.value), Instance):
        found: Value = base.cells[index.value]
        return found
    if isinstance(method, Function):
        return UNKNOWN
    return base


# ---- writes


def store(m: Machine, base: Value, index: Value, value: Value, node: ast.expr) -> None:
    """`base[index] = value`."""
    for member in members(base):
        _store(m, member, index, value, node, sure=not isinstance(base, Union))


def _store(m: Machine, base: Value, index: Value, value: Value, node: ast.expr, sure: bool) -> None:
    if isinstance(base, Proxy):
        m.emit(Hook.SETITEM, node, base, subject=node)
    elif isinstance(base, Dict):
        builtin_types.set_item(
            m, base, index, value if sure else join(value, builtin_types.get_item(base, index) or value)
        )
    elif isinstance(base, List):
        _store_in_list(m, base, index, value, node)
    elif isinstance(base, RealTensor):
        _store_in_real(m, base, index, value, node)
    elif isinstance(base, Instance):
        method = attributes.find_in_class(m, base.cls, "__setitem__")
        if method is not None and not isinstance(method, External):
            m.call(attributes.bind(m, method, base, node), [index, value], {}, node)
        elif not nn_containers.store(m, base, index, value, node) and base.payload is not None:
            _store(m, base.payload, index, value, node, sure)
    elif isinstance(base, Tuple):
        raise m.fail("TypeError", node)
    calls.note_state_write(m, base, node)


def _store_in_list(m: Machine, base: List, index: Value, value: Value, node: ast.expr) -> None:
    if _needs_index(m, index, node, "list index"):
        return
    seq = base.seq
    if (
        isinstance(index, Const)
        and isinstance(index.value, int)
        and -len(seq.items) <= index.value < len(seq.items)
        and (seq.tail is None or index.value >= 0)
    ):
        items = list(seq.items)
        items[index.value] = value
        m.heap.write(base, "seq", Seq(items, seq.tail))
        return
    if isinstance(index, Slice):
        value = (
            join(*m.iterate(value, node).every(), UNKNOWN)
            if not isinstance(value, (List, Tuple))
            else join(*value.seq.every())
            if list(value.seq.every())
            else UNKNOWN
        )
        m.heap.write(base, "seq", Seq((), join(value, *seq.every())))
        return
    m.heap.write(
        base, "seq", Seq([join(i, value) for i in seq.items], join(seq.tail, value) if seq.tail is not None else None)
    )


def _store_in_real(m: Machine, base: RealTensor, index: Value, value: Value, node: ast.expr) -> None:
    for part in index.seq.every() if isinstance(index, Tuple) else (index,):
        for bound in part.parts() if isinstance(part, Slice) else ():
            proxy = may_be_proxy(bound)
            if proxy is not None:
                m.emit(Hook.SLICE_REAL, node, proxy, subject=node, via=base.tag)
                return
    if base.tag in ("buffer", "derived", "plain"):
        m.emit(Hook.STATE, node, base, subject=node, effect=Effect.SILENT, via="buffer")
    elif holds_proxy(value) is not None or holds_proxy(index) is not None:
        m.emit(Hook.CONSTANT_MUTATED, node, base, subject=node, effect=Effect.SILENT)


def delete(m: Machine, base: Value, index: Value, node: ast.expr) -> None:
    """`del base[index]`."""
    for member in members(base):
        if isinstance(member, Proxy):
            m.emit(Hook.DELITEM, node, member, subject=node)
        elif isinstance(member, Dict):
            cell = builtin_types.key_of(index)
            if cell in member.cells:
                m.heap.delete(member, cell)
        elif isinstance(member, List):
            _delete_in_list(m, member, index, node)
        elif isinstance(member, Instance):
            method = attributes.find_in_class(m, member.cls, "__delitem__")
            if method is not None and not isinstance(method, External):
                m.call(attributes.bind(m, method, member, node), [index], {}, node)
            elif not nn_containers.delete(m, member, index) and member.payload is not None:
                delete(m, member.payload, index, node)


def _delete_in_list(m: Machine, base: List, index: Value, node: ast.expr) -> None:
    if _needs_index(m, index, node, "list index"):
        return
    host = builtin_types.to_host(index)
    if isinstance(index, Slice):
        parts = [builtin_types.to_host(p) for p in index.parts()]
        host = slice(*parts) if all(p is None or isinstance(p, int) for p in parts) else builtin_types.NOT_CONSTANT
    if base.seq.tail is None and isinstance(host, (int, slice)):
        items = list(base.seq.items)
        try:
            del items[host]
        except (IndexError, ValueError):
            raise m.fail("IndexError", node) from None
        m.heap.write(base, "seq", Seq(items))
    else:
        every = list(base.seq.every())
        m.heap.write(base, "seq", Seq((), join(*every) if every else None))


from fxlint.interp import attributes, builtin_types, calls, nn_containers, operators  # noqa: E402
