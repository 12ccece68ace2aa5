"""Methods of str, list, dict, set and tuple.

Where every operand is a constant, the host's own method is run; else the content is modelled as a sequence with a tail.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    List,
    Missing,
    Proxy,
    Seq,
    Tuple,
    Value,
    holds_proxy,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    import ast

    from fxlint.interp.machine import Machine


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
        return builtin_types.format_method(m, owner.value, args, kwargs, node)
    if isinstance(owner.value, str) and name == "join" and args:
        seq = m.iterate(args[0], node, via="str.join")
        parts = [builtin_types.to_host(i) for i in seq.items]
        if seq.tail is None and all(isinstance(p, str) for p in parts):
            return Const(owner.value.join(parts))
        return Concrete("str")
    hosts, keywords = [builtin_types.to_host(a) for a in args], {k: builtin_types.to_host(v) for k, v in kwargs.items()}
    if builtin_types.NOT_CONSTANT in hosts or builtin_types.NOT_CONSTANT in keywords.values():
        return Concrete("str") if isinstance(owner.value, str) else CONCRETE
    try:
        result = getattr(owner.value, name)(*hosts, **keywords)
    except Exception as error:
        raise PathEnd(type(error).__name__) from None
    if isinstance(result, (str, bytes)) and len(result) > limits.LITERAL:
        return Concrete("str")
    return builtin_types.from_host(result)


def _dict_method(
    m: Machine, owner: Dict, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    if name in ("keys", "values", "items"):
        seq = builtin_types.dict_views(owner, name)
        return List(seq.items, seq.tail)
    if name in ("get", "pop", "setdefault") and args:
        return _dict_lookup(m, owner, name, args, node)
    if name == "update":
        for source in args:
            for alternative in members(source):
                if isinstance(alternative, Proxy):
                    m.emit(Hook.ITER, node, alternative, via="dict.update")
                elif isinstance(alternative, (List, Tuple)):
                    builtin_types.add_pairs(m, owner, alternative.seq)
                else:
                    builtin_types.update_dict(m, owner, alternative)
        for key, content in kwargs.items():
            builtin_types.set_item(m, owner, Const(key), content)
        return NONE
    if name == "copy":
        return builtin_types.copy_dict(owner)
    if name == "clear":
        for cell in list(owner.cells):
            m.heap.delete(owner, cell)
        return NONE
    if name == "popitem":
        seq = builtin_types.dict_views(owner, "items")
        return join(*seq.every()) if list(seq.every()) else UNKNOWN
    if name == "move_to_end":
        return NONE
    if name == "fromkeys":
        return UNKNOWN
    return UNKNOWN


def _dict_lookup(m: Machine, owner: Dict, name: str, args: Sequence[Value], node: ast.AST) -> Value:
    key = args[0]
    fallback: Value | None = args[1] if len(args) > 1 else None if name == "pop" else NONE
    proxy = may_be_proxy(key)
    if proxy is not None and builtin_types.key_of(proxy) not in owner.cells:
        if fallback is None:
            m.emit(Hook.DICT_KEY, node, proxy, via="dict.pop")
            return UNKNOWN
        m.emit(Hook.MEMBERSHIP, node, proxy, via="dict." + name, effect=Effect.SILENT)
        return fallback
    found = builtin_types.get_item(owner, key)
    exact = owner.cells.get(builtin_types.key_of(key))
    sure = exact is not None and not any(isinstance(v, Missing) for v in members(exact[1]))
    if name == "pop" and exact is not None:
        m.heap.delete(owner, builtin_types.key_of(key))
    if name == "setdefault" and not sure:
        builtin_types.set_item(
            m, owner, key, join(found, fallback) if found is not None and fallback is not None else fallback or UNKNOWN
        )
    if found is None:
        if fallback is None:
            raise m.fail("KeyError", node)
        return fallback
    if sure or fallback is None:
        return found
    return join(found, fallback)


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
        a, b = builtin_types.to_host(owner), builtin_types.to_host(args[0]) if args else set()
        if isinstance(a, set) and isinstance(b, (set, list, tuple)):
            return builtin_types.from_host(getattr(a, name)(b)) if hasattr(a, name) else UNKNOWN
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
    host, item = builtin_types.to_host(owner), builtin_types.to_host(args[0]) if args else builtin_types.NOT_CONSTANT
    if host is not builtin_types.NOT_CONSTANT and item is not builtin_types.NOT_CONSTANT and name in ("index", "count"):
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
            made.cells[builtin_types.key_of(field)] = (field, value)
        return made
    if name == "_replace" and owner.cls is not None:
        fields = owner.cls.keywords.get("fields")
        names = [f.value for f in fields.seq.items if isinstance(f, Const)] if isinstance(fields, Tuple) else []
        given = kwargs or {}
        return Tuple((given.get(n, v) for n, v in zip(names, owner.seq.items, strict=False)), None, owner.cls)
    return Concrete("int") if name in ("index", "count") else UNKNOWN


from fxlint.interp import builtin_functions, builtin_types, membership, subscripts  # noqa: E402
