"""Which module classes are entries, and in which order the classes are best looked at.

A class *builds* another when its methods, its class body or what they call mention it as a value: directly, through
functions and their defaults, through tables at module level, or in a body that it inherits. The classes that no other
module class builds come first; the others follow from outer to inner, so that a class is met after those that use it.

    LAYERS = {"mlp": Mlp}
    def make(name): return LAYERS[name]()
    class Block(nn.Module): ...  make("mlp")      # Block → make → LAYERS → Mlp
    class Net(nn.Module): ...    Block()          # first: Net; then Block, Mlp

Classes that build each other form one component; it counts as one, and one of them goes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fxlint.index.hierarchy import ClassSite, Hierarchy
from fxlint.index.project import ModuleFile
from fxlint.index.resolve import Definition


@dataclass(frozen=True, slots=True)
class RootOrder:
    """The module classes split into entries and the rest, outermost first."""

    first: tuple[ClassSite, ...]
    rest: tuple[ClassSite, ...]

    def __iter__(self) -> Iterator[ClassSite]:
        """All of them, in order."""
        yield from self.first
        yield from self.rest


def root_order(sites: Sequence[ClassSite], hierarchy: Hierarchy) -> RootOrder:
    """Order the module classes of a project."""
    graph = _Graph(hierarchy, {site.module.name.partition(".")[0] for site in sites})
    place = {graph.number(Definition(site.module, site.qualname)): index for index, site in enumerate(sites)}
    components = _components(place, graph.edges)
    home = {node: index for index, members in enumerate(components) for node in members}
    # Components come callees first, so going backwards meets every component after all that lead to it.
    level = [0] * len(components)
    entered = [False] * len(components)
    for index in reversed(range(len(components))):
        for other in {home[target] for node in components[index] for target in graph.edges(node)} - {index}:
            entered[other] = True
            level[other] = max(level[other], level[index] + 1)
    first: list[int] = []
    rest: list[tuple[int, int]] = []
    for index, members in enumerate(components):
        classes = sorted((node for node in members if node in place), key=place.__getitem__)
        chosen = _outermost(classes, graph.edges) if classes and not entered[index] else None
        for node in classes:
            if node == chosen:
                first.append(place[node])
            else:
                rest.append((level[index], place[node]))
    return RootOrder(tuple(sites[index] for index in sorted(first)), tuple(sites[index] for _, index in sorted(rest)))


@dataclass(frozen=True, slots=True)
class _Own:
    """What the statements of one class lead to: by method (those that lead nowhere left out), and from its body.

    `final` are the names it binds that do not call up: the same names further up the order never run.
    """

    methods: tuple[tuple[str, tuple[int, ...]], ...]
    body: tuple[int, ...]
    final: frozenset[str]


class _Graph:
    """Who mentions whom. Nodes are numbers; edges are found when they are asked for, and kept."""

    def __init__(self, hierarchy: Hierarchy, tops: set[str]) -> None:
        self.hierarchy = hierarchy
        self.resolver = hierarchy.resolver
        self.tops = tops
        self._nodes: list[Definition] = []
        self._numbers: dict[Definition, int] = {}
        self._edges: dict[int, tuple[int, ...]] = {}
        self._own: dict[Definition, _Own] = {}
        self._leads: dict[tuple[ModuleFile, str], tuple[int, ...]] = {}

    def number(self, node: Definition) -> int:
        known = self._numbers.get(node)
        if known is None:
            known = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return known

    def edges(self, number: int) -> tuple[int, ...]:
        known = self._edges.get(number)
        if known is None:
            node = self._nodes[number]
            facts = self.resolver.facts(node.module)
            found = set(self.leads(node.module, facts.mentions.get(node.name, ())))
            if node.name in facts.classes:
                found |= self.of_class(node)
            found.discard(number)
            known = self._edges[number] = tuple(sorted(found))
        return known

    def of_class(self, node: Definition) -> set[int]:
        """What the bodies lead to that an instance of the class runs: a method that is overridden runs only when the
        one that overrides it calls up."""
        found: set[int] = set()
        hidden: set[str] = set()
        for item in self.hierarchy.order(node).order:
            if isinstance(item, Definition) and self.followed(item.module):
                own = self.own(item)
                found.update(own.body)
                for name, targets in own.methods:
                    if name not in hidden:
                        found.update(targets)
                hidden |= own.final
        return found

    def own(self, item: Definition) -> _Own:
        known = self._own.get(item)
        if known is None:
            facts = self.hierarchy.facts(item)
            methods = ((name, self.leads(item.module, mentions.names)) for name, mentions in facts.methods.items())
            known = self._own[item] = _Own(
                tuple((name, targets) for name, targets in methods if targets),
                self.leads(item.module, (*facts.body, *facts.inner)),
                frozenset(name for name, mentions in facts.methods.items() if not mentions.chains_up),
            )
        return known

    def leads(self, module: ModuleFile, texts: Iterable[str]) -> tuple[int, ...]:
        """The nodes that names mean; functions and values that mention nothing themselves are left out."""
        found: list[int] = []
        for text in texts:
            key = (module, text)
            known = self._leads.get(key)
            if known is None:
                known = self._leads[key] = tuple(self.targets(module, text))
            found += known
        return tuple(dict.fromkeys(found))

    def targets(self, module: ModuleFile, text: str) -> Iterator[int]:
        for target in self.resolver.lookup(module, text):
            if isinstance(target, Definition) and self.followed(target.module):
                facts = self.resolver.facts(target.module)
                if target.name in facts.classes or target.name in facts.mentions:
                    yield self.number(Definition(target.module, target.name))

    def followed(self, module: ModuleFile) -> bool:
        """Files of the checked packages only: other packages build no class of theirs."""
        return module.checked or module.name.partition(".")[0] in self.tops


def _outermost(classes: Sequence[int], edges: Callable[[int], Iterable[int]]) -> int:
    """Of classes that build each other, the one that fewest of the others mention; of equals the last one written."""
    entering = dict.fromkeys(classes, 0)
    for node in classes:
        for target in edges(node):
            if target in entering:
                entering[target] += 1
    return min(reversed(classes), key=entering.__getitem__)


def _components(starts: Iterable[int], edges: Callable[[int], Sequence[int]]) -> list[list[int]]:
    """Strongly connected components of what `starts` reach, callees before callers (Tarjan, without recursion)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    work: list[tuple[int, Iterator[int]]] = []

    def enter(node: int) -> None:
        index[node] = low[node] = len(index)
        path.append(node)
        on_path.add(node)
        work.append((node, iter(edges(node))))

    for start in starts:
        if start not in index:
            enter(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    enter(target)
                    break
                if target in on_path:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    caller = work[-1][0]
                    low[caller] = min(low[caller], low[node])
                if low[node] == index[node]:
                    members: list[int] = []
                    while not members or members[-1] != node:
                        members.append(path.pop())
                        on_path.discard(members[-1])
                    found.append(members)
    return found
