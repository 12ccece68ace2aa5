"""The heap: branches that can be undone and joined.

Each write to a cell goes through `Heap.write`. While a branch runs, a journal remembers the old content of every cell
that existed before the branch began. At the end of the branch the new contents are taken as a delta, the old ones are
put back, and the other branch starts from the same state; where the branches meet, the deltas are joined cell by cell.
So a write under an undecided test is a weak update outside the branch and a strong one within it.

A path that leaves early (return, break, continue, raise) takes a snapshot of all that it wrote; the place where it
arrives joins the snapshots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fxlint.interp.values import MISSING, Mutable, Seq, Value, join

Key = tuple[int, Any]
Delta = dict[Key, tuple[Mutable, Any, Any]]

_ABSENT = object()


class PathEnd(Exception):  # noqa: N818  (no error: how a path of the analyzed code ends)
    """The current path certainly raises: nothing after this place runs on it. `error` is the exception's class name.

    `believed`: the program itself says so (a raise, a wrong arity), not only the analysis.
    """

    def __init__(self, error: str = "Exception", believed: bool = False) -> None:
        super().__init__(error)
        self.error = error
        self.believed = believed


class Heap:
    """All mutable state of one analysis, through its journals.

    `oldest` is the serial of the oldest object written since a caller reset it: calls use it to know that they are
    pure. `epoch` counts writes to objects older than `settled` (the start of the trace): summaries of another epoch are
    stale.
    `error` names the exception that ended the last path.
    """

    def __init__(self) -> None:
        self.journals: list[tuple[int, Delta]] = []
        self.error = "Exception"
        self.oldest = 0
        self.epoch = 0
        self.settled = 0

    def write(self, owner: Mutable, key: Any, value: Any) -> None:
        """Set one cell; `_ABSENT` deletes it."""
        serial = owner.serial
        if serial < self.oldest:
            self.oldest = serial
        if serial < self.settled:
            self.epoch += 1
        if self.journals:
            start, journal = self.journals[-1]
            if serial < start:
                spot = (serial, key)
                if spot not in journal:
                    journal[spot] = (owner, key, owner.cells.get(key, _ABSENT))
        if value is _ABSENT:
            owner.cells.pop(key, None)
        else:
            owner.cells[key] = value

    def delete(self, owner: Mutable, key: Any) -> None:
        """Remove one cell."""
        self.write(owner, key, _ABSENT)

    @property
    def depth(self) -> int:
        """How many branches are open."""
        return len(self.journals)

    def snapshot(self, depth: int) -> Delta:
        """What the current path wrote since `depth` branches were open, with the present contents."""
        found: Delta = {}
        for _, journal in self.journals[depth:]:
            for spot, (owner, key, _old) in journal.items():
                if spot not in found:
                    found[spot] = (owner, key, owner.cells.get(key, _ABSENT))
        return found

    def branch(self, run: Callable[[], bool], start: int) -> tuple[bool, Delta]:
        """Run one branch and undo it. `run` says whether the path arrives at its end."""
        self.journals.append((start, {}))
        try:
            live = run()
        except PathEnd as end:
            self.error = end.error
            live = False
        finally:
            _, journal = self.journals.pop()
            delta: Delta = {}
            for spot, (owner, key, old) in journal.items():
                delta[spot] = (owner, key, owner.cells.get(key, _ABSENT))
                if old is _ABSENT:
                    owner.cells.pop(key, None)
                else:
                    owner.cells[key] = old
        return live, delta

    def fork(self, runs: Iterable[Callable[[], bool]]) -> bool:
        """Run branches from the same state and join those that arrive; False when none does."""
        start = Mutable().serial
        live = []
        for run in runs:
            arrives, delta = self.branch(run, start)
            if arrives:
                live.append(delta)
        if not live:
            return False
        self.merge(live, include_current=False)
        return True

    def merge(self, deltas: list[Delta], include_current: bool) -> None:
        """Write the join of the deltas; a cell that a delta lacks has its present content there."""
        if not deltas:
            return
        if len(deltas) == 1 and not include_current:
            for owner, key, value in deltas[0].values():
                self.write(owner, key, value)
            return
        spots: dict[Key, tuple[Mutable, Any]] = {}
        for delta in deltas:
            for spot, (owner, key, _v) in delta.items():
                spots.setdefault(spot, (owner, key))
        for spot, (owner, key) in spots.items():
            now = owner.cells.get(key, _ABSENT)
            contents = [delta[spot][2] if spot in delta else now for delta in deltas]
            if include_current:
                contents.append(now)
            self.write(owner, key, join_contents(contents))


def join_contents(contents: list[Any]) -> Any:
    """Join cell contents: values, sequences, dict entries; absence becomes the alternative `Missing`."""
    first = contents[0]
    if all(c is first for c in contents):
        return first
    present = [c for c in contents if c is not _ABSENT and c is not None]
    absent = len(present) < len(contents)
    if not present:
        return _ABSENT
    if isinstance(present[0], Value):
        values = [*present, MISSING] if absent else present
        return join(*values)
    if isinstance(present[0], Seq):
        return join_sequences(present)
    if isinstance(present[0], tuple):
        key, value = present[0][0], join(*[p[1] for p in present])
        for other in present[1:]:
            key = join(key, other[0])
        return (key, join(value, MISSING) if absent else value)
    return present[0]


def join_sequences(found: list[Seq]) -> Seq:
    """Elementwise while the lengths agree, a tail from there."""
    shortest = min(len(s.items) for s in found)
    items = [join(*[s.items[i] for s in found]) for i in range(shortest)]
    rest: list[Value] = []
    for seq in found:
        rest.extend(seq.items[shortest:])
        if seq.tail is not None:
            rest.append(seq.tail)
    return Seq(items, join(*rest) if rest else None)
