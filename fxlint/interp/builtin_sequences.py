"""Builtin functions that iterate: each asks its argument for its elements, and builds a container of what comes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.library import Model, argument
from fxlint.interp.values import (
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    Generator,
    List,
    Proxy,
    Seq,
    Tuple,
    Value,
    join,
    may_be_proxy,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _sorted(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="sorted()") if args else Seq()
    values = list(seq.every())
    key = kwargs.get("key")
    compared = (
        [m.call(key, [v], {}, node) for v in values]
        if key is not None and not (isinstance(key, Const) and key.value is None)
        else values
    )
    flat = [i for v in compared for i in (v.seq.every() if isinstance(v, (Tuple, List)) else (v,))]
    proxy = next((p for p in map(may_be_proxy, flat) if p), None)
    if proxy is not None and (len(values) > 1 or seq.tail is not None):
        m.emit(Hook.BOOL_CALL, node, proxy, via="sorted()")
    host = builtin_types.to_host(List(seq.items, seq.tail))
    if key is None and host is not builtin_types.NOT_CONSTANT:
        try:
            backwards = kwargs.get("reverse")
            return builtin_types.from_host(sorted(host, reverse=isinstance(backwards, Const) and bool(backwards.value)))
        except TypeError:
            return UNKNOWN
    return List((), join(*values)) if values else List()


def _sequence(name: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seq = m.iterate(args[0], node, via=f"{name}()") if args else Seq()
        if name == "tuple":
            return Tuple(seq.items, seq.tail)
        if name in ("set", "frozenset"):
            unique: dict[object, Value] = {}
            for value in seq.items:
                unique.setdefault(builtin_types.key_of(value), value)
            exact = all(builtin_types.is_exact_key(v) for v in seq.items)
            return List(
                unique.values() if exact else (),
                seq.tail if exact else join(*seq.every()) if list(seq.every()) else None,
                "set",
            )
        return List(seq.items, seq.tail)

    return run


def _dict(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    for source in args[:1]:
        for alternative in members(source):
            if isinstance(alternative, Proxy):
                m.emit(Hook.ITER, node, alternative, via="dict()")
                builtin_types.update_dict(m, made, UNKNOWN)
            elif isinstance(alternative, (List, Tuple, Generator)):
                builtin_types.add_pairs(m, made, m.iterate(alternative, node))
            else:
                builtin_types.update_dict(m, made, alternative)
    for key, content in kwargs.items():
        if key == functions.REST:
            builtin_types.update_dict(m, made, content)
        else:
            builtin_types.set_item(m, made, Const(key), content)
    return made


def _zip(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seqs = [m.iterate(a, node, via="zip()") for a in args]
    if not seqs:
        return List()
    known = min((len(s.items) for s in seqs if s.tail is None), default=max(len(s.items) for s in seqs))
    rows: list[Value] = []
    for position in range(known):
        row = [
            s.items[position] if position < len(s.items) else s.tail if s.tail is not None else UNKNOWN for s in seqs
        ]
        rows.append(Tuple(row))
    more = all(s.tail is not None for s in seqs)
    exact = any(s.tail is None for s in seqs)
    if more:
        tail = Tuple(join(*s.items[known:], s.tail) if s.tail is not None else UNKNOWN for s in seqs)
        return List(rows, tail)
    if exact and all(s.tail is None or len(s.items) >= known for s in seqs):
        return List(rows)
    sure = min(len(s.items) for s in seqs)
    return List(rows[:sure], join(*rows[sure:]) if rows[sure:] else None)


def _enumerate(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="enumerate()") if args else Seq()
    start = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    base = start.value if isinstance(start, Const) and isinstance(start.value, int) else None
    rows = [Tuple((Const(base + i) if base is not None else Concrete("int"), v)) for i, v in enumerate(seq.items)]
    return List(rows, Tuple((Concrete("int"), seq.tail)) if seq.tail is not None else None)


def _reversed(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.LEN, node, proxy, subject=argument(node), via="reversed()")
        return List((), Proxy("tensor"))
    seq = m.iterate(args[0], node, via="reversed()") if args else Seq()
    if seq.tail is None:
        return List(reversed(seq.items))
    return List((), join(*seq.every()))


def _map(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    rows = _zip(m, args[1:], {}, node) if len(args) > 2 else None
    seq = rows.seq if isinstance(rows, List) else m.iterate(args[1], node, via="map()")

    def apply(value: Value) -> Value:
        return m.call(
            args[0], list(value.seq.items) if rows is not None and isinstance(value, Tuple) else [value], {}, node
        )

    return Generator(
        lambda: Seq(
            [apply(v) for v in seq.items[:24]],
            apply(join(*seq.items[24:], seq.tail) if seq.tail is not None else join(*seq.items[24:]))
            if seq.tail is not None or seq.items[24:]
            else None,
        )
    )


def _filter(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) != 2:
        return UNKNOWN
    seq = m.iterate(args[1], node, via="filter()")
    kept: list[Value] = []
    unsure: list[Value] = []
    for value in seq.every():
        test = value if isinstance(args[0], Const) else m.call(args[0], [value], {}, node)
        answer = m.truth(test, node, Hook.BOOL_CALL, "filter()")
        if answer is None or (answer and value is seq.tail):
            unsure.append(value)
        elif answer:
            kept.append(value)
    return List(kept, join(*unsure) if unsure else None)


def _iter(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    seq = m.iterate(args[0], node, via="iter()")
    return List(seq.items, seq.tail)


def _next(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    default = [args[1]] if len(args) > 1 else []
    proxy = may_be_proxy(args[0])
    if proxy is not None:
        m.emit(Hook.ITER, node, proxy, via="next()")
        return Proxy("tensor")
    if isinstance(args[0], List) and args[0].type_name == "list":
        if args[0].seq.items:
            return builtin_methods.method(m, args[0], "pop", [Const(0)], {}, node)
        if args[0].seq.tail is not None:
            return join(args[0].seq.tail, *default)
        if default:
            return default[0]
        raise m.fail("StopIteration", node)
    seq = m.iterate(args[0], node, via="next()")
    if seq.items:
        return seq.items[0]
    if seq.tail is not None:
        return join(seq.tail, *default)
    return default[0] if default else UNKNOWN


TABLE: dict[str, Model] = {
    "list": _sequence("list"),
    "tuple": _sequence("tuple"),
    "set": _sequence("set"),
    "frozenset": _sequence("frozenset"),
    "dict": _dict,
    "sorted": _sorted,
    "zip": _zip,
    "enumerate": _enumerate,
    "reversed": _reversed,
    "map": _map,
    "filter": _filter,
    "iter": _iter,
    "next": _next,
}


from fxlint.interp import builtin_methods, builtin_types, functions  # noqa: E402
