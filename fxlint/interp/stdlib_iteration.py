"""collections, functools, itertools: containers, and calls made for each element of something iterated."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.library import Model
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    List,
    Partial,
    Seq,
    Tuple,
    Value,
    join,
    may_be_proxy,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def collection(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call a class of `collections` that holds like a list or a dict, or its `fromkeys`."""
    name = path.split(".")[1]
    if name == "deque":
        made_list = builtin_functions.call_by_name(m, "list", args[:1], {}, node)
        if isinstance(made_list, List):
            made_list.type_name = "deque"
        return made_list
    if path.endswith(".fromkeys"):
        return builtin_functions.call_by_name(m, "dict.fromkeys", args, kwargs, node)
    if name == "defaultdict":
        made = builtin_functions.call_by_name(m, "dict", args[1:], kwargs, node)
        if isinstance(made, Dict):
            made.default_factory = args[0] if args and not (isinstance(args[0], Const)) else None
            made.type_name = "defaultdict"
        return made
    if name == "Counter":
        counted = Dict()
        counted.cells["rest"] = (CONCRETE, Concrete("int"))
        return counted
    made = builtin_functions.call_by_name(m, "dict", args, kwargs, node)
    if isinstance(made, Dict):
        made.type_name = name
    return made


def _namedtuple(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    hosts = [builtin_types.to_host(a) for a in args[:2]]
    if len(hosts) < 2 or not isinstance(hosts[0], str):
        return UNKNOWN
    fields = hosts[1]
    names = (
        fields.replace(",", " ").split()
        if isinstance(fields, str)
        else [f if isinstance(f, str) else f[0] for f in fields]
        if isinstance(fields, (list, tuple))
        else []
    )
    defaults = (
        m.iterate(kwargs["defaults"], node).items
        if "defaults" in kwargs and not isinstance(kwargs["defaults"], Const)
        else ()
    )
    return classes.namedtuple_class(m, hosts[0], names, defaults[-len(names) :] if names else ())


def _partial(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Partial(args[0], tuple(args[1:]), dict(kwargs)) if args else UNKNOWN


def _reduce(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    seq = m.iterate(args[1], node, via="functools.reduce")
    values = list(seq.items)
    total = args[2] if len(args) > 2 else values.pop(0) if values else seq.tail or UNKNOWN
    for value in values[:24]:
        total = m.call(args[0], [total, value], {}, node)
    if seq.tail is not None:
        total = join(total, m.call(args[0], [total, seq.tail], {}, node))
    return total


def _chain(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    found = Seq()
    for value in args:
        more = m.iterate(value, node, via="itertools.chain")
        found = (
            Seq((*found.items, *more.items), more.tail)
            if found.tail is None
            else Seq(found.items, join(found.tail, *more.every()))
        )
    return List(found.items, found.tail)


def _chain_from(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    outer = m.iterate(args[0], node, via="itertools.chain") if args else Seq()
    found = _chain(m, outer.items, {}, node)
    if outer.tail is not None and isinstance(found, List):
        inner = list(m.iterate(outer.tail, node, via="itertools.chain").every())
        return List(
            found.seq.items, join(*inner, *([found.seq.tail] if found.seq.tail else [])) if inner else found.seq.tail
        )
    return found


def _combined(name: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seqs = [
            m.iterate(a, node, via=f"itertools.{name}")
            for a in (args if name in ("product", "zip_longest") else args[:1])
        ]
        exact = all(s.tail is None for s in seqs)
        if exact and seqs:
            size = (
                builtin_types.to_host(args[1]) if len(args) > 1 and name in ("combinations", "permutations") else None
            )
            repeat = builtin_types.to_host(kwargs["repeat"]) if "repeat" in kwargs else 1
            pools = [s.items for s in seqs]
            rows: list[tuple[Value, ...]] | None = None
            if name == "product" and isinstance(repeat, int) and math.prod(len(p) for p in pools) ** repeat <= 128:
                rows = list(itertools.product(*pools, repeat=repeat))
            elif name in ("combinations", "permutations") and isinstance(size, int) and len(pools[0]) <= 6:
                rows = list(getattr(itertools, name)(pools[0], size))
            elif name == "zip_longest":
                rows = list(itertools.zip_longest(*pools, fillvalue=kwargs.get("fillvalue", NONE)))
            elif name == "pairwise":
                rows = list(itertools.pairwise(pools[0]))
            if rows is not None:
                return List(Tuple(r) for r in rows)
        every = [v for s in seqs for v in s.every()]
        return List((), Tuple((), join(*every)) if every else UNKNOWN)

    return run


def _islice(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="itertools.islice") if args else Seq()
    for bound in args[1:]:
        proxy = may_be_proxy(bound)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via="itertools.islice")
    hosts = [builtin_types.to_host(a) for a in args[1:]]
    if seq.tail is None and all(h is None or isinstance(h, int) for h in hosts):
        return List(itertools.islice(seq.items, *hosts))
    return List((), join(*seq.every())) if list(seq.every()) else List()


def _accumulate(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="itertools.accumulate") if args else Seq()
    if seq.tail is not None or not seq.items:
        return List((), join(*seq.every())) if list(seq.every()) else List()
    found = [seq.items[0]]
    for value in seq.items[1:]:
        found.append(
            m.call(args[1], [found[-1], value], {}, node)
            if len(args) > 1
            else operators.binary(m, ast.Add(), found[-1], value, node)
        )
    return List(found)


def _repeat(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    count = args[1] if len(args) > 1 else kwargs.get("times")
    if isinstance(count, Const) and isinstance(count.value, int) and 0 <= count.value <= 64:
        return List([args[0]] * count.value)
    return List((), args[0]) if args else UNKNOWN


def _cycle(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    every = list(m.iterate(args[0], node).every()) if args else []
    return List((), join(*every)) if every else UNKNOWN


def _count(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return List((), Concrete("int"))


def _starmap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[1], node, via="itertools.starmap") if len(args) == 2 else Seq()
    rows = [m.iterate(v, node, via="itertools.starmap") for v in seq.items]
    return List(
        [m.call(args[0], list(r.items), {}, node) for r in rows[:24]], UNKNOWN if seq.tail is not None else None
    )


def _singledispatch(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return UNKNOWN


TABLE: dict[str, Model] = {
    "collections.namedtuple": _namedtuple,
    "typing.NamedTuple": _namedtuple,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.reduce": _reduce,
    "functools.singledispatch": _singledispatch,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from,
    "itertools.product": _combined("product"),
    "itertools.combinations": _combined("combinations"),
    "itertools.permutations": _combined("permutations"),
    "itertools.zip_longest": _combined("zip_longest"),
    "itertools.pairwise": _combined("pairwise"),
    "itertools.islice": _islice,
    "itertools.accumulate": _accumulate,
    "itertools.repeat": _repeat,
    "itertools.count": _count,
    "itertools.cycle": _cycle,
    "itertools.starmap": _starmap,
}


from fxlint.interp import builtin_functions, builtin_types, classes, operators  # noqa: E402
