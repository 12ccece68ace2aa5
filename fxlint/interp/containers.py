"""Abstract containers: what is known of them element by element, then what any further element may be."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fxlint.interp.scalars import Value

if TYPE_CHECKING:
    from fxlint.interp.objects import Class, Instance

_serial = itertools.count(1)


class Seq:
    """What iterating gives: known items, then any number of `tail`s (None: nothing more)."""

    __slots__ = ("items", "tail")

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None) -> None:
        self.items = tuple(items)
        self.tail = tail

    def every(self) -> Iterator[Value]:
        """Each value that may occur."""
        yield from self.items
        if self.tail is not None:
            yield self.tail

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (tuple(i.kind for i in self.items), self.tail.kind if self.tail else None)


class Tuple(Value):
    """A tuple, or a NamedTuple's instance (`cls` then has the field names)."""

    __slots__ = ("cls", "seq")

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None, cls: Class | None = None) -> None:
        self.seq = Seq(items, tail)
        self.cls = cls

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("tuple", self.seq.kind, id(self.cls))


class Slice(Value):
    """A slice object."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower, self.upper, self.step = lower, upper, step

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("slice", self.lower.kind, self.upper.kind, self.step.kind)

    def parts(self) -> tuple[Value, Value, Value]:
        """Lower, upper, step."""
        return (self.lower, self.upper, self.step)


class Mutable(Value):
    """A value with identity. `cells` holds its contents; `serial` orders allocations: the heap knows what is new."""

    __slots__ = ("cells", "serial")

    def __init__(self) -> None:
        self.cells: dict[Any, Any] = {}
        self.serial = next(_serial)


_KIND_DEPTH = 4


class List(Mutable):
    """A list, deque or set (`type_name` says which). The whole content is one cell, so that joins stay elementwise."""

    __slots__ = ("type_name",)

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None, type_name: str = "list") -> None:
        super().__init__()
        self.cells["seq"] = Seq(items, tail)
        self.type_name = type_name

    @property
    def seq(self) -> Seq:
        """The current content."""
        seq: Seq = self.cells["seq"]
        return seq

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (self.type_name, _bounded(lambda: self.seq.kind, self))


class Dict(Mutable):
    """A dict. Cells: the kind of a key → (key, value); `rest`: any further entries (key, value), if some may be.

    `mirror`: the instance whose `__dict__` this is; writes reach it.
    """

    __slots__ = ("default_factory", "mirror", "type_name")

    def __init__(self, type_name: str = "dict") -> None:
        super().__init__()
        self.type_name = type_name
        self.default_factory: Value | None = None
        self.mirror: Instance | None = None

    @property
    def entries(self) -> dict[Hashable, tuple[Value, Value]]:
        """Kind of key → (key, value), without the rest."""
        return {k: v for k, v in self.cells.items() if k != "rest"}

    @property
    def rest(self) -> tuple[Value, Value] | None:
        """Key and value of the entries that are not known one by one."""
        found: tuple[Value, Value] | None = self.cells.get("rest")
        return found

    def every_entry(self) -> list[tuple[Value, Value]]:
        """Each key and value, those that are not known one by one included."""
        return [*self.entries.values(), *([self.rest] if self.rest is not None else [])]

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("dict", _bounded(lambda: tuple((k, v[1].kind) for k, v in self.cells.items() if v is not None), self))


_active: set[int] = set()


def _bounded(compute: Callable[[], Hashable], owner: Mutable) -> Hashable:
    """Kinds of nested containers, cut where they nest too deep or contain themselves."""
    if id(owner) in _active or len(_active) >= _KIND_DEPTH:
        return ("id", owner.serial)
    _active.add(id(owner))
    try:
        return compute()
    finally:
        _active.discard(id(owner))
