"""From events to findings: a rule names each event, and what lies at one place under one rule becomes one finding.

Many paths lead to one line. The finding keeps the shortest chain that explains it, all the roots that reach it, and a
condition only when every path has one. Events outside the checked files are nobody's to fix and are not shown.
"""

from __future__ import annotations

import hashlib
import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from fxlint.interp.events import Event, RawSpan, RawStep
from fxlint.model.finding import Effect, Finding, Severity, Step
from fxlint.model.span import Place, Span
from fxlint.rules.define import Report, Rule
from fxlint.syntax.source import Source, UnreadableSourceError

Namer = Callable[[Event], "tuple[Rule, Report] | None"]

_WORST_FIRST = (Effect.UNTRACEABLE, Effect.BREAKS_LATER, Effect.SILENT, Effect.PRACTICE)
_LOUDEST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFO)
_FINGERPRINT_DIGITS = 16
_RULE_MODULE = re.compile(r"^fxlint\.rules\.(?P<code>fx\d+)")


@dataclass(frozen=True, slots=True)
class Crash:
    """A part of fxlint that failed: what it was, where it was working, and Python's own words."""

    what: str
    path: str
    detail: str


class Sources:
    """The texts that places point into: the checked ones, and library files, read when a chain leads there."""

    def __init__(self, checked: Iterable[Source]) -> None:
        self.checked: Mapping[str, Source] = {source.path: source for source in checked}
        self._others: dict[str, Source] = {}

    def get(self, path: str) -> Source:
        """The text of a file; an empty one when it cannot be read."""
        known = self.checked.get(path) or self._others.get(path)
        if known is None:
            try:
                known = Source.read(path)
            except UnreadableSourceError:
                known = Source(path, "")
            self._others[path] = known
        return known

    def span(self, at: RawSpan) -> Span:
        """A place of the interpreter in code points."""
        return self.get(at.path).span(at.line, at.col, at.end_line, at.end_col)

    def place(self, at: RawSpan) -> Place:
        """A place of the interpreter as one of the file."""
        return self.get(at.path).place(self.span(at))

    def text(self, at: RawSpan) -> str:
        """The text at a place of the interpreter."""
        return self.get(at.path).slice(self.span(at))


class Collector:
    """Findings of one run while its events come in; `findings` gives them merged and in order."""

    def __init__(self, sources: Sources, namer: Namer) -> None:
        self.sources = sources
        self.namer = namer
        self.crashes: dict[tuple[str, str], Crash] = {}
        self._found: dict[tuple[str, str, Span], Finding] = {}

    def add(self, event: Event, root: str = "") -> None:
        """Name one event and merge it with what is known about its place."""
        if event.at.path not in self.sources.checked:
            return
        try:
            named = self.namer(event)
        except Exception as error:
            crash = Crash(f"rule {_rule_in(error) or event.hook.value}", event.at.path, traceback.format_exc())
            self.crashes.setdefault((crash.what, crash.path), crash)
            return
        if named is None:
            return
        finding = self._finding(event, *named, root)
        key = (finding.code, event.at.path, self.sources.span(event.at))
        known = self._found.get(key)
        self._found[key] = finding if known is None else merged(known, finding)

    def findings(self) -> list[Finding]:
        """Everything found, by file and place, each with its fingerprint."""
        ordered = sorted(
            (finding for finding in self._found.values()),
            key=lambda finding: (finding.place.path, finding.place.cell or 0, finding.place.span, finding.code),
        )
        return fingerprinted(ordered, self.sources)

    def _finding(self, event: Event, rule: Rule, report: Report, root: str) -> Finding:
        place = self.sources.place(event.at)
        roots = tuple(name for name in dict.fromkeys((event.root or root,)) if name)
        return Finding(
            code=rule.code,
            name=rule.name,
            message=report.message,
            place=place,
            severity=rule.severity_of(event),
            effect=event.effect,
            why=rule.why,
            help=report.help,
            because=tuple(self._step(step) for step in event.chain),
            symbol=event.symbol,
            roots=roots,
            condition=event.condition,
            noqa_line=place.span.line,
            confidence="low" if event.low_confidence else "high",
        )

    def _step(self, step: RawStep) -> Step:
        return Step(self.sources.place(step.at), step.message)


def _rule_in(error: BaseException) -> str:
    """The code of the rule in whose file an exception passed, as far as its traceback says."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        found = _RULE_MODULE.search(frame.f_globals.get("__name__", ""))
        if found is not None:
            return found["code"].upper()
    return ""


def merged(known: Finding, other: Finding) -> Finding:
    """Two findings of one rule at one place as one: the better explained, with what is true of both."""
    best, rest = (other, known) if _clearer(other, known) else (known, other)
    return replace(
        best,
        effect=min(best.effect, rest.effect, key=_WORST_FIRST.index),
        severity=min(best.severity, rest.severity, key=_LOUDEST_FIRST.index),
        roots=tuple(dict.fromkeys((*known.roots, *other.roots))),
        condition=None if known.condition is None or other.condition is None else best.condition,
        confidence="high" if "high" in (known.confidence, other.confidence) else "low",
    )


def _clearer(one: Finding, other: Finding) -> bool:
    """Whether `one` explains more simply: a worse effect first, then no condition, then the shorter chain."""
    return _clarity(one) < _clarity(other)


def _clarity(finding: Finding) -> tuple[int, bool, int]:
    return _WORST_FIRST.index(finding.effect), finding.condition is not None, len(finding.because)


def fingerprinted(findings: Iterable[Finding], sources: Sources) -> list[Finding]:
    """The findings with fingerprints that survive moves: of code, symbol, text, and which of equals it is."""
    seen: Counter[tuple[str, str, str]] = Counter()
    done: list[Finding] = []
    for finding in findings:
        source = sources.get(finding.place.path)
        line = source.module_line(finding.place.cell, finding.place.span.line)
        # A moved file changes its module's name, so of the symbol only the part within the module would be stable; the
        # last two names (class and method) are that part in all but nested classes.
        symbol = ".".join(finding.symbol.split(".")[-2:])
        key = (finding.code, symbol, source.line_text(line).strip())
        text = "\x1f".join((*key, str(seen[key])))
        seen[key] += 1
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_FINGERPRINT_DIGITS]
        done.append(replace(finding, fingerprint=digest))
    return done
