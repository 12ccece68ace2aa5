"""The files of a run, and which file an import names.

A *checked* file is one the user asked about; findings are reported only there. Every other file is found through an
import, read only when somebody looks at it, and never run. A *root* is a folder whose entries can be imported:

    repo/
      pyproject.toml            the marker: searching upwards ends here
      src/net/__init__.py       src/ is a root, for everybody
      src/net/block.py          module "net.block"
      tools/train.py            a script: module "train"; tools/ is a root for this file, then repo/
      tools/ops.py

A script's own folder comes first for that script alone, so a hundred folders may each hold their own `ops.py`. Next
come the package roots of the project (packages lying beside a checked one included), and last the environment's
packages.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from fxlint.index.environment import locate
from fxlint.index.locate import INIT, Folders, Located, Locator
from fxlint.index.memo import ReadLog
from fxlint.index.symbols import Relative, Symbols, collect
from fxlint.syntax.source import Source, UnreadableSourceError

MARKERS = ("pyproject.toml", "setup.py", "setup.cfg", ".git", ".hg")
# Folders without `__init__.py` between a file and the package above it that still count as part of the package.
NAMESPACE_GAP = 2
# How far above a script to look for roots when neither a marker nor a checked folder bounds the search.
UNBOUNDED_PARENTS = 2

# Starts a recorded read that is a name looked up from a folder, not a file; no path holds it.
_IMPORT = "\0"

# Modelled by hand or by data, never followed.
OPAQUE = frozenset(sys.stdlib_module_names) | {"torch", "numpy"}


class ModuleFile:
    """One Python file known to the run; read and parsed when first looked at, once.

    `name` is the absolute dotted name ("timm.layers.drop"); a script gets its stem. `path` is as the user gave it.
    `root` is the folder that `name` starts from.
    """

    __slots__ = ("_path", "_reads", "_source", "_symbols", "checked", "is_package", "name", "path", "root")

    def __init__(
        self,
        name: str,
        path: str,
        root: str,
        *,
        checked: bool,
        source: Source | None = None,
        full: str = "",
        reads: ReadLog | None = None,
    ) -> None:
        """Describe a file without reading it; `full` is its absolute path when `path` is not."""
        self.name = name
        self.path = path
        self.root = root
        self.checked = checked
        self.is_package = os.path.basename(path) == INIT
        self._path = full or path
        self._reads = reads or ReadLog()
        self._source = source
        self._symbols: Symbols | None = None

    @property
    def folder(self) -> str:
        """The folder the file lies in, as an absolute path."""
        return os.path.dirname(self._path)

    @property
    def full_path(self) -> str:
        """The absolute path: the file's identity within a project."""
        return self._path

    @property
    def package(self) -> str:
        """The dotted name that `from . import x` starts from; empty for a script."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def source(self) -> Source:
        """The text; nothing of it when the file cannot be read."""
        self._reads.note(self._path)
        if self._source is None:
            self._source = _read(self.path, self._path)
        return self._source

    @property
    def tree(self) -> ast.Module:
        """The syntax tree; an empty module when the file cannot be read or does not parse."""
        return self.source.tree

    def symbols(self, relative: Relative) -> Symbols:
        """What the top level binds; ask `Project.symbols`, which knows how relative imports resolve."""
        if self._symbols is None:
            self._symbols = collect(self.tree, self.source.text, relative)
        return self._symbols

    def forget(self) -> None:
        """Let go of the tree, and of the text where the disk still has it; both come back when asked for.

        A node that was taken from the tree before is another object than the one in the next tree.
        """
        self._symbols = None
        if not self.checked:
            self._source = None
        elif self._source is not None:
            self._source.forget_tree()

    def __repr__(self) -> str:
        """Name and path."""
        return f"ModuleFile({self.name!r}, {self.path!r})"


class Project:
    """The checked files, and every file that imports lead to.

    `search` holds the folders (or files) that the user named, `python` the interpreter whose packages are looked at.
    """

    def __init__(self, checked: Sequence[Source], *, python: str | None = None, search: Sequence[Path] = ()) -> None:
        """Deduce the roots; nothing is parsed."""
        self.reads = ReadLog()
        self._fingerprints: dict[str, str] = {}
        self._folders = Folders()
        self._by_path: dict[str, ModuleFile] = {}
        self._locators: dict[str, Locator] = {}
        self._bounds: dict[str, str | None] = {}
        self._relative = any(not os.path.isabs(source.path) for source in checked)
        named = [os.path.abspath(path) for path in search]
        self._named = tuple(dict.fromkeys(path if os.path.isdir(path) else os.path.dirname(path) for path in named))
        self.checked: tuple[ModuleFile, ...] = tuple(self._checked_file(source) for source in checked)
        own = dict.fromkeys(module.root for module in self.checked if "." in module.name or module.is_package)
        for folder in self._named:
            own.update(dict.fromkeys(self._roots_of_named(folder)))
        self._shared = tuple(own)
        self._scripts = tuple(dict.fromkeys(m.folder for m in self.checked if not self._folders.is_package(m.folder)))
        near = dict.fromkeys(above for root in (*own, *self._scripts) for above in self._upwards(root))
        self.environment = locate(python, tuple(near))

    def find(self, dotted: str, origin: ModuleFile | None = None) -> ModuleFile | None:
        """The file that the absolute name `dotted` means in `origin` (its own folder or package root goes first).

        A namespace package has no file; see `is_namespace`.
        """
        found = self.locate(dotted, origin)
        return self._module_at(found.path, dotted) if found is not None and found.path is not None else None

    def is_namespace(self, dotted: str, origin: ModuleFile | None = None) -> bool:
        """Whether `dotted` is a package folder without `__init__.py`."""
        found = self.locate(dotted, origin)
        return found is not None and found.path is None

    def locate(self, dotted: str, origin: ModuleFile | None = None) -> Located | None:
        """Where `dotted` lives, without making a `ModuleFile` of it."""
        start = self._start(origin)
        found = self._locator(start).find(dotted)
        if found is None or found.path is None:
            self.reads.note(f"{_IMPORT}{start}{_IMPORT}{dotted}")
        return found

    def fingerprint(self, read: str) -> str:
        """What a recorded read finds now: the hash of a file's text, or the file that an import name leads to."""
        known = self._fingerprints.get(read)
        if known is None:
            known = self._fingerprints[read] = self._finds(read)
        return known

    def resolve_relative(self, module: ModuleFile, level: int, name: str | None) -> str:
        """The absolute dotted name of `from <level dots><name> import …` in `module`; empty when it leads nowhere."""
        if level == 0:
            return name or ""
        parts = module.package.split(".") if module.package else []
        if len(parts) >= level:
            base = parts[: len(parts) - level + 1]
        else:
            base = self._folder_parts(module, level)
            if not base:
                return ""
        return ".".join([*base, name] if name else base)

    def symbols(self, module: ModuleFile) -> Symbols:
        """What the top level of a file binds; kept while its tree is kept."""
        return module.symbols(lambda level, name: self.resolve_relative(module, level, name))

    def is_opaque(self, dotted: str, origin: ModuleFile | None = None) -> bool:
        """Whether the name belongs to torch, numpy or the standard library, which are modelled and never followed.

        A script's own folder goes before the standard library, as in Python (only builtins cannot be shadowed).
        """
        top = dotted.partition(".")[0]
        if top not in OPAQUE:
            return False
        if origin is None or top in sys.builtin_module_names or self._folders.is_package(origin.folder):
            return True
        return self._folders.listing(origin.folder).get(top + ".py") is not False

    def module_at(self, path: str) -> ModuleFile | None:
        """The module of a file already known to the run."""
        return self._by_path.get(os.path.abspath(path))

    def known(self) -> tuple[ModuleFile, ...]:
        """Every file that the run has looked at or was asked about."""
        return tuple(self._by_path.values())

    def _checked_file(self, source: Source) -> ModuleFile:
        full = os.path.abspath(source.path)
        name, root = self._name_of(full)
        name = source.module or name
        module = ModuleFile(name, source.path, root, checked=True, source=source, full=full, reads=self.reads)
        self._by_path.setdefault(full, module)
        return self._by_path[full]

    def _module_at(self, path: str, dotted: str) -> ModuleFile:
        known = self._by_path.get(path)
        if known is None:
            name, root = self._name_of(path)
            if dotted.count(".") > name.count("."):
                levels = dotted.count(".") + 1 + (os.path.basename(path) == INIT)
                name, root = dotted, path
                for _ in range(levels):
                    root = os.path.dirname(root)
            known = ModuleFile(name, self._shown(path), root, checked=False, full=path, reads=self.reads)
            self._by_path[path] = known
        return known

    def _shown(self, path: str) -> str:
        here = os.getcwd() + os.sep
        return path[len(here) :] if self._relative and path.startswith(here) else path

    def _name_of(self, full: str) -> tuple[str, str]:
        """Dotted name and root of a file: up through the packages above it."""
        folder, base = os.path.split(full)
        parts = [] if base == INIT else [os.path.splitext(base)[0]]
        pending: list[str] = []
        script = (parts, folder)
        while len(pending) <= NAMESPACE_GAP:
            above, name = os.path.split(folder)
            if above == folder or not name.isidentifier():
                break
            if self._folders.is_package(folder):
                parts = [name, *pending, *parts]
                pending, script = [], (parts, above)
            elif self._is_boundary(folder):
                break
            else:
                pending.insert(0, name)
            folder = above
        parts, root = script
        return ".".join(parts) or os.path.basename(root), root

    def _is_boundary(self, folder: str) -> bool:
        return folder in self._named or any(marker in self._folders.listing(folder) for marker in MARKERS)

    def _upwards(self, folder: str) -> Iterator[str]:
        """The folder and those above it, up to the project's marker, else up to what the user named, else a few."""
        if folder not in self._bounds:
            chain = [folder]
            while os.path.dirname(chain[-1]) != chain[-1]:
                chain.append(os.path.dirname(chain[-1]))
            marked = [path for path in chain if any(m in self._folders.listing(path) for m in MARKERS)]
            named = [path for path in chain if path in self._named]
            self._bounds[folder] = marked[0] if marked else named[-1] if named else None
        bound = self._bounds[folder]
        for _ in range(UNBOUNDED_PARENTS + 1) if bound is None else iter(int, 1):
            yield folder
            above = os.path.dirname(folder)
            if folder == bound or above == folder:
                return
            folder = above

    def _roots_of_named(self, folder: str) -> Iterator[str]:
        """A folder that the user named is a root unless it is a package; the one above makes it a namespace."""
        if self._folders.is_package(folder):
            yield self._name_of(os.path.join(folder, INIT))[1]
            return
        yield folder
        if self._folders.listing(os.path.join(folder, "src")):
            yield os.path.join(folder, "src")
        if os.path.basename(folder).isidentifier():
            yield os.path.dirname(folder)

    def _finds(self, read: str) -> str:
        if read.startswith(_IMPORT):
            _, start, dotted = read.split(_IMPORT)
            found = self._locator(start).find(dotted)
            return found.path or "" if found is not None else ""
        module = self._by_path.get(read)
        text = module.source.text if module is not None else _read(read, read).text
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def _start(self, origin: ModuleFile | None) -> str:
        """The folder whose entries a file sees before all others."""
        return "" if origin is None else origin.root if self._folders.is_package(origin.folder) else origin.folder

    def _locator(self, start: str) -> Locator:
        known = self._locators.get(start)
        if known is None:
            if not start:
                roots = [*self._shared, *self._scripts]
            elif start in self.environment.folders:
                roots = [start]
            else:
                _, root = self._name_of(os.path.join(start, INIT))
                roots = [start, root, *self._shared]
                for above in self._upwards(start):
                    if not self._folders.is_package(above):
                        roots += [above, *([src] if self._folders.listing(src := os.path.join(above, "src")) else [])]
            ordered = tuple(dict.fromkeys([*roots, *self.environment.folders]))
            known = Locator(self._folders, ordered, self.environment.mapped)
            self._locators[start] = known
        return known

    def _folder_parts(self, module: ModuleFile, level: int) -> list[str]:
        """The dotted name, under one of the module's roots, of the folder `level - 1` above its own."""
        folder = module.folder
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        for root in self._locator(self._start(module)).roots:
            if folder.startswith(root.rstrip(os.sep) + os.sep):
                return os.path.relpath(folder, root).split(os.sep)
        return []


def _read(path: str, full: str) -> Source:
    """A file found through an import: one that cannot be read or decoded holds nothing, as if it were not there."""
    try:
        return Source.from_bytes(path, Path(full).read_bytes())
    except (OSError, UnreadableSourceError):
        return Source(path, "")
