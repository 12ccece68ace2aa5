"""str, list, dict, set and tuple: conversion between host constants and abstract values, formatting, and their methods.

Where every operand is a constant, the host's own method is run; else the content is modelled as a sequence with a tail.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    NONE,
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
    holds_proxy,
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
        target.mirror.dynamic = True
        spare = target.mirror.cells.get("<any>")
        m.heap.write(target.mirror, "<any>", join(content, spare) if isinstance(spare, Value) else content)


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


# ---- methods


def method(
    m: Machine, owner: Value, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """Call a method of a builtin value."""
    if name in _SYNTAX:
        return _by_syntax(m, owner, name, args, node)
    if isinstance(owner, Const):
        return _scalar_method(m, owner, name, args, kwargs, node)
    if isinstance(owner, Dict):
        return _dict_method(m, owner, name, args, kwargs, node)
    if isinstance(owner, List):
        return _list_method(m, owner, name, args, kwargs, node)
    if isinstance(owner, Tuple):
        return _tuple_method(m, owner, name, args, node, kwargs)
    return UNKNOWN


_SYNTAX = frozenset({"__getitem__", "__setitem__", "__delitem__", "__contains__", "__len__", "__iter__"})


def _by_syntax(m: Machine, owner: Value, name: str, args: Sequence[Value], node: Any) -> Value:
    """A dunder called by name."""
    if name == "__len__":
        return builtin_functions.call_by_name(m, "len", [owner], {}, node)
    if name == "__iter__":
        return builtin_functions.call_by_name(m, "iter", [owner], {}, node)
    if not args:
        return UNKNOWN
    if name == "__getitem__":
        return subscripts.load(m, owner, args[0], node)
    if name == "__contains__":
        return membership.contains(m, args[0], owner, node)
    if name == "__delitem__":
        subscripts.delete(m, owner, args[0], node)
    elif len(args) > 1:
        subscripts.store(m, owner, args[0], args[1], node)
    return NONE


def _scalar_method(
    m: Machine, owner: Const, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    if isinstance(owner.value, str) and name == "format":
        return format_method(m, owner.value, args, kwargs, node)
    if isinstance(owner.value, str) and name == "join" and args:
        seq = m.iterate(args[0], node, via="str.join")
        parts = [to_host(i) for i in seq.items]
        if seq.tail is None and all(isinstance(p, str) for p in parts):
            return Const(owner.value.join(parts))
        return Concrete("str")
    hosts, keywords = [to_host(a) for a in args], {k: to_host(v) for k, v in kwargs.items()}
    if NOT_CONSTANT in hosts or NOT_CONSTANT in keywords.values():
        return Concrete("str") if isinstance(owner.value, str) else CONCRETE
    try:
        result = getattr(owner.value, name)(*hosts, **keywords)
    except Exception as error:
        raise PathEnd(type(error).__name__) from None
    if isinstance(result, (str, bytes)) and len(result) > limits.LITERAL:
        return Concrete("str")
    return from_host(result)


def _dict_method(
    m: Machine, owner: Dict, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    if name in ("keys", "values", "items"):
        seq = dict_views(owner, name)
        return List(seq.items, seq.tail)
    if name in ("get", "pop", "setdefault") and args:
        return _dict_lookup(m, owner, name, args, node)
    if name == "update":
        for source in args:
            for alternative in members(source):
                if isinstance(alternative, Proxy):
                    m.emit(Hook.ITER, node, alternative, via="dict.update")
                elif isinstance(alternative, (List, Tuple)):
                    add_pairs(m, owner, alternative.seq)
                else:
                    update_dict(m, owner, alternative)
        for key, content in kwargs.items():
            set_item(m, owner, Const(key), content)
        return NONE
    if name == "copy":
        return copy_dict(owner)
    if name == "clear":
        for cell in list(owner.cells):
            m.heap.delete(owner, cell)
        return NONE
    if name == "popitem":
        seq = dict_views(owner, "items")
        return join(*seq.every()) if list(seq.every()) else UNKNOWN
    if name == "move_to_end":
        return NONE
    if name == "fromkeys":
        return UNKNOWN
    return UNKNOWN


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


def _dict_lookup(m: Machine, owner: Dict, name: str, args: Sequence[Value], node: ast.AST) -> Value:
    key = args[0]
    fallback: Value | None = args[1] if len(args) > 1 else None if name == "pop" else NONE
    proxy = may_be_proxy(key)
    if proxy is not None and key_of(proxy) not in owner.cells:
        if fallback is None:
            m.emit(Hook.DICT_KEY, node, proxy, via="dict.pop")
            return UNKNOWN
        m.emit(Hook.MEMBERSHIP, node, proxy, via="dict." + name, effect=_silent())
        return fallback
    found = get_item(owner, key)
    exact = owner.cells.get(key_of(key))
    sure = exact is not None and not any(isinstance(v, Missing) for v in members(exact[1]))
    if name == "pop" and exact is not None:
        m.heap.delete(owner, key_of(key))
    if name == "setdefault" and not sure:
        set_item(
            m, owner, key, join(found, fallback) if found is not None and fallback is not None else fallback or UNKNOWN
        )
    if found is None:
        if fallback is None:
            raise m.fail("KeyError", node)
        return fallback
    if sure or fallback is None:
        return found
    return join(found, fallback)


def _silent() -> Any:
    from fxlint.model.finding import Effect

    return Effect.SILENT


def _list_method(
    m: Machine, owner: List, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    seq = owner.seq

    def put(items: Iterable[Value], tail: Value | None) -> None:
        m.heap.write(owner, "seq", Seq(items, tail))

    if name in ("append", "add", "appendleft") and args:
        if owner.type_name in ("set", "frozenset") and any(
            i.kind == args[0].kind and not isinstance(i, Proxy) for i in seq.items
        ):
            return NONE
        if seq.tail is None and len(seq.items) < 256:
            put((*seq.items, args[0]) if name != "appendleft" else (args[0], *seq.items), None)
        elif name == "append":
            put(seq.items, join(args[0], seq.tail) if seq.tail is not None else args[0])
        else:
            put((), join(args[0], *seq.every()))
        return NONE
    if name in ("extend", "update") and args:
        for source in args:
            more = m.iterate(source, node, via="list." + name)
            now = owner.seq
            put(*_concat(now, more))
        return NONE
    if name == "insert" and len(args) == 2:
        position = args[0]
        if isinstance(position, Proxy):
            m.emit(Hook.INDEX, node, position, via="list.insert")
        if isinstance(position, Const) and isinstance(position.value, int) and seq.tail is None:
            items = list(seq.items)
            items.insert(position.value, args[1])
            put(items, None)
        else:
            put((), join(args[1], *seq.every()))
        return NONE
    if name in ("pop", "popleft"):
        return _pop(m, owner, name, args, node)
    if name == "copy":
        return List(seq.items, seq.tail, owner.type_name)
    if name == "clear":
        put((), None)
        return NONE
    if name == "reverse":
        put(reversed(seq.items) if seq.tail is None else (), None if seq.tail is None else join(*seq.every()))
        return NONE
    if name in ("remove", "discard"):
        if (
            seq.tail is None
            and args
            and any(i is args[0] or (isinstance(i, Const) and i.kind == args[0].kind) for i in seq.items)
        ):
            items = list(seq.items)
            spot = next(n for n, i in enumerate(items) if i is args[0] or i.kind == args[0].kind)
            put(items[:spot] + items[spot + 1 :], None)
        else:
            every = list(seq.every())
            put((), join(*every) if every else None)
        return NONE
    if name == "sort":
        builtin_functions.call_by_name(m, "sorted", [owner], kwargs, node)
        return NONE
    if name in ("index", "count"):
        return _tuple_method(m, Tuple(seq.items, seq.tail), name, args, node)
    if owner.type_name in ("set", "frozenset"):
        a, b = to_host(owner), to_host(args[0]) if args else set()
        if isinstance(a, set) and isinstance(b, (set, list, tuple)):
            return from_host(getattr(a, name)(b)) if hasattr(a, name) else UNKNOWN
        if name in ("issubset", "issuperset", "isdisjoint"):
            return Concrete("bool")
        every = [*seq.every(), *[v for a_ in args if isinstance(a_, (List, Tuple)) for v in a_.seq.every()]]
        return List((), join(*every) if every else None, "set")
    return UNKNOWN


def _concat(left: Seq, right: Seq) -> tuple[tuple[Value, ...], Value | None]:
    if left.tail is None:
        return (*left.items, *right.items), right.tail
    every = list(right.every())
    return left.items, join(left.tail, *every)


def _pop(m: Machine, owner: List, name: str, args: Sequence[Value], node: ast.AST) -> Value:
    seq = owner.seq
    where = args[0] if args else Const(0 if name == "popleft" else -1)
    if isinstance(where, Proxy):
        m.emit(Hook.INDEX, node, where, via="list.pop")
        return UNKNOWN
    if seq.tail is None and isinstance(where, Const) and isinstance(where.value, int):
        if not -len(seq.items) <= where.value < len(seq.items):
            raise m.fail("IndexError", node)
        items = list(seq.items)
        taken = items.pop(where.value)
        m.heap.write(owner, "seq", Seq(items))
        return taken
    every = list(seq.every())
    if not every:
        raise m.fail("IndexError", node)
    m.heap.write(owner, "seq", Seq((), join(*every)))
    return join(*every)


def _tuple_method(
    m: Machine, owner: Tuple, name: str, args: Sequence[Value], node: ast.AST, kwargs: dict[str, Value] | None = None
) -> Value:
    if name == "index" and args:
        proxy = may_be_proxy(args[0]) or next((p for p in map(may_be_proxy, owner.seq.every()) if p), None)
        if proxy is not None and not any(v is args[0] for v in owner.seq.items[:1]):
            m.emit(Hook.BOOL_CALL, node, proxy, via="index()")
            return Concrete("int")
    host, item = to_host(owner), to_host(args[0]) if args else NOT_CONSTANT
    if host is not NOT_CONSTANT and item is not NOT_CONSTANT and name in ("index", "count"):
        try:
            return Const(getattr(host, name)(item))
        except ValueError:
            raise m.fail("ValueError", node) from None
    if name == "numel" and holds_proxy(owner) is None:
        return Concrete("int")
    if name == "_asdict" and owner.cls is not None:
        made = Dict()
        named = owner.cls.keywords.get("fields")
        for field, value in zip(
            named.seq.items if isinstance(named, Tuple) else (),
            owner.seq.items,
            strict=False,
        ):
            made.cells[key_of(field)] = (field, value)
        return made
    if name == "_replace" and owner.cls is not None:
        fields = owner.cls.keywords.get("fields")
        names = [f.value for f in fields.seq.items if isinstance(f, Const)] if isinstance(fields, Tuple) else []
        given = kwargs or {}
        return Tuple((given.get(n, v) for n, v in zip(names, owner.seq.items, strict=False)), None, owner.cls)
    return Concrete("int") if name in ("index", "count") else UNKNOWN


from fxlint.interp import builtin_functions, membership, subscripts  # noqa: E402
