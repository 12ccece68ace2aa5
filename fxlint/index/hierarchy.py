"""Which classes are torch modules, decided from syntax across files.

A class is a module class when a base, followed through imports, re-exports, aliases and further classes, ends at a name
under torch that is one. Torch itself is not followed: the caller says which of its names are module classes.

    # blocks.py                           # net.py
    class Base(nn.Module): ...            from .blocks import Base
                                          class Net(Base):          # module class: Net → Base → torch.nn.Module
                                              def forward(self, x): ...

A class whose base could not be found (a package that is not installed) is taken for a module class when its file knows
torch and it has a `forward`, but such a site is not `certain`.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from fxlint.index.facts import ClassFacts
from fxlint.index.mro import Linearization, Linearizer
from fxlint.index.prefilter import Reach, module_files
from fxlint.index.project import ModuleFile, Project
from fxlint.index.resolve import Definition, External, Resolver

ClassRef = Definition | External

# Classes of torch.nn whose own forward only raises: a subclass that defines none cannot be called.
WITHOUT_FORWARD = frozenset(
    "Container Module ModuleDict ModuleList ParameterDict ParameterList RNNBase RNNCellBase _AdaptiveAvgPoolNd "
    "_AdaptiveMaxPoolNd _AvgPoolNd _ConvNd _ConvTransposeMixin _ConvTransposeNd _DropoutNd _LPPoolNd _LazyNormBase "
    "_Loss _MaxPoolNd _MaxUnpoolNd _NormBase _WeightedLoss".split()
)

_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class ClassSite:
    """A module class of a checked file that has or inherits a `forward`.

    `qualname` is the name within the file ("Outer.Inner"), `bases` the absolute dotted names of its direct bases.
    """

    module: ModuleFile
    qualname: str
    line: int
    bases: tuple[str, ...]
    certain: bool = True

    @property
    def dotted(self) -> str:
        """The absolute dotted name."""
        return f"{self.module.name}.{self.qualname}"

    @property
    def node(self) -> ast.ClassDef:
        """The class statement in the module's present tree."""
        return find_class(self.module.tree, self.qualname, self.line)


class Hierarchy:
    """Bases, resolution orders and module-ness of the classes of a project; every answer is kept."""

    def __init__(self, resolver: Resolver, is_torch_module: Callable[[str], bool]) -> None:
        """Nothing is read before it is asked for."""
        self.resolver = resolver
        self.is_torch_module = is_torch_module
        self._bases: dict[ClassRef, tuple[ClassRef, ...]] = {}
        self._linearizer: Linearizer[ClassRef] = Linearizer(self.bases)
        self._modules: dict[ClassRef, bool] = {}
        self._reach: dict[tuple[str, str], Reach] = {}

    def facts(self, ref: Definition) -> ClassFacts:
        """The facts of a class that `is_class`."""
        return self.resolver.facts(ref.module).classes[ref.name]

    def is_class(self, target: object) -> bool:
        """Whether a target of the resolver is a class statement of a followed file."""
        return (
            isinstance(target, Definition)
            and not target.rest
            and target.name in self.resolver.facts(target.module).classes
        )

    def bases(self, ref: ClassRef) -> tuple[ClassRef, ...]:
        """The direct bases; where a base may be several things, the one that is a module class goes first."""
        if isinstance(ref, External):
            return ()
        known = self._bases.get(ref)
        if known is None:
            self._bases[ref] = ()  # what a cycle of bases sees
            known = tuple(
                base for text in self.facts(ref).bases if (base := self._base(ref, text)) is not None and base != ref
            )
            self._bases[ref] = known
        return known

    def order(self, ref: ClassRef) -> Linearization[ClassRef]:
        """The method resolution order."""
        return self._linearizer.of(ref)

    def is_module(self, ref: ClassRef) -> bool:
        """Whether the class certainly is a torch module class."""
        known = self._modules.get(ref)
        if known is None:
            self._modules[ref] = False  # what a cycle of bases sees
            if isinstance(ref, External):
                known = self.is_torch_module(ref.dotted)
            else:
                known = any(self.is_module(base) for base in self.bases(ref))
            self._modules[ref] = known
        return known

    def has_forward(self, ref: ClassRef) -> bool:
        """Whether the class, or one it inherits from, has a forward of its own."""
        if isinstance(ref, Definition) and self.facts(ref).has("forward"):
            return True
        for item in self.order(ref).order:
            if isinstance(item, Definition):
                if self.facts(item).has("forward"):
                    return True
            elif self.is_torch_module(item.dotted) and not _lacks_forward(item.dotted):
                return True
        return False

    def is_open(self, ref: ClassRef) -> bool:
        """Whether some class that it inherits from could not be found."""
        return any(isinstance(item, External) and not item.found for item in self.order(ref).order)

    def reach(self, dotted: str, origin: ModuleFile) -> Reach:
        """What an absolute name, imported by a file, means as a base."""
        key = (dotted, origin.root)
        known = self._reach.get(key)
        if known is None:
            known = Reach.PLAIN
            for target in self.resolver.absolute(dotted, origin):
                if isinstance(target, External) or (isinstance(target, Definition) and self.is_class(target)):
                    if self.is_module(target):
                        known = Reach.MODULE
                    elif self.is_open(target):
                        known = max(known, Reach.OPEN)
                else:
                    known = max(known, Reach.OPEN)
            self._reach[key] = known
        return known

    def sites(self, module: ModuleFile) -> Iterator[ClassSite]:
        """The module classes of a file, in the order of the text."""
        facts = self.resolver.facts(module)
        for name, found in sorted(facts.classes.items(), key=lambda item: item[1].line):
            ref = Definition(module, name)
            certain = self.is_module(ref)
            if not certain and not (facts.uses_torch and found.has("forward") and self.is_open(ref)):
                continue
            if self.has_forward(ref):
                bases = tuple(base.dotted for base in self.bases(ref))
                yield ClassSite(module, name, found.line, bases, certain)

    def _base(self, ref: Definition, text: str) -> ClassRef | None:
        if not text:
            return None
        facts = self.resolver.facts(ref.module)
        outer = ref.name.rpartition(".")[0]
        if outer and f"{outer}.{text}" in facts.classes:
            return Definition(ref.module, f"{outer}.{text}")
        if text in _BUILTINS and not facts.binds(text):
            return None
        choices: list[ClassRef] = []
        for target in self.resolver.lookup(ref.module, text):
            if isinstance(target, External) or (isinstance(target, Definition) and self.is_class(target)):
                choices.append(target)
        if not choices:
            # The name is bound to something that syntax cannot follow, such as a call.
            return External(text, False)
        for choice in choices if len(choices) > 1 else ():
            if self.is_module(choice):
                return choice
        return choices[0]


def module_classes(
    project: Project, is_torch_module: Callable[[str], bool], hierarchy: Hierarchy | None = None
) -> tuple[ClassSite, ...]:
    """Every module class of the checked files that has or inherits a forward, nested classes included."""
    table = hierarchy or Hierarchy(Resolver(project), is_torch_module)
    return tuple(site for module in module_files(project.checked, table.reach) for site in table.sites(module))


def _lacks_forward(dotted: str) -> bool:
    """Whether a module class of torch has no forward that could run; a ScriptModule's is made from its methods."""
    package, _, name = dotted.rpartition(".")
    return name == "ScriptModule" or (name in WITHOUT_FORWARD and f"{package}.".startswith("torch.nn."))


def find_class(tree: ast.Module, qualname: str, line: int) -> ast.ClassDef:
    """The class statement of that name at that line; raises `LookupError` when the file has changed."""
    scope: Sequence[ast.stmt] = tree.body
    *outer, last = qualname.split(".")
    for name in outer:
        scope = [
            inner
            for found in _classes(scope)
            if found.name == name and found.lineno <= line <= (found.end_lineno or line)
            for inner in found.body
        ]
    for found in _classes(scope):
        if found.name == last and found.lineno == line:
            return found
    raise LookupError(f"no class {qualname} at line {line}")


def _classes(statements: Sequence[ast.stmt]) -> Iterator[ast.ClassDef]:
    for statement in statements:
        if isinstance(statement, ast.ClassDef):
            yield statement
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from _classes(getattr(statement, field, []))
            for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
                yield from _classes(part.body)
