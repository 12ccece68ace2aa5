"""Python's method resolution order (C3) over classes that may be wrong.

A program under check may have a cycle of bases or an order that Python refuses. The answer then says so and still holds
an order that can be worked with: every class once, a class before its bases where that is possible.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

C = TypeVar("C", bound=Hashable)


class Flaw(enum.Enum):
    """Why Python would refuse the class statement."""

    CYCLE = "cycle"
    INCONSISTENT = "inconsistent"


@dataclass(frozen=True, slots=True)
class Linearization(Generic[C]):
    """A class followed by the classes it inherits from, in look-up order; `flaw` when it is not the order of C3."""

    order: tuple[C, ...]
    flaw: Flaw | None = None


class Linearizer(Generic[C]):
    """Resolution orders under one relation of direct bases; every order is kept."""

    def __init__(self, bases: Callable[[C], Sequence[C]]) -> None:
        """Ask `bases` for the direct bases of a class, in the order of the text."""
        self.bases = bases
        self.done: dict[C, Linearization[C]] = {}
        self.active: set[C] = set()

    def of(self, start: C) -> Linearization[C]:
        """The resolution order of `start`."""
        known = self.done.get(start)
        if known is not None:
            return known
        if start in self.active:
            return Linearization((start,), Flaw.CYCLE)
        self.active.add(start)
        # A class named twice among the bases is refused by Python; one mention is enough to go on.
        bases = list(dict.fromkeys(self.bases(start)))
        above = [self.of(base) for base in bases]
        self.active.discard(start)
        flaw = next((found.flaw for found in above if found.flaw is not None), None)
        if flaw is None and len(bases) < len(self.bases(start)):
            flaw = Flaw.INCONSISTENT
        merged = None if flaw is not None else _merge([list(found.order) for found in above] + [bases])
        if merged is not None:
            result = Linearization((start, *merged))
        else:
            rough = dict.fromkeys([start, *_last_first(found.order for found in above)])
            result = Linearization(tuple(rough), flaw or Flaw.INCONSISTENT)
        if not self.active or flaw is not Flaw.CYCLE:
            self.done[start] = result
        return result


def _merge(rows: list[list[C]]) -> list[C] | None:
    """C3's merge: the first head that no row has in its tail; none when there is none."""
    order: list[C] = []
    rows = [row for row in rows if row]
    while rows:
        head = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), None)
        if head is None:
            return None
        order.append(head)
        rows = [rest for row in rows if (rest := row[1:] if row[0] == head else row)]
    return order


def _last_first(orders: Iterator[tuple[C, ...]]) -> list[C]:
    """Every class once, at its last place, so that a shared base comes after all that inherit from it."""
    flat = [item for order in orders for item in order]
    return list(dict.fromkeys(reversed(flat)))[::-1]
