"""Work that is done again only when something that it looked at has changed.

Nobody watches files and nobody is told of a change. While a value is computed, what it *reads* is recorded: the
contents of files, and import names that led nowhere (a new file may answer them). The value is used again while each
of its reads still has the same *fingerprint*. A value computed within another passes its reads on, also when it is
reused.

    memo.use(project)                           # the files as they are now
    memo.get("pkg.net.Net", lambda: run(root))  # runs, and remembers that net.py and block.py were read
    memo.use(edited)                            # block.py has changed
    memo.get("pkg.net.Net", lambda: run(root))  # runs again; a root that never read block.py would not

Reads are recorded where the index is asked (`ModuleFile.source`, `Resolver`). A cache above the index must note what
its entry had read when it hands it out: `project.reads.note(…)`.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")

FORMAT = 1


class ReadLog:
    """Who reads what: every open recording gets each read that is noted while it is open."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        """Nobody records yet."""
        self._open: list[set[str]] = []

    def note(self, read: str) -> None:
        """Something was read: the full path of a file, or an import name (see `Project.fingerprint`)."""
        if self._open:
            self._open[-1].add(read)

    def note_all(self, reads: Iterable[str]) -> None:
        """Reads of a value that is used again."""
        if self._open:
            self._open[-1].update(reads)

    @contextmanager
    def recording(self) -> Iterator[set[str]]:
        """Collect the reads of a block, which also count for whoever records around it."""
        reads: set[str] = set()
        self._open.append(reads)
        try:
            yield reads
        finally:
            self._open.pop()
            self.note_all(reads)


class Files(Protocol):
    """What a memo needs of a project."""

    @property
    def reads(self) -> ReadLog:
        """Where reads are noted."""

    def fingerprint(self, read: str) -> str:
        """What a read finds now."""


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A value and the fingerprints of all that was read to compute it."""

    value: T
    reads: Mapping[str, str]


class Memo(Generic[T]):
    """Values by key, each good for as long as its reads are. `recomputed` has the keys computed since `use`."""

    def __init__(self, entries: Mapping[str, Entry[T]] | None = None) -> None:
        """Start with what an earlier run left, if anything."""
        self._entries: dict[str, Entry[T]] = dict(entries or {})
        self._good: set[str] = set()
        self._running: set[str] = set()
        self._files: Files | None = None
        self.recomputed: list[str] = []

    def use(self, files: Files) -> None:
        """From now on answer for these files; what is known is checked again when it is asked for."""
        self._files = files
        self._good.clear()
        self.recomputed = []

    def get(self, key: str, compute: Callable[[], T]) -> T:
        """The value for `key`: the known one when nothing it read has changed, else a new one.

        Raises `RuntimeError` when computing the value asks for the value.
        """
        files = self._files
        if files is None:
            raise RuntimeError("a memo needs files to answer for: call use() first")
        known = self._entries.get(key)
        if known is not None and self._is_good(key, known, files):
            files.reads.note_all(known.reads)
            return known.value
        if key in self._running:
            raise RuntimeError(f"{key} depends on itself")
        self._running.add(key)
        try:
            with files.reads.recording() as reads:
                value = compute()
        finally:
            self._running.discard(key)
        self.recomputed.append(key)
        self._entries[key] = Entry(value, {read: files.fingerprint(read) for read in sorted(reads)})
        self._good.add(key)
        return value

    def entries(self) -> Mapping[str, Entry[T]]:
        """What is known, good or not."""
        return self._entries

    def keep(self, keys: Iterable[str]) -> None:
        """Forget all other keys: their subjects are gone."""
        wanted = set(keys)
        self._entries = {key: entry for key, entry in self._entries.items() if key in wanted}

    def _is_good(self, key: str, entry: Entry[T], files: Files) -> bool:
        if key not in self._good:
            if any(files.fingerprint(read) != found for read, found in entry.reads.items()):
                return False
            self._good.add(key)
        return True


def save(path: Path, memo: Memo[T], encode: Callable[[T], Any], version: str) -> None:
    """Write a memo as JSON, in one step: a reader sees the old file or the new one.

    Paths and fingerprints are stored once each, since most roots read the same files.
    """
    reads: dict[tuple[str, str], int] = {}
    rows = []
    for key, entry in memo.entries().items():
        numbers = [reads.setdefault(item, len(reads)) for item in entry.reads.items()]
        rows.append([key, encode(entry.value), numbers])
    document = {"format": FORMAT, "version": version, "reads": list(reads), "entries": rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump(document, file, separators=(",", ":"))
        os.replace(scratch, path)
    except BaseException:
        os.unlink(scratch)
        raise


def load(path: Path, decode: Callable[[Any], T], version: str) -> Memo[T]:
    """Read a memo; one that is missing, damaged or of another version is empty: all of it can be redone."""
    try:
        document = json.loads(path.read_text(encoding="utf-8", errors="surrogatepass"))
        if document["format"] != FORMAT or document["version"] != version:
            return Memo()
        reads = [(str(read), str(found)) for read, found in document["reads"]]
        return Memo(
            {
                str(key): Entry(decode(value), dict(reads[number] for number in numbers))
                for key, value, numbers in document["entries"]
            }
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
        return Memo()
