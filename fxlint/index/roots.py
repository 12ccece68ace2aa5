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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fxlint.index.hierarchy import ClassSite, Hierarchy
from fxlint.index.project import ModuleFile
from fxlint.index.resolve import Definition

# A name of the graph: a file and a top-level name or a class in it.
Node = Definition


@dataclass(frozen=True, slots=True)
class RootOrder:
    """The module classes split into entries and the rest, outermost first; `builds` has who mentions whom, directly
    or through what is no module class."""

    first: tuple[ClassSite, ...]
    rest: tuple[ClassSite, ...]
    builds: Mapping[ClassSite, tuple[ClassSite, ...]]

    def __iter__(self) -> Iterator[ClassSite]:
        """All of them, in order."""
        yield from self.first
        yield from self.rest


def root_order(sites: Sequence[ClassSite], hierarchy: Hierarchy) -> RootOrder:
    """Order the module classes of a project."""
    graph = _Graph(hierarchy, {site.module.name.partition(".")[0] for site in sites})
    place = {Definition(site.module, site.qualname): index for index, site in enumerate(sites)}
    components = _components(place, graph.edges)
    number = {node: index for index, members in enumerate(components) for node in members}
    # Components come callees first, so going backwards meets every component after all that lead to it.
    level = [0] * len(components)
    entered = [False] * len(components)
    for index in reversed(range(len(components))):
        for node in components[index]:
            for target in graph.edges(node):
                other = number[target]
                if other != index:
                    entered[other] = True
                    level[other] = max(level[other], level[index] + 1)
    first: list[ClassSite] = []
    rest: list[tuple[int, int, ClassSite]] = []
    for index, members in enumerate(components):
        classes = sorted((node for node in members if node in place), key=lambda node: place[node])
        if not classes:
            continue
        chosen = None if entered[index] else _outermost(classes, graph.edges)
        for node in classes:
            if node is chosen:
                first.append(sites[place[node]])
            else:
                rest.append((level[index], place[node], sites[place[node]]))
    first.sort(key=lambda site: place[Definition(site.module, site.qualname)])
    rest.sort(key=lambda item: item[:2])
    builds = {sites[index]: tuple(sites[i] for i in graph.reached(node, place)) for node, index in place.items()}
    return RootOrder(tuple(first), tuple(site for _, _, site in rest), builds)


class _Graph:
    """Who mentions whom; edges are found when they are asked for and kept."""

    def __init__(self, hierarchy: Hierarchy, tops: set[str]) -> None:
        self.hierarchy = hierarchy
        self.resolver = hierarchy.resolver
        self.tops = tops
        self._edges: dict[Node, tuple[Node, ...]] = {}

    def edges(self, node: Node) -> tuple[Node, ...]:
        known = self._edges.get(node)
        if known is None:
            found = dict.fromkeys(
                target for text, module in self.mentioned(node) for target in self.nodes(module, text)
            )
            found.pop(node, None)
            known = tuple(found)
            self._edges[node] = known
        return known

    def reached(self, start: Node, place: Mapping[Node, int]) -> list[int]:
        """The module classes met first on every way from `start`."""
        seen = {start}
        stack = list(self.edges(start))
        found: set[int] = set()
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in place:
                found.add(place[node])
            else:
                stack.extend(self.edges(node))
        return sorted(found)

    def mentioned(self, node: Node) -> Iterator[tuple[str, ModuleFile]]:
        facts = self.resolver.facts(node.module)
        own = facts.classes.get(node.name)
        if own is not None:
            yield from self.of_class(node)
        for text in facts.mentions.get(node.name, ()):
            yield text, node.module

    def of_class(self, node: Node) -> Iterator[tuple[str, ModuleFile]]:
        """What the bodies mention that an instance of the class runs: a method that is overridden runs only when the
        one that overrides it calls up."""
        hidden: set[str] = set()
        for item in self.hierarchy.order(node).order:
            if not isinstance(item, Definition) or not self.followed(item.module):
                continue
            facts = self.hierarchy.facts(item)
            for name, mentions in facts.methods.items():
                if name in hidden:
                    continue
                if not mentions.chains_up:
                    hidden.add(name)
                for text in mentions.names:
                    yield text, item.module
            for text in (*facts.body, *facts.inner):
                yield text, item.module

    def nodes(self, module: ModuleFile, text: str) -> Iterator[Node]:
        for target in self.resolver.lookup(module, text):
            if isinstance(target, Definition) and self.followed(target.module):
                yield Definition(target.module, target.name) if target.rest else target

    def followed(self, module: ModuleFile) -> bool:
        """Files of the checked packages only: other packages build no class of theirs."""
        return module.checked or module.name.partition(".")[0] in self.tops


def _outermost(classes: Sequence[Node], edges: Callable[[Node], Iterable[Node]]) -> Node:
    """Of classes that build each other, the one that fewest of the others mention; of equals the last one written."""
    entering = dict.fromkeys(classes, 0)
    for node in classes:
        for target in edges(node):
            if target in entering:
                entering[target] += 1
    return min(reversed(classes), key=lambda node: entering[node])


def _components(starts: Iterable[Node], edges: Callable[[Node], Sequence[Node]]) -> list[list[Node]]:
    """Strongly connected components of what `starts` reach, callees before callers (Tarjan, without recursion)."""
    index: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    on_path: set[Node] = set()
    found: list[list[Node]] = []
    for start in starts:
        if start in index:
            continue
        work: list[tuple[Node, Iterator[Node]]] = []

        def enter(node: Node, work: list[tuple[Node, Iterator[Node]]] = work) -> None:
            index[node] = low[node] = len(index)
            path.append(node)
            on_path.add(node)
            work.append((node, iter(edges(node))))

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
                    members: list[Node] = []
                    while not members or members[-1] != node:
                        members.append(path.pop())
                        on_path.discard(members[-1])
                    found.append(members)
    return found
