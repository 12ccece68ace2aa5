"""The analysis of a project: which roots are traced, in which order, and what each run found.

A configured root, else every module class that no other builds, is traced first; submodules are then run with the
values their callers pass. A class whose forward no root reached with a Proxy is traced as a root of its own.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxlint.index.hierarchy import ClassSite, Hierarchy, module_classes
from fxlint.index.roots import root_order
from fxlint.interp import classes, constructor_arguments, limits, modules, names, roots
from fxlint.interp.events import Event, RawSpan
from fxlint.interp.factories import Builders
from fxlint.interp.frames import Exhausted, Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.machine import Machine
from fxlint.interp.torch_facts import load_model
from fxlint.interp.values import Class, Instance, Mutable, Value, members

if TYPE_CHECKING:
    from fxlint.index.project import Project
    from fxlint.model.config import Config

Tick = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RootRun:
    """One traced root, or the module-level mistakes of one file.

    `at` is the class statement's name, `unresolved` what stayed Unknown, `reads` the paths of the files it looked at,
    `reached` the dotted names of module classes whose forward ran with a Proxy, `crash` Python's words when the
    analysis of this root failed.
    """

    root: str
    at: RawSpan
    events: tuple[Event, ...]
    unresolved: tuple[str, ...]
    reads: frozenset[str]
    reached: frozenset[str]
    crash: str = ""


def run_check(project: Project, config: Config, tick: Tick | None = None) -> Iterator[RootRun]:
    """Trace the roots of the checked files, constructor arguments undecided."""
    m = Machine(project, load_model(), config)
    hierarchy, sites = _sites(m)
    order = root_order(sites, hierarchy)
    del hierarchy
    builders = Builders(m)
    first = {site.dotted for site in order.first}
    for site in _chosen(config, sites) if config.roots else order:
        if (site.dotted in m.reached and site.dotted not in first) or _is_leaf(config, site):
            continue
        if tick is not None:
            tick(site.dotted)
        m = builders.m = _relieved(m)
        yield run_root(m, site, builders)
    for module in project.checked:
        if module.full_path not in m.modules and "wrap" in module.source.text and "fx" in module.source.text:
            modules.load(m, module)
    builders.report_bad_roots()
    yield from _misuses(m)


def run_models(project: Project, config: Config, tick: Tick | None = None) -> Iterator[RootRun]:
    """Trace every module class as a root, constructor defaults taken as constants."""
    m = Machine(project, load_model(), config, constant_arguments=True)
    for site in _sites(m)[1]:
        if tick is not None:
            tick(site.dotted)
        m = _relieved(m)
        yield run_root(m, site)


def _sites(m: Machine) -> tuple[Hierarchy, tuple[ClassSite, ...]]:
    hierarchy = Hierarchy(m.resolver, m.is_torch_module)
    sites = module_classes(m.project, m.is_torch_module, hierarchy)
    share = limits.STEPS_OF_ALL // max(len(sites), 1)
    m.root_budget = max(limits.LEAST_STEPS, min(limits.STEPS_PER_ROOT, share))
    return hierarchy, sites


def _relieved(m: Machine) -> Machine:
    """The machine to go on with: a fresh one when this one holds too much."""
    if m.loaded <= limits.LOADED:
        return m
    fresh = m.renewed()
    del m
    gc.collect()
    return fresh


def _is_leaf(config: Config, site: ClassSite) -> bool:
    """Whether the user's Tracer takes the class for a leaf."""
    return site.dotted in config.leaf_modules or site.qualname in config.leaf_modules


def _chosen(config: Config, sites: tuple[ClassSite, ...]) -> list[ClassSite]:
    wanted = set(config.roots)
    return [s for s in sites if s.dotted in wanted or s.qualname in wanted or s.qualname.rpartition(".")[2] in wanted]


def run_root(m: Machine, site: ClassSite, builders: Builders | None = None) -> RootRun:
    """Build and trace one class, as a builder of the project makes it where there is one."""
    m.root_name = site.dotted
    m.events, m.unresolved = {}, set()
    m.alike.clear()
    before = set(m.reached)
    crash = ""
    collecting = gc.isenabled()
    gc.disable()
    try:
        _trace_site(m, site, builders)
    except Exhausted:
        m.unresolved.add("the step limit of this root was reached")
    except RecursionError:
        m.unresolved.add("the analysis of this root nests too deep")
    except Exception:
        crash = traceback.format_exc()
    finally:
        _reset(m)
        if collecting:
            gc.enable()
    node = site.node
    at = RawSpan(
        site.module.path, node.lineno, node.col_offset, node.lineno, node.col_offset + len("class ") + len(node.name)
    )
    events = tuple(sorted(m.events.values(), key=lambda e: (e.at.path, e.at.line, e.at.col, e.hook.value)))
    return RootRun(
        site.dotted, at, events, tuple(sorted(m.unresolved)), frozenset(m.reads), frozenset(m.reached - before), crash
    )


def _reset(m: Machine) -> None:
    m.tracing, m.root = False, None
    m.frames.clear()
    m.handlers.clear()
    m.definite.clear()
    m.conditions.clear()
    m.captures.clear()
    m.heap.journals.clear()
    m.steps, m.budget = 0, limits.STEPS_PER_MODULE


def _trace_site(m: Machine, site: ClassSite, builders: Builders | None) -> None:
    m.steps, m.budget = 0, m.root_budget
    home = modules.load(m, site.module)
    cls = _class_of(m, home.scope, site)
    if cls is None:
        m.unresolved.add(f"class `{site.qualname}`")
        return
    frame = Frame(home.scope, site.module, "", m.heap.depth)
    m.frames.append(frame)
    start = Mutable().serial
    m.heap.settled = start
    shown = builders.instances(cls) if builders is not None else []
    for built in shown:
        roots.trace(m, built, cls)
    if shown:
        return
    try:
        made = constructor_arguments.build_root(m, cls)
    except PathEnd:
        m.unresolved.add(f"the constructor of `{site.qualname}`")
        made = None
    instance = next((v for v in members(made) if isinstance(v, Instance)), None) if made is not None else None
    if instance is None:
        instance = classes.blank(cls)
        instance.dynamic = True
    roots.trace(m, instance, cls)


def _class_of(m: Machine, scope: object, site: ClassSite) -> Class | None:
    found: Value | None = None
    for position, name in enumerate(site.qualname.split(".")):
        cells = found.cells if isinstance(found, Class) else scope.cells if position == 0 else {}  # type: ignore[attr-defined]
        cell = cells.get(name)
        if not isinstance(cell, Value):
            return None
        owner = found if isinstance(found, Class) else scope
        found = names.force(m, owner, name, cell)  # type: ignore[arg-type]
        found = next((v for v in members(found) if isinstance(v, Class)), None)
    return found if isinstance(found, Class) else None


def _misuses(m: Machine) -> Iterator[RootRun]:
    """Module-level mistakes, a run for each file."""
    by_file: dict[str, list[Event]] = {}
    for event in m.misuses:
        by_file.setdefault(event.at.path, []).append(event)
    for path, events in by_file.items():
        first = events[0]
        yield RootRun(first.symbol, RawSpan(path, 1, 0, 1, 0), tuple(events), (), frozenset((path,)), frozenset())
