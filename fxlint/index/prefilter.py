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
import enum
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fxlint.index.project import ModuleFile

_HEADER = re.compile(r"^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\])?[ \t]*(?:\(([^)]*)\))?", re.MULTILINE)
_FROM = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n\\]|\\\r?\n)*)", re.MULTILINE)
_BYTES_HEADER = re.compile(rb"^[ \t]*class[ \t]+\w+[ \t]*(?:\[[^\]]*\])?[ \t]*\(\s*[^)\s]", re.MULTILINE)
_DOTTED = re.compile(r"(\w+(?:\.\w+)*)(?:\[[^()]*\])?$")
_NAMES = re.compile(r"(\w+)(?:\s+as\s+(\w+))?")
_ASSIGNED = re.compile(r"^[ \t]*([A-Z]\w*)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_COMMENT = re.compile(r"#[^\n]*")

# Bases that need no import.
_PLAIN = frozenset(dir(builtins))


def may_hold_modules(data: bytes) -> bool:
    """Whether a file, looked at alone, may define a module class: it has a class with a base."""
    return _BYTES_HEADER.search(data) is not None


class Reach(enum.IntEnum):
    """What inheriting from a class means: nothing, perhaps something (it could not be found), or a module class."""

    PLAIN = 0
    OPEN = 1
    MODULE = 2


Weigh = Callable[[str, ModuleFile], Reach]


def module_files(checked: Sequence[ModuleFile], weigh: Weigh) -> tuple[ModuleFile, ...]:
    """The files that may define module classes, judged together.

    `weigh` says what an absolute dotted name, imported by a file from outside the checked packages, means as a base.
    """
    tops = frozenset(module.name.partition(".")[0] for module in checked)
    outlines = [_outline(module, tops) for module in checked]
    suspicion = _Suspicion(outlines, weigh)
    return tuple(outline.module for outline in outlines if suspicion.is_kept(outline))


@dataclass(frozen=True, slots=True)
class _Outline:
    """Class headers of one file, with the names that a base may have there.

    `own` are its top-level classes, `near` names imported from the checked packages under their own name, `foreign`
    names imported from elsewhere, with what they stand for. `open` says that a star import may bind any name.
    """

    module: ModuleFile
    headers: tuple[tuple[str, tuple[str, ...]], ...]
    own: frozenset[str]
    near: frozenset[str]
    foreign: Mapping[str, str]
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
    foreign: dict[str, str] = {}
    is_open = False
    # Without a class the imports still matter: another file may take a name from here.
    for source, names in _FROM.findall(text) if "import" in text else ():
        head = source.partition(".")[0]
        is_open = is_open or "*" in names
        for name, alias in _NAMES.findall(names.partition("#")[0] if "\n" not in names else _COMMENT.sub("", names)):
            if head and head not in tops:
                foreign[alias or name] = f"{source}.{name}"
            elif not alias:
                near.add(name)
    return _Outline(module, tuple(headers), frozenset(own), frozenset(near), foreign, is_open)


def _bases(text: str) -> Iterator[str]:
    """The bases as dotted names; "?" for one that is not understood."""
    for part in re.sub(r"\[[^\[\]]*\]", "", text).split(","):
        part = part.strip()
        if not part or part.startswith("metaclass"):
            continue
        found = _DOTTED.match(part)
        yield found[1] if found else "?"


class _Suspicion:
    """The reach of every top-level class name of the checked files: the highest of the classes that bear it."""

    def __init__(self, outlines: Sequence[_Outline], weigh: Weigh) -> None:
        self.weigh = weigh
        self.level: dict[str, Reach] = {}
        for outline in outlines:
            self.level.update(dict.fromkeys(outline.own, Reach.PLAIN))
        # The name of a class may mean something else where it is assigned or taken from another package.
        for outline in outlines:
            for name in _ASSIGNED.findall(outline.module.source.text):
                self.raise_to(name, Reach.MODULE)
        taken = [(name, target, outline) for outline in outlines for name, target in outline.foreign.items()]
        for name, target, outline in taken:
            if name in self.level:
                self.raise_to(name, weigh(target, outline.module))
        with_classes = [outline for outline in outlines if outline.headers]
        changed = True
        while changed:
            changed = False
            for outline in with_classes:
                for name, reach in self.classes(outline):
                    changed = self.raise_to(name, reach) or changed

    def raise_to(self, name: str, reach: Reach) -> bool:
        if reach <= self.level.get(name, Reach.MODULE):
            return False
        self.level[name] = reach
        return True

    def is_kept(self, outline: _Outline) -> bool:
        reach = max((reach for _, reach in self.classes(outline)), default=Reach.PLAIN)
        return reach is Reach.MODULE or (reach is Reach.OPEN and "forward" in outline.module.source.text)

    def classes(self, outline: _Outline) -> Iterator[tuple[str, Reach]]:
        """The classes of a file with the highest reach of their bases."""
        for name, bases in outline.headers:
            yield name, max((self.base(outline, base) for base in bases), default=Reach.PLAIN)

    def base(self, outline: _Outline, base: str) -> Reach:
        head, dot, rest = base.partition(".")
        found = Reach.PLAIN
        if head in outline.foreign:
            found = self.weigh(outline.foreign[head] + dot + rest, outline.module)
        if head in outline.own or head in outline.near:
            return max(found, self.level.get(base.rpartition(".")[2], Reach.MODULE))
        if head in outline.foreign:
            return found
        if base in _PLAIN and base not in self.level:
            return Reach.PLAIN
        return Reach.MODULE
