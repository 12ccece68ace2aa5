"""From a dotted text in a file to what it names, through imports, re-exports, star imports and aliases.

    from .layers import Block as B      # "B"        → class "Block" of pkg/layers/block.py, through two __init__ files
    import torch.nn as nn               # "nn.Linear" → External("torch.nn.Linear")
    Conv = nn.Conv2d if fast else Own   # "Conv"      → both

A name can mean several things, since `try` and `if` decide at run time; all of them are answered, in the order of the
text, imports that only type checkers see last. Files are read through their facts, so their trees may be forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fxlint.index.facts import ABSOLUTE, FileFacts, gather
from fxlint.index.project import ModuleFile, Project
from fxlint.index.symbols import Import


@dataclass(frozen=True, slots=True)
class Definition:
    """A name of a file's top level, or a class within a class ("Outer.Inner"); `rest` are attributes asked of it."""

    module: ModuleFile
    name: str
    rest: str = ""

    @property
    def dotted(self) -> str:
        """The absolute dotted name."""
        return f"{self.module.name}.{self.name}"


@dataclass(frozen=True, slots=True)
class External:
    """A name that is not followed: torch, numpy, the standard library, or a package that was not found."""

    dotted: str
    found: bool


@dataclass(frozen=True, slots=True)
class Whole:
    """A module itself."""

    module: ModuleFile


Target = Definition | External | Whole


class Resolver:
    """Answers what names mean in the files of a project, and keeps each file's facts.

    With `forget`, a file's tree goes as soon as its facts are taken.
    """

    def __init__(self, project: Project, *, forget: bool = False) -> None:
        """Nothing is read before it is asked for."""
        self.project = project
        self._forget = forget
        self._facts: dict[str, FileFacts] = {}
        self._answers: dict[tuple[str, str], tuple[Target, ...]] = {}
        self._seen: dict[tuple[str, str], frozenset[str]] = {}
        self._open: set[tuple[str, str]] = set()
        self._cut = False

    def facts(self, module: ModuleFile) -> FileFacts:
        """The facts of a file, taken once."""
        self.project.reads.note(module.full_path)
        known = self._facts.get(module.full_path)
        if known is None:
            symbols = self.project.symbols(module)
            known = gather(
                symbols, module.source.text, lambda level, name: self.project.resolve_relative(module, level, name)
            )
            self._facts[module.full_path] = known
            if self._forget:
                module.forget()
        return known

    def lookup(self, module: ModuleFile, text: str) -> tuple[Target, ...]:
        """What a dotted text (see `facts`) means at the top level of a file; nothing when it is not known there."""
        key = (module.full_path, text)
        known = self._answers.get(key)
        if known is not None:
            self.project.reads.note_all(self._seen[key])
            return known
        if key in self._open:  # an import cycle: the other way round must answer
            self._cut = True
            return ()
        outermost = not self._open
        self._open.add(key)
        try:
            with self.project.reads.recording() as seen:
                found = tuple(dict.fromkeys(self._lookup(module, text)))
        finally:
            self._open.discard(key)
        # An answer that a cycle cut short may be incomplete, so only the outermost question may keep it.
        if outermost or not self._cut:
            self._answers[key] = found
            self._seen[key] = frozenset(seen)
        if outermost:
            self._cut = False
        return found

    def absolute(self, dotted: str, origin: ModuleFile | None = None) -> tuple[Target, ...]:
        """What an absolute dotted name means: the longest prefix that is a file, and the rest within it."""
        if not dotted:
            return ()
        if self.project.is_opaque(dotted, origin):
            return (External(dotted, True),)
        head, rest = dotted, ""
        while head:
            module = self.project.find(head, origin)
            if module is not None:
                return self._member(module, rest) if rest else (Whole(module),)
            head, _, last = head.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return (External(dotted, False),)

    def _lookup(self, module: ModuleFile, text: str) -> Iterator[Target]:
        if text.startswith(ABSOLUTE):
            source, _, rest = text[1:].partition(ABSOLUTE)
            yield from self._from(module, source, rest)
            return
        facts = self.facts(module)
        head, _, rest = text.partition(".")
        imports = facts.imports.get(head, ())
        yield from self._imported(module, [found for found in imports if not found.typing_only], rest)
        if head in facts.classes:
            yield self._within(module, facts, head, rest)
        for alias in facts.aliases.get(head, ()):
            yield from self.lookup(module, f"{alias}.{rest}" if rest else alias)
        if head in facts.values:
            yield Definition(module, head, rest)
        yield from self._imported(module, [found for found in imports if found.typing_only], rest)
        if not imports and not facts.binds(head):
            for star in facts.stars:
                yield from self._starred(module, star, text)

    def _imported(self, module: ModuleFile, imports: list[Import], rest: str) -> Iterator[Target]:
        for found in imports:
            if found.name is None:
                yield from self._from(module, found.module, rest)
            else:
                yield from self._from(module, found.module, f"{found.name}.{rest}" if rest else found.name)

    def _from(self, module: ModuleFile, source: str, text: str) -> tuple[Target, ...]:
        """What the attribute path `text` of the module `source` means in a file that imports it."""
        if not self.project.is_opaque(source, module):
            found = self.project.find(source, module)
            if found is module:
                # `from . import x` inside the package's own __init__: the submodule, or nothing new.
                return self._submodule(module, text)
            if found is not None:
                return self._member(found, text) if text else (Whole(found),)
        return self.absolute(f"{source}.{text}" if text and source else source or text, module)

    def _starred(self, module: ModuleFile, star: Import, text: str) -> Iterator[Target]:
        if self.project.is_opaque(star.module, module):
            # Whether torch or the standard library has the name is not known here, but nothing else explains it.
            yield External(f"{star.module}.{text}", False)
            return
        source = self.project.find(star.module, module)
        if source is None or source is module:
            return
        head = text.partition(".")[0]
        # Chains of star imports fan out over whole libraries; a text that lacks the word need not be parsed.
        if head not in source.source.text and "import *" not in source.source.text:
            return
        facts = self.facts(source)
        if head in facts.public or (facts.stars and not head.startswith("_")):
            yield from self.lookup(source, text)

    def _member(self, module: ModuleFile, text: str) -> tuple[Target, ...]:
        """What `text` means as an attribute path of a module: names it binds, its submodules, then its star imports."""
        if not self.facts(module).binds(text.partition(".")[0]) and (inner := self._submodule(module, text)):
            return inner
        return self.lookup(module, text) or self._submodule(module, text)

    def _submodule(self, module: ModuleFile, text: str) -> tuple[Target, ...]:
        head, _, rest = text.partition(".")
        inner = self.project.find(f"{module.name}.{head}", module) if module.is_package and head else None
        if inner is None or inner is module:
            return ()
        return self._member(inner, rest) if rest else (Whole(inner),)

    def _within(self, module: ModuleFile, facts: FileFacts, name: str, rest: str) -> Definition:
        while rest:
            head, _, after = rest.partition(".")
            if f"{name}.{head}" not in facts.classes:
                break
            name, rest = f"{name}.{head}", after
        return Definition(module, name, rest)
