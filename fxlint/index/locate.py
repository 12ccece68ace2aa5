"""From dotted names to files, as CPython's path finder does it, but from directory listings alone.

For one name, the first root that holds a regular package or a module wins; folders without `__init__.py` are portions
of a namespace package and count only when no root has the real thing. Each folder is listed once in a run, so a
hundred thousand names cost a hundred thousand dictionary look-ups.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

INIT = "__init__.py"


@dataclass(frozen=True, slots=True)
class Located:
    """Where a dotted name lives: `path` is its file (none for a namespace package), `folders` hold its submodules."""

    path: str | None
    folders: tuple[str, ...] = ()


class Folders:
    """Directory listings, read once: entry name → whether it is a folder."""

    __slots__ = ("_listings",)

    def __init__(self) -> None:
        """Start with nothing read."""
        self._listings: dict[str, dict[str, bool]] = {}

    def listing(self, folder: str) -> dict[str, bool]:
        """What the folder holds; nothing when it cannot be read."""
        found = self._listings.get(folder)
        if found is None:
            try:
                with os.scandir(folder or ".") as entries:
                    found = {entry.name: entry.is_dir() for entry in entries}
            except OSError:
                found = {}
            self._listings[folder] = found
        return found

    def is_package(self, folder: str) -> bool:
        """Whether the folder is a regular package."""
        return INIT in self.listing(folder)

    def forget(self) -> None:
        """Drop every listing: files may have come or gone."""
        self._listings.clear()


class Locator:
    """Resolves dotted names against one ordered list of roots, and remembers every answer.

    `mapped` names packages that live outside any root (editable installs); roots go first.
    """

    __slots__ = ("_folders", "_known", "_mapped", "roots")

    def __init__(self, folders: Folders, roots: tuple[str, ...], mapped: Mapping[str, str] | None = None) -> None:
        """Search `roots` in order."""
        self.roots = roots
        self._folders = folders
        self._mapped = mapped or {}
        self._known: dict[str, Located | None] = {}

    def find(self, dotted: str) -> Located | None:
        """Where the absolute name lives, if anywhere."""
        try:
            return self._known[dotted]
        except KeyError:
            pass
        parent, _, child = dotted.rpartition(".")
        if not child or (not parent and "." in dotted):
            found = None
        elif parent:
            above = self.find(parent)
            found = self._in(above.folders, child) if above is not None else None
        else:
            found = self._in(self.roots, child)
        if (found is None or found.path is None) and dotted in self._mapped:
            found = self._at(self._mapped[dotted]) or found
        self._known[dotted] = found
        return found

    def _in(self, folders: tuple[str, ...], name: str) -> Located | None:
        portions: list[str] = []
        file = name + ".py"
        for folder in folders:
            entries = self._folders.listing(folder)
            if entries.get(name):
                inner = os.path.join(folder, name)
                if self._folders.is_package(inner):
                    return Located(os.path.join(inner, INIT), (inner,))
                portions.append(inner)
            if entries.get(file) is False:
                return Located(os.path.join(folder, file))
        return Located(None, tuple(portions)) if portions else None

    def _at(self, target: str) -> Located | None:
        if os.path.isdir(target):
            init = os.path.join(target, INIT)
            return Located(init if os.path.isfile(init) else None, (target,))
        if os.path.isfile(target + ".py"):
            return Located(target + ".py")
        return Located(target) if target.endswith(".py") and os.path.isfile(target) else None
