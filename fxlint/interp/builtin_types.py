"""str, list, dict, set and tuple: conversion between host constants and abstract values, formatting, sets and dicts.

Where every operand is a constant, the host itself computes; else the content is modelled as a sequence with a tail.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    Instance,
    List,
    Missing,
    Proxy,
    Seq,
    Tuple,
    Union,
    Unknown,
    Value,
    join,
    may_be_proxy,
    members,
    without,
)

if TYPE_CHECKING:
    import ast

    from fxlint.interp.machine import Machine

NOT_CONSTANT = object()


# ---- host constants


def to_host(value: Value, depth: int = 4) -> Any:
    """The Python object that the value is, or `NOT_CONSTANT`."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Instance) and value.payload is not None and depth:
        value = value.payload
    if isinstance(value, (Tuple, List)) and value.seq.tail is None and depth:
        items = [to_host(i, depth - 1) for i in value.seq.items]
        if any(i is NOT_CONSTANT for i in items):
            return NOT_CONSTANT
        if isinstance(value, Tuple):
            return tuple(items)
        try:
            return set(items) if value.type_name in ("set", "frozenset") else items
        except TypeError:
            return NOT_CONSTANT
    if isinstance(value, Dict) and value.rest is None and depth:
        found = {}
        for key, content in value.entries.values():
            k, v = to_host(key, depth - 1), to_host(content, depth - 1)
            if k is NOT_CONSTANT or v is NOT_CONSTANT:
                return NOT_CONSTANT
            try:
                found[k] = v
            except TypeError:
                return NOT_CONSTANT
        return found
    return NOT_CONSTANT


def from_host(found: Any) -> Value:
    """The abstract value of a Python object made of constants."""
    if found is None or isinstance(found, (bool, int, float, complex, str, bytes)) or found is Ellipsis:
        return Const(found)
    if isinstance(found, (tuple, list, set, frozenset)):
        if len(found) > 256:
            return (Tuple if isinstance(found, tuple) else List)(
                (), join(*[from_host(i) for i in list(found)[:8]], CONCRETE)
            )
        items = [from_host(i) for i in found]
        if isinstance(found, tuple):
            return Tuple(items)
        return List(items, None, "list" if isinstance(found, list) else "set")
    if isinstance(found, dict):
        made = Dict()
        for k, v in found.items():
            key = from_host(k)
            made.cells[key_of(key)] = (key, from_host(v))
        return made
    if isinstance(found, range):
        return List([Const(i) for i in found]) if len(found) <= 256 else List((), Concrete("int"))
    return CONCRETE


def key_of(key: Value) -> Hashable:
    """The cell under which a dict keeps the entry of a key. A Proxy is hashed by identity."""
    if isinstance(key, Proxy):
        return ("proxy", id(key))
    if isinstance(key, Const):
        if isinstance(key.value, (bool, int, float)):
            return ("number", key.value)
        return ("const", type(key.value).__name__, key.value)
    return key.kind


def is_exact_key(key: Value) -> bool:
    """Whether two keys of this sort are equal exactly if their cells are."""
    if isinstance(key, (Concrete, Unknown, Union)):
        return False
    return all(is_exact_key(i) for i in key.seq.every()) and key.seq.tail is None if isinstance(key, Tuple) else True


# ---- formatting

_PERCENT = re.compile(r"%(?:\((?P<key>[^)]*)\))?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<type>[a-zA-Z%])")


def percent_format(m: Machine, left: Const, right: Value, node: ast.AST) -> Value:
    """`"…%d…" % values`: a numeric conversion needs a number, `%s` takes anything."""
    host = to_host(right)
    if host is not NOT_CONSTANT:
        try:
            return Const(left.value % host)
        except Exception as error:
            raise PathEnd(type(error).__name__) from None
    text = left.value if isinstance(left.value, str) else left.value.decode("latin-1")
    conversions = [c for c in _PERCENT.finditer(text) if c["type"] != "%"]
    values: Sequence[Value] = right.seq.items if isinstance(right, Tuple) else [right] * min(len(conversions), 1)
    for conversion, value in zip(conversions, values, strict=False):
        proxy = may_be_proxy(value)
        if proxy is not None and conversion["type"] in "diouxXeEfFgGc":
            m.emit(Hook.FORMAT, node, proxy, via="%" + conversion["type"])
    return Concrete("str")


_FIELD = re.compile(r"\{[^{}:!]*(?:![rsa])?:(?P<spec>[^{}]+)\}")


def format_method(m: Machine, template: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`"…{:.2f}…".format(values)`: a Proxy has no format spec."""
    proxies = [p for p in (may_be_proxy(v) for v in (*args, *kwargs.values())) if p is not None]
    if proxies and _FIELD.search(template):
        m.emit(Hook.FORMAT, node, proxies[0], via="str.format")
    hosts, keywords = [to_host(a) for a in args], {k: to_host(v) for k, v in kwargs.items()}
    if NOT_CONSTANT not in hosts and all(v is not NOT_CONSTANT for v in keywords.values()):
        try:
            return Const(template.format(*hosts, **keywords))
        except Exception:
            return Concrete("str")
    return Concrete("str")


# ---- sets


def set_operation(m: Machine, name: str, left: Value, right: Value, node: ast.AST) -> Value:
    """`|`, `&`, `-`, `^` on sets and dicts."""
    if name == "or" and isinstance(left, Dict) and isinstance(right, Dict):
        made = copy_dict(left)
        update_dict(m, made, right)
        return made
    a, b = to_host(left), to_host(right)
    if isinstance(a, set) and isinstance(b, set):
        return from_host({"or": a | b, "and": a & b, "sub": a - b, "xor": a ^ b}[name])
    every = [v for side in (left, right) if isinstance(side, List) for v in side.seq.every()]
    return List((), join(*every) if every else None, "set")


# ---- dicts


def copy_dict(value: Dict) -> Dict:
    """A shallow copy."""
    made = Dict(value.type_name)
    made.cells.update(value.cells)
    made.default_factory = value.default_factory
    return made


def set_item(m: Machine, target: Dict, key: Value, content: Value) -> None:
    """`target[key] = content`; an undecided key may overwrite any entry."""
    if isinstance(key, Union):
        for member in key.members:
            old = target.cells.get(key_of(member))
            set_item(m, target, member, join(content, old[1]) if old else join(content, Missing()))
        return
    if not is_exact_key(key):
        add_rest(m, target, key, content)
        return
    m.heap.write(target, key_of(key), (key, content))
    if target.mirror is not None and isinstance(key, Const):
        m.heap.write(target.mirror, str(key.value), content)


def add_rest(m: Machine, target: Dict, key: Value, content: Value) -> None:
    """Further entries under keys that are not known one by one."""
    old = target.rest
    m.heap.write(target, "rest", (join(key, old[0]), join(content, old[1])) if old else (key, content))
    if target.mirror is not None:
        attribute_writes.write_unnamed(m, target.mirror, content)


def get_item(target: Dict, key: Value) -> Value | None:
    """What the dict holds under the key; None when it surely holds nothing."""
    if isinstance(key, Union):
        found = [v for v in (get_item(target, k) for k in key.members) if v is not None]
        return join(*found) if found else None
    exact = target.cells.get(key_of(key))
    if exact is not None:
        return without(exact[1], lambda v: isinstance(v, Missing))
    candidates: list[Value] = [target.rest[1]] if target.rest else []
    if not is_exact_key(key):
        some = list(itertools.islice(target.cells.items(), limits.CANDIDATES))
        candidates += [entry[1] for cell, entry in some if cell != "rest"]
        if len(target.cells) > len(some) or not candidates:
            candidates.append(UNKNOWN)
    return without(join(*candidates), lambda v: isinstance(v, Missing)) if candidates else None


def update_dict(m: Machine, target: Dict, source: Value) -> None:
    """`target.update(source)` for one alternative of the source."""
    if isinstance(source, Instance) and source.payload is not None:
        source = source.payload
    if isinstance(source, Dict):
        for key, content in source.entries.values():
            clean = without(content, lambda v: isinstance(v, Missing))
            if clean is None:
                continue
            if clean is not content:
                old = get_item(target, key)
                clean = join(clean, old) if old is not None else content
            set_item(m, target, key, clean)
        if source.rest is not None:
            add_rest(m, target, *source.rest)
    else:
        add_rest(m, target, CONCRETE, source if isinstance(source, (Concrete, Unknown)) else UNKNOWN)


def dict_views(target: Dict, which: str) -> Seq:
    """keys(), values() or items()."""

    def pick(key: Value, content: Value) -> Value:
        clean = without(content, lambda v: isinstance(v, Missing)) or UNKNOWN
        return key if which == "keys" else clean if which == "values" else Tuple((key, clean))

    entries = list(target.entries.values())
    tail = pick(*target.rest) if target.rest else None
    if any(isinstance(v, Missing) for _, content in entries for v in members(content)):
        sure = [e for e in entries if not any(isinstance(v, Missing) for v in members(e[1]))]
        maybe = [pick(*e) for e in entries if e not in sure]
        return Seq([pick(*e) for e in sure], join(*maybe, tail) if tail is not None else join(*maybe))
    return Seq([pick(*e) for e in entries], tail)


def add_pairs(m: Machine, target: Dict, seq: Seq) -> None:
    """Fill a dict from an iterable of pairs."""
    for pair in seq.items:
        inner = m.iterate(pair, m.frame.call or m.frame.module.tree)
        if len(inner.items) == 2:
            set_item(m, target, inner.items[0], inner.items[1])
        else:
            update_dict(m, target, UNKNOWN)
    if seq.tail is not None:
        pairs = [p for p in members(seq.tail) if isinstance(p, Tuple) and len(p.seq.items) == 2]
        if pairs:
            add_rest(m, target, join(*[p.seq.items[0] for p in pairs]), join(*[p.seq.items[1] for p in pairs]))
        else:
            update_dict(m, target, CONCRETE if isinstance(seq.tail, Concrete) else UNKNOWN)


from fxlint.interp import attribute_writes  # noqa: E402
