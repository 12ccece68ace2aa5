"""Abstract values: what a Python value can be while `symbolic_trace` runs.

    Const(3)        this very number, string, None …
    Concrete("int") a real Python value, which one is not known: a config entry, a constructor argument
    Proxy           torch.fx's stand-in; asking it anything is an event
    RealTensor      a tensor that exists while tracing (buffers, factories): it computes, so its results are baked
    ParameterValue  an nn.Parameter as an object; read from a module under trace it becomes a Proxy
    Tuple, List …   containers of values
    Instance …      what programs are made of: functions, classes, modules and their objects
    Union           one of several

Every value has a `kind`: a hashable summary, equal for values that no interpreted code can tell apart. Joins and call
summaries compare kinds. Containers and instances are mutable; what they hold lives in `cells`, written through the
heap.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from fxlint.interp import limits
from fxlint.interp.containers import Dict, List, Mutable, Seq, Slice, Tuple
from fxlint.interp.objects import (
    UNNAMED,
    BoundMethod,
    Class,
    Descriptor,
    External,
    Function,
    Generator,
    Instance,
    Lazy,
    ModuleValue,
    NativeMethod,
    Partial,
    Scope,
    Super,
)
from fxlint.interp.scalars import (
    CONCRETE,
    FALSE,
    MISSING,
    NONE,
    PROXY_CLASS,
    TRUE,
    UNKNOWN,
    Concrete,
    Const,
    Missing,
    ParameterValue,
    Proxy,
    RealTensor,
    Unknown,
    Value,
)

__all__ = [
    "CONCRETE",
    "FALSE",
    "MISSING",
    "NONE",
    "PROXY_CLASS",
    "TRUE",
    "UNKNOWN",
    "UNNAMED",
    "BoundMethod",
    "Class",
    "Concrete",
    "Const",
    "Descriptor",
    "Dict",
    "External",
    "Function",
    "Generator",
    "Instance",
    "Lazy",
    "List",
    "Missing",
    "ModuleValue",
    "Mutable",
    "NativeMethod",
    "ParameterValue",
    "Partial",
    "Proxy",
    "RealTensor",
    "Scope",
    "Seq",
    "Slice",
    "Super",
    "Tuple",
    "Union",
    "Unknown",
    "Value",
    "alternatives",
    "holds_proxy",
    "is_none",
    "join",
    "may_be_proxy",
    "members",
    "without",
]


class Union(Value):
    """One of several values. Built by `join` only: flat, distinct kinds, bounded."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        self.members = members

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("union", frozenset(m.kind for m in self.members))


def members(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value."""
    return value.members if isinstance(value, Union) else (value,)


def alternatives(left: Value, right: Value) -> list[tuple[Value, Value]]:
    """Each alternative of one value with each of the other's, absent ones left out."""
    return [
        (a, b)
        for a in members(left)
        for b in members(right)
        if not isinstance(a, Missing) and not isinstance(b, Missing)
    ]


def join(*values: Value) -> Value:
    """The value that may be any of the given ones, bounded by `limits`."""
    if len(values) == 2 and values[0] is values[1]:
        return values[0]
    found: dict[Hashable, Value] = {}
    for value in values:
        for member in members(value):
            found.setdefault(member.kind, member)
        if len(found) > limits.CANDIDATES:
            found["unknown"] = Unknown("too many alternatives")
            break
    if len(found) == 1:
        return next(iter(found.values()))
    return _build(list(found.values()))


def _build(alternatives: list[Value]) -> Value:
    kept: list[Value] = []
    proxies = [a for a in alternatives if isinstance(a, Proxy)]
    if proxies:
        kept.append(proxies[0] if len(proxies) == 1 else _merge_proxies(proxies))
    by_size: dict[tuple[int, int], Tuple] = {}
    numbers: dict[str, list[Const]] = {}
    for value in alternatives:
        if isinstance(value, Proxy):
            continue
        if isinstance(value, Tuple) and value.seq.tail is None:
            key = (len(value.seq.items), id(value.cls))
            old = by_size.get(key)
            if old is not None:
                pairs = zip(old.seq.items, value.seq.items, strict=True)
                by_size[key] = Tuple((join(a, b) for a, b in pairs), None, value.cls)
            else:
                by_size[key] = value
        elif isinstance(value, Const) and type(value.value) in (int, float, str):
            numbers.setdefault(type(value.value).__name__, []).append(value)
        else:
            kept.append(value)
    kept.extend(by_size.values())
    for name, constants in numbers.items():
        if len(constants) > limits.CONSTANTS:
            if not any(isinstance(k, Concrete) and k.hint == name for k in kept):
                kept.append(Concrete(name))
        else:
            kept.extend(constants)
    if len(kept) > limits.ALTERNATIVES:
        kept = _widen(kept)
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def _merge_proxies(proxies: list[Proxy]) -> Proxy:
    flavours = {p.flavour for p in proxies}
    params = {p.param for p in proxies}
    return Proxy(
        flavours.pop() if len(flavours) == 1 else "tensor",
        param=params.pop() if len(params) == 1 else "",
        low=all(p.low for p in proxies),
        optional=any(p.optional for p in proxies),
        source=proxies[0].source,
    )


def _widen(kept: list[Value]) -> list[Value]:
    """Keep what matters most for events: Proxies, None, tensors and modules; the plain rest becomes Concrete."""
    strong: list[Value] = []
    rest: list[Value] = []
    for value in kept:
        matters = isinstance(value, (Proxy, RealTensor, Missing)) or (isinstance(value, Const) and value.value is None)
        (strong if matters else rest).append(value)
    room = max(limits.ALTERNATIVES - len(strong) - 1, 1)
    chosen: list[Value] = []
    chosen += [v for v in rest if isinstance(v, (Instance, Function, Class, Unknown))][:room]
    chosen += [v for v in rest if not isinstance(v, (Instance, Function, Class, Unknown))][: room - len(chosen)]
    return [*strong, *chosen, Unknown("too many alternatives")]


def without(value: Value, drop: Callable[[Value], bool]) -> Value | None:
    """The value without the alternatives for which `drop` holds; None when nothing is left."""
    if not isinstance(value, Union):
        return None if drop(value) else value
    kept = [m for m in value.members if not drop(m)]
    if not kept:
        return None
    if len(kept) == len(value.members):
        return value
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def is_none(value: Value) -> bool:
    """Whether the value is the constant None."""
    return isinstance(value, Const) and value.value is None


def may_be_proxy(value: Value) -> Proxy | None:
    """A Proxy among the alternatives, if there is one."""
    for member in members(value):
        if isinstance(member, Proxy):
            return member
    return None


def holds_proxy(value: Value, depth: int = 4) -> Proxy | None:
    """A Proxy in the value or in the containers it holds, as `torch.fx` would find it in an argument."""
    for member in members(value):
        if isinstance(member, Proxy):
            return member
        if depth <= 0:
            continue
        inner: Iterable[Value] = ()
        if isinstance(member, (Tuple, List)):
            inner = member.seq.every()
        elif isinstance(member, Dict):
            inner = [v for _, v in (e for e in member.cells.values() if e is not None)]
        elif isinstance(member, Slice):
            inner = member.parts()
        for item in inner:
            found = holds_proxy(item, depth - 1)
            if found is not None:
                return found
    return None
