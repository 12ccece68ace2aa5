"""Which files a run looks at: folders are walked, explicit files are always taken.

Under a folder, a file is taken when it matches `include`, matches no `exclude`, and git would not ignore it. Every
folder is entered once, however many links lead there, so that a loop of links ends. The order is that of the names, so
that two runs say the same in the same order.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from fxlint.model.config import Config

SKIPPED_FOLDERS = frozenset(
    (
        ".bzr .cache .direnv .eggs .git .hg .ipynb_checkpoints .mypy_cache .nox .pytest_cache .ruff_cache .svn .tox "
        ".venv .vscode __pycache__ __pypackages__ node_modules site-packages venv"
    ).split()
)

Rules = pathspec.GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a run in order, and the sentences about what could not be looked at."""

    files: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ignore:
    """One .gitignore: the folder that its patterns are relative to, and the patterns."""

    folder: str
    rules: Rules

    def verdict(self, path: str, is_folder: bool) -> bool | None:
        """True: ignored; False: explicitly not; None: says nothing."""
        name = os.path.relpath(path, self.folder).replace(os.sep, "/")
        return self.rules.check_file(name + "/" if is_folder else name).include


class _Walk:
    """One walk over the given paths: what was seen so far, and what to skip."""

    def __init__(self, config: Config, base: Path | None) -> None:
        self.config = config
        self.base = base
        self.include = Rules.from_lines(config.include)
        self.exclude = Rules.from_lines(config.exclude)
        self.seen_folders: set[tuple[int, int]] = set()
        self.problems: list[str] = []

    def files(self, path: str) -> Iterator[str]:
        """The files that one given path stands for."""
        if not os.path.isdir(path):
            if os.path.exists(path):
                yield path
            else:
                self.problems.append(f"{path}: no such file or folder")
            return
        above = _ignores_above(path) if self.config.respect_gitignore else []
        yield from self._folder(path, path, above)

    def _folder(self, top: str, folder: str, ignores: list[_Ignore]) -> Iterator[str]:
        pending = [(folder, ignores)]
        while pending:
            folder, ignores = pending.pop()
            try:
                status = os.stat(folder)
                entries = sorted(os.listdir(folder))
            except OSError as error:
                self.problems.append(f"{folder}: cannot be read: {error.strerror or error}")
                continue
            identity = (status.st_dev, status.st_ino)
            if identity in self.seen_folders:
                continue
            self.seen_folders.add(identity)
            if self.config.respect_gitignore:
                ignores = [*ignores, *_ignore_in(folder)]
            folders: list[str] = []
            for name in entries:
                path = os.path.join(folder, name) if folder != os.curdir else name
                is_folder = os.path.isdir(path)
                if self._skipped(top, path, name, is_folder, ignores):
                    continue
                if is_folder:
                    folders.append(path)
                elif self.include.match_file(name) and os.path.isfile(path):
                    yield path
            pending.extend((child, ignores) for child in reversed(folders))

    def _skipped(self, top: str, path: str, name: str, is_folder: bool, ignores: list[_Ignore]) -> bool:
        if is_folder and name in SKIPPED_FOLDERS:
            return True
        if self.config.exclude:
            start = top if self.base is None else str(self.base)
            relative = os.path.relpath(os.path.abspath(path), os.path.abspath(start)).replace(os.sep, "/")
            if not relative.startswith("../") and self.exclude.match_file(relative + "/" if is_folder else relative):
                return True
        for ignore in reversed(ignores):
            verdict = ignore.verdict(path, is_folder)
            if verdict is not None:
                return verdict
        return False


def discover(paths: Sequence[str], config: Config, base: Path | None = None) -> Found:
    """The files that `paths` stand for; `exclude` is relative to `base`, else to each given folder."""
    walk = _Walk(config, base)
    files: dict[str, None] = {}
    known: set[str] = set()
    for path in paths:
        for file in walk.files(os.path.normpath(path) if path else path):
            absolute = os.path.realpath(file)
            if absolute not in known:
                known.add(absolute)
                files[file] = None
    return Found(tuple(files), tuple(walk.problems))


def _ignore_in(folder: str) -> list[_Ignore]:
    try:
        lines = Path(folder, ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    try:
        return [_Ignore(folder, Rules.from_lines(lines))]
    except ValueError:
        return []


def _ignores_above(folder: str) -> list[_Ignore]:
    """The .gitignore files between a given folder and the top of its repository.

    None when they ignore the folder itself: who names a folder wants it looked at.
    """
    start = os.path.abspath(folder)
    if os.path.exists(os.path.join(start, ".git")):
        return []
    found: list[_Ignore] = []
    for parent in Path(start).parents:
        found = [*_ignore_in(str(parent)), *found]
        if (parent / ".git").exists():
            ignored = any(ignore.verdict(start, True) for ignore in found)
            return [] if ignored else found
    return []
