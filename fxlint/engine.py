"""Files and settings in, findings out: the one door to everything below, for the command line, an editor and a script.

    result = check(["src/"], Config())                  # from disk
    result = check_sources([Source("net.py", text)])    # from an editor's unsaved text
    result.findings                                     # sorted, merged, suppressed, fingerprinted
    result.crashes                                      # parts of fxlint that failed, by name; the rest went on

Nothing of the checked code is imported or run. The analysis is a parameter, so that this can be tested without one.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from fxlint.discovery import discover
from fxlint.findings import Collector, Crash, Sources, fingerprinted
from fxlint.index.project import Project
from fxlint.interp.events import Event
from fxlint.model.config import Config
from fxlint.model.finding import Effect, Finding, ModelReport, ModelVerdict
from fxlint.model.span import Place, Span
from fxlint.rules.registry import report_for, rule
from fxlint.settings import COMMON_PREFIX, selected
from fxlint.syntax.source import Source, UnreadableSourceError
from fxlint.syntax.suppress import Suppression, read_suppressions

if TYPE_CHECKING:
    from fxlint.interp.analyze import RootRun

SYNTAX_ERROR = "FX901"
UNUSED_SUPPRESSION = "FX902"
# Rules that are on only when a prefix longer than the tool's own names them.
OFF_BY_DEFAULT = frozenset({UNUSED_SUPPRESSION})

# Python's own limit (1,000 frames) is below what deeply nested code needs, and the C stack of the main thread is a
# matter of the shell; so an analysis runs in a thread whose stack is known. Less is taken where the system refuses.
FRAME_BYTES = 12 * 1024
STACK_BYTES = (512 * 1024 * 1024, 128 * 1024 * 1024, 32 * 1024 * 1024)

Tick = Callable[[str], None]
T = TypeVar("T")


class Analysis(Protocol):
    """What yields root runs for a project: `run_check`, `run_models`, or a test's own."""

    def __call__(self, project: Project, config: Config, tick: Tick | None = None) -> Iterator[RootRun]:
        """Trace the roots of the project one after the other."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found: findings in order, how many files it looked at, what was silenced, what broke."""

    findings: tuple[Finding, ...]
    files: int
    sources: Sources
    suppressed: int = 0
    problems: tuple[str, ...] = ()
    crashes: tuple[Crash, ...] = ()

    def line_text(self, path: str, cell: int | None, line: int) -> str:
        """A line of a file by its 1-based number (within the cell, for a notebook)."""
        source = self.sources.get(path)
        return source.line_text(source.module_line(cell, line))


@dataclass(frozen=True, slots=True)
class ModelsResult:
    """What `models` found: one report per module class, in order of place."""

    reports: tuple[ModelReport, ...]
    files: int
    problems: tuple[str, ...] = ()
    crashes: tuple[Crash, ...] = ()


def check(
    paths: Sequence[str],
    config: Config | None = None,
    *,
    base: Path | None = None,
    unsaved: Sequence[Source] = (),
    analysis: Analysis | None = None,
    tick: Tick | None = None,
) -> Result:
    """Check files and folders; `unsaved` texts count instead of what is on disk."""
    config = config or Config()
    sources, problems, found = _read(paths, config, base, unsaved)
    result = check_sources(sources, config, search=[Path(path) for path in paths], analysis=analysis, tick=tick)
    findings = sorted((*result.findings, *found), key=_order)
    return replace(result, findings=tuple(findings), files=result.files + len(found), problems=problems)


def check_sources(
    sources: Sequence[Source],
    config: Config | None = None,
    *,
    search: Sequence[Path] = (),
    analysis: Analysis | None = None,
    tick: Tick | None = None,
) -> Result:
    """Check texts as one project; what they import is found on disk beside `search` and in the environment."""
    config = config or Config()
    known = Sources(sources)
    collector = Collector(known, report_for)

    def work() -> list[Crash]:
        project = Project(sources, python=config.python, search=search)
        run = analysis or _run_check()
        crashes, _ = _each(run(project, config, tick), lambda root: _collect(collector, root))
        return crashes

    crashes = _with_deep_stack(work)
    findings = [finding for finding in collector.findings() if _enabled(config, finding.code)]
    if _enabled(config, SYNTAX_ERROR):
        findings.extend(_syntax_errors(sources))
    kept, silenced = _suppress(findings, known, config)
    everything = fingerprinted(sorted(kept, key=_order), known)
    return Result(tuple(everything), len(sources), known, silenced, (), (*crashes, *collector.crashes.values()))


def models(
    paths: Sequence[str],
    config: Config | None = None,
    *,
    base: Path | None = None,
    analysis: Analysis | None = None,
    tick: Tick | None = None,
) -> ModelsResult:
    """Say of each module class, as shipped, whether it traces."""
    config = config or Config()
    sources, problems, _ = _read(paths, config, base, ())
    known = Sources(sources)
    reports: list[ModelReport] = []
    broken: list[Crash] = []

    def report(root: RootRun) -> None:
        if root.at.path not in known.checked:
            return
        collector = Collector(known, report_for)
        _collect(collector, root)
        broken.extend(collector.crashes.values())
        sites = tuple(collector.findings())
        verdict = verdict_of(root.events, root.unresolved)
        reports.append(ModelReport(root.root, known.place(root.at), verdict, sites, root.unresolved))

    def work() -> list[Crash]:
        project = Project(sources, python=config.python, search=[Path(path) for path in paths])
        run = analysis or _run_models()
        crashes, _ = _each(run(project, config, tick), report)
        return crashes

    crashes = _with_deep_stack(work)
    reports.sort(key=lambda one: (one.place, one.name))
    return ModelsResult(tuple(reports), len(sources), problems, (*crashes, *broken))


# Gaps that leave the whole model open; others only leave single values unknown.
_DECISIVE = ("the constructor", "the step limit", "the analysis", "class ")


def verdict_of(events: Iterable[Event], unresolved: Sequence[str]) -> ModelVerdict:
    """The verdict on a module class: the worst of what certainly happens, then of what may happen."""
    events = list(events)
    hard = [event for event in events if event.effect is Effect.UNTRACEABLE]
    if any(event.condition is None for event in hard):
        return ModelVerdict.UNTRACEABLE
    if hard:
        return ModelVerdict.CONDITIONAL
    if events:
        return ModelVerdict.SPECIALISES
    return ModelVerdict.UNKNOWN if any(text.startswith(_DECISIVE) for text in unresolved) else ModelVerdict.TRACEABLE


def _run_check() -> Analysis:
    from fxlint.interp.analyze import run_check

    return run_check


def _run_models() -> Analysis:
    from fxlint.interp.analyze import run_models

    # The models run has no progress to report of its own.
    return lambda project, config, tick=None: run_models(project, config)


def _collect(collector: Collector, root: RootRun) -> None:
    for event in root.events:
        collector.add(event, root.root)


def _each(runs: Iterator[RootRun], use: Callable[[RootRun], None]) -> tuple[list[Crash], int]:
    """Use every run; an analysis that breaks is a crash that keeps what came before it."""
    count = 0
    last = ""
    crashes: list[Crash] = []
    try:
        for root in runs:
            count += 1
            last = root.root
            if root.crash:
                crashes.append(Crash(f"the analysis of {root.root}", root.at.path, root.crash))
            use(root)
    except Exception:
        crashes.append(Crash(f"the analysis after {last or 'its start'}", "", traceback.format_exc()))
    return crashes, count


def _read(
    paths: Sequence[str], config: Config, base: Path | None, unsaved: Sequence[Source]
) -> tuple[list[Source], tuple[str, ...], list[Finding]]:
    """The texts of a run, sentences about folders that could not be read, and findings about files that could not."""
    found = discover(paths, config, base)
    known = {os.path.realpath(source.path) for source in unsaved}
    sources = list(unsaved)
    unreadable: list[Finding] = []
    for path in found.files:
        if os.path.realpath(path) in known:
            continue
        try:
            sources.append(Source.read(path))
        except UnreadableSourceError as error:
            if _enabled(config, SYNTAX_ERROR):
                unreadable.append(_own(SYNTAX_ERROR, str(error), Place(path, Span(1, 0, 1, 0))))
    return sources, found.problems, unreadable


def _syntax_errors(sources: Iterable[Source]) -> Iterator[Finding]:
    for source in sources:
        problem = source.problem
        if problem is not None:
            end = min(problem.column + 1, max(len(source.line_text(problem.line)), problem.column))
            place = source.place(Span(problem.line, problem.column, problem.line, end))
            yield _own(SYNTAX_ERROR, f"SyntaxError: {problem.message}", place)


def _own(code: str, message: str, place: Place) -> Finding:
    """A finding about the file itself rather than about an event in it."""
    about = rule(code)
    return Finding(
        code=about.code,
        name=about.name,
        message=message,
        place=place,
        severity=about.severity,
        effect=Effect.PRACTICE,
        why=about.why,
        help=(),
        noqa_line=place.span.line,
    )


def _suppress(findings: Sequence[Finding], sources: Sources, config: Config) -> tuple[list[Finding], int]:
    """The findings that no comment silences (with the line where one would count), and how many were silenced."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.place.path].append(finding)
    kept: list[Finding] = []
    silenced = 0
    report_unused = _enabled(config, UNUSED_SUPPRESSION)
    paths = sources.checked if report_unused else by_path
    for path in paths:
        source = sources.get(path)
        comments = read_suppressions(source)
        used: Counter[Suppression] = Counter()
        for finding in by_path.get(path, ()):
            span, cell = finding.place.span, finding.place.cell
            first, last = source.module_line(cell, span.line), source.module_line(cell, span.end_line)
            comment = comments.match(finding.code, first, last) if finding.code != SYNTAX_ERROR else None
            if comment is not None:
                used[comment] += 1
                silenced += 1
            else:
                shift = comments.comment_line(first) - first
                kept.append(replace(finding, noqa_line=span.line + shift))
        if report_unused:
            kept.extend(_unused(source, [comment for comment in comments.comments if not used[comment]], config))
    return kept, silenced


def _unused(source: Source, comments: Iterable[Suppression], config: Config) -> Iterator[Finding]:
    for comment in comments:
        ours = [code for code in comment.codes if code.startswith("FX")]
        if (comment.is_noqa and not ours) or not all(_enabled(config, code) for code in ours):
            continue
        what = ", ".join(ours) if ours else "anything"
        place = source.place(Span(comment.line, comment.column, comment.line, comment.end_column))
        yield _own(UNUSED_SUPPRESSION, f"this comment silences {what}, and there is nothing to silence", place)


def _enabled(config: Config, code: str) -> bool:
    if code in OFF_BY_DEFAULT and not any(
        code.startswith(known) and len(known) > len(COMMON_PREFIX) for known in config.select
    ):
        return False
    return selected(config, code)


def _order(finding: Finding) -> tuple[str, int, Span, str]:
    return finding.place.path, finding.place.cell or 0, finding.place.span, finding.code


def _with_deep_stack(work: Callable[[], T]) -> T:
    """Run `work` in a thread with a large stack and hand on its result or exception."""
    outcome: list[T] = []
    failure: list[BaseException] = []

    def body() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    frames = sys.getrecursionlimit()
    thread = _start(body, frames)
    try:
        # A join without a deadline would keep Ctrl-C waiting.
        while thread.is_alive():
            thread.join(0.1)
    finally:
        sys.setrecursionlimit(frames)
    if failure:
        raise failure[0]
    return outcome[0]


def _start(body: Callable[[], None], frames: int) -> threading.Thread:
    """A running thread with the largest stack that the system gives, and Python's limit set to what it holds."""
    before = threading.stack_size()
    try:
        for size in STACK_BYTES:
            threading.stack_size(size)
            sys.setrecursionlimit(max(frames, size // FRAME_BYTES))
            thread = threading.Thread(target=body, name="fxlint-analysis", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                if size == STACK_BYTES[-1]:
                    raise
            else:
                return thread
    finally:
        threading.stack_size(before)
    raise AssertionError("STACK_BYTES is empty")
