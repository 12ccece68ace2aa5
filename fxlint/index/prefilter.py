r"""Which files need not be parsed to find module classes: a cheap reading of class headers.

Parsing is most of the cost of the index, and most files of a large library hold configurations, tokenizers and tables.
A header such as `class Net(Base):` can be read with a regular expression. A class is *suspect* when a base may be a
module class: it is not a name of a plain class of the checked files, or it is one of another suspect. The reading errs
on the side of parsing: what is not understood is suspect.

    class Config(dict): ...               # plain: dict is a builtin
    class BertConfig(Config): ...         # plain: Config is
    class Net(nn.Module): ...             # suspect: no checked file defines Module
    class Tiny(Net): ...                  # suspect: Net is, though its file may never say "torch"
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fxlint.index.project import ModuleFile

_HEADER = re.compile(r"^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\])?[ \t]*(?:\(([^)]*)\))?", re.MULTILINE)
_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)", re.MULTILINE)
_BYTES_HEADER = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*(?:\[[^\]]*\])?[ \t]*\(\s*[^)\s]", re.MULTILINE)
_DOTTED = re.compile(r"(\w+(?:\.\w+)*)(?:\[[^()]*\])?$")
_WORD = re.compile(r"\w+")
_RENAMED = re.compile(r"\bas\s+(\w+)")

# Classes of the language and of its library that no module class is.
_PLAIN = frozenset(name for name in dir(builtins)) | {
    "ABC",
    "Enum",
    "Flag",
    "Generic",
    "IntEnum",
    "IntFlag",
    "Mapping",
    "MutableMapping",
    "NamedTuple",
    "OrderedDict",
    "Protocol",
    "StrEnum",
    "TypedDict",
    "UserDict",
}


def may_hold_modules(data: bytes) -> bool:
    """Whether a file, looked at alone, may define a module class: it has a class with a base."""
    return _BYTES_HEADER.search(data) is not None


def module_files(checked: Sequence[ModuleFile]) -> tuple[ModuleFile, ...]:
    """The files that may define module classes, judged together."""
    tops = frozenset(module.name.partition(".")[0] for module in checked)
    outlines = [_outline(module, tops) for module in checked]
    suspicion = _Suspicion(outlines)
    return tuple(module for module, outline in zip(checked, outlines, strict=True) if any(suspicion.suspects(outline)))


@dataclass(frozen=True, slots=True)
class _Outline:
    """Class headers of one file, with the names that a base may have there.

    `own` are its top-level classes, `near` names imported from the project under their own name, `foreign` all other
    imported names; `open` says that a star import from the project may bind more.
    """

    headers: tuple[tuple[str, tuple[str, ...]], ...]
    own: frozenset[str]
    near: frozenset[str]
    foreign: frozenset[str]
    open: bool


def _outline(module: ModuleFile, tops: frozenset[str]) -> _Outline:
    text = module.source.text
    headers: list[tuple[str, tuple[str, ...]]] = []
    own: set[str] = set()
    for indent, name, bases in _HEADER.findall(text) if "class" in text else ():
        headers.append((name, tuple(_bases(bases))))
        if not indent:
            own.add(name)
    near: set[str] = set()
    foreign: set[str] = set()
    is_open = False
    for source, names in _FROM.findall(text) if "import" in text else ():
        head = source.partition(".")[0]
        if head and head not in tops:
            foreign.update(() if head in sys.stdlib_module_names else _WORD.findall(names))
        else:
            is_open = is_open or "*" in names
            near.update(_WORD.findall(names))
            foreign.update(_RENAMED.findall(names))
    return _Outline(tuple(headers), frozenset(own), frozenset(near), frozenset(foreign), is_open)


def _bases(text: str) -> Iterator[str]:
    """The bases as dotted names; "?" for one that is not understood."""
    for part in re.sub(r"\[[^\[\]]*\]", "", text).split(","):
        part = part.strip()
        if not part or part.startswith("metaclass"):
            continue
        found = _DOTTED.match(part)
        yield found[1] if found else "?"


class _Suspicion:
    """The names that are plain in every file, found by taking away what a suspect class inherits to."""

    def __init__(self, outlines: Sequence[_Outline]) -> None:
        self.defined = frozenset(name for outline in outlines for name in outline.own)
        # A name that some file takes from another package may be re-exported under the name of a plain class.
        self.plain = self.defined.difference(*(outline.foreign for outline in outlines))
        while True:
            fallen = {name for outline in outlines for name in self.suspects(outline)} & self.plain
            if not fallen:
                break
            self.plain -= fallen

    def suspects(self, outline: _Outline) -> Iterator[str]:
        """The classes of a file that may be module classes."""
        for name, bases in outline.headers:
            if any(self.is_suspect(outline, base) for base in bases):
                yield name

    def is_suspect(self, outline: _Outline, base: str) -> bool:
        if base in _PLAIN and base not in self.defined and base not in outline.foreign:
            return False
        head = base.partition(".")[0]
        if head not in outline.own and head not in outline.near and not outline.open:
            return True
        return head in outline.foreign or base.rpartition(".")[2] not in self.plain
