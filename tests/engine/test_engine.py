"""The engine with an analysis of our own: what becomes of events on the way to findings."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fxlint import engine
from fxlint.findings import Crash, merged
from fxlint.index.project import Project
from fxlint.interp.analyze import RootRun
from fxlint.interp.events import Event, Hook, RawSpan, RawStep
from fxlint.model.config import Config
from fxlint.model.finding import Effect, Finding, ModelVerdict, Severity
from fxlint.model.span import Span
from fxlint.rules.registry import rule
from fxlint.syntax.source import Source

TEXT = """\
class Net:
    def forward(self, x):
        if x.sum() > 0:  # é
            x = x + 1
        return '😀', len(x)
"""
AT = RawSpan("net.py", 5, 23, 5, 29)
EVENT = Event(
    hook=Hook.LEN,
    effect=Effect.UNTRACEABLE,
    at=AT,
    subject="x",
    via="len()",
    chain=(RawStep(RawSpan("net.py", 2, 22, 2, 23), "`x` is an input"),),
    symbol="net.Net.forward",
    root="net.Net",
)


class Fake:
    """An analysis that yields one root run with the given events."""

    def __init__(self, *events: Event, root: str = "net.Net", unresolved: tuple[str, ...] = ()) -> None:
        self.run = RootRun(root, RawSpan("net.py", 1, 6, 1, 9), events, unresolved, frozenset(), frozenset())

    def __call__(
        self, project: Project, config: Config, tick: Callable[[str], None] | None = None
    ) -> Iterator[RootRun]:
        yield self.run


def check(*events: Event, text: str = TEXT, config: Config | None = None) -> engine.Result:
    return engine.check_sources([Source("net.py", text)], config, analysis=Fake(*events))


def codes(findings: Iterable[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_an_event_becomes_a_finding() -> None:
    (finding,) = check(EVENT).findings
    assert finding.code == "FX107"
    assert finding.place.path == "net.py"
    assert finding.place.span == Span(5, 20, 5, 26)
    assert finding.severity is Severity.ERROR
    assert finding.because[0].place.span == Span(2, 22, 2, 23)
    assert finding.symbol == "net.Net.forward"
    assert finding.roots == ("net.Net",)
    assert finding.noqa_line == 5
    assert finding.why
    assert finding.help


def test_one_finding_a_place_and_rule_with_the_shortest_chain() -> None:
    longer = replace(EVENT, root="net.Other", chain=EVENT.chain * 3)
    (finding,) = check(longer, EVENT, longer).findings
    assert len(finding.because) == 1
    assert finding.roots == ("net.Other", "net.Net")
    elsewhere = replace(EVENT, at=replace(AT, end_col=28))
    assert len(check(EVENT, elsewhere).findings) == 2


@pytest.mark.parametrize("order", [1, -1])
def test_a_condition_stays_only_when_every_path_has_one(order: int) -> None:
    maybe = replace(EVENT, condition="self.a", chain=())
    (finding,) = check(*[maybe, EVENT][::order]).findings
    assert finding.condition is None
    assert len(finding.because) == 1
    (finding,) = check(*[maybe, replace(EVENT, condition="self.b")][::order]).findings
    assert finding.condition == "self.a"


@pytest.mark.parametrize("order", [1, -1])
def test_the_worst_effect_and_the_best_confidence_count(order: int) -> None:
    (hard,) = check(EVENT).findings
    soft = replace(hard, effect=Effect.SILENT, severity=Severity.WARNING, confidence="low")
    finding = merged(*[soft, hard][::order])
    assert finding.effect is Effect.UNTRACEABLE
    assert finding.severity is Severity.ERROR
    assert finding.confidence == "high"
    (finding,) = check(replace(EVENT, low_confidence=True)).findings
    assert finding.confidence == "low"


def test_a_hard_rule_on_a_soft_event_is_a_warning() -> None:
    (finding,) = check(replace(EVENT, effect=Effect.SILENT)).findings
    assert finding.severity is Severity.WARNING


def test_events_outside_the_checked_files_are_not_reported() -> None:
    assert check(replace(EVENT, at=replace(AT, path="lib.py"))).findings == ()


def test_order_is_that_of_the_text() -> None:
    first = replace(EVENT, hook=Hook.BRANCH, via="if", at=RawSpan("net.py", 3, 11, 3, 22))
    assert codes(check(EVENT, first).findings) == ["FX101", "FX107"]


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (("FX",), (), ["FX107"]),
        (("FX2",), (), []),
        (("FX",), ("FX107",), []),
        (("FX107",), ("FX1",), ["FX107"]),
    ],
)
def test_selection(select: tuple[str, ...], ignore: tuple[str, ...], expected: list[str]) -> None:
    assert codes(check(EVENT, config=Config(select=select, ignore=ignore)).findings) == expected


def test_comments_silence_and_are_counted() -> None:
    result = check(EVENT, text=TEXT.replace("len(x)", "len(x)  # fxlint: ignore[FX107]"))
    assert result.findings == ()
    assert result.suppressed == 1


def test_unused_comments_are_reported_when_selected() -> None:
    text = TEXT.replace("len(x)", "len(x)  # fxlint: ignore[FX101]")
    assert codes(check(EVENT, text=text).findings) == ["FX107"]
    config = Config(select=("FX", "FX902"))
    found = check(EVENT, text=text, config=config).findings
    assert codes(found) == ["FX107", "FX902"]
    assert found[1].place.span == Span(5, 28, 5, 51)
    for silent in ("# noqa", "# noqa: E501"):
        assert codes(check(EVENT, text=TEXT.replace("# é", silent), config=config).findings) == ["FX107"]
    narrow = Config(select=("FX107", "FX902"))
    assert codes(check(EVENT, text=text, config=narrow).findings) == ["FX107"]


def test_a_syntax_error_is_a_finding_that_no_comment_silences() -> None:
    (finding,) = check(text="x = = 1  # noqa\n").findings
    assert (finding.code, finding.effect, finding.severity) == ("FX901", Effect.PRACTICE, Severity.ERROR)
    assert finding.place.span == Span(1, 4, 1, 5)
    assert check(text="x = = 1\n", config=Config(select=("FX1",))).findings == ()


def test_a_rule_that_breaks_is_named_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = rule("FX107")
    namespace: dict[str, Any] = {"__name__": "fxlint.rules.fx107_broken"}
    exec("def check(event):\n    return 1 / 0", namespace)
    by_hook = {Hook.LEN: (replace(broken, check=namespace["check"]),), Hook.BRANCH: (rule("FX101"),)}
    monkeypatch.setattr("fxlint.rules.registry._by_hook", lambda: by_hook)
    other = replace(EVENT, hook=Hook.BRANCH, via="if", at=RawSpan("net.py", 3, 11, 3, 22))
    result = check(EVENT, EVENT, other)
    assert codes(result.findings) == ["FX101"]
    (crash,) = result.crashes
    assert crash.what == "rule FX107"
    assert "ZeroDivisionError" in crash.detail


def test_an_analysis_that_breaks_keeps_what_came_before() -> None:
    def analysis(project: Project, config: Config, tick: object = None) -> Iterator[RootRun]:
        yield Fake(EVENT).run
        raise RuntimeError("oops")

    result = engine.check_sources([Source("net.py", TEXT)], analysis=analysis)
    assert codes(result.findings) == ["FX107"]
    assert [type(crash) for crash in result.crashes] == [Crash]
    assert "oops" in result.crashes[0].detail


def test_an_interrupt_is_no_crash() -> None:
    def analysis(project: Project, config: Config, tick: object = None) -> Iterator[RootRun]:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        engine.check_sources([Source("net.py", TEXT)], analysis=analysis)


def test_an_analysis_may_recurse_deeply() -> None:
    def depth(n: int) -> int:
        return 0 if n == 0 else 1 + depth(n - 1)

    def analysis(project: Project, config: Config, tick: object = None) -> Iterator[RootRun]:
        assert depth(15_000) == 15_000
        yield Fake(EVENT).run

    before = sys.getrecursionlimit()
    result = engine.check_sources([Source("net.py", TEXT)], analysis=analysis)
    assert result.crashes == ()
    assert sys.getrecursionlimit() == before


def test_fingerprints_survive_moves_and_tell_equals_apart() -> None:
    (plain,) = check(EVENT).findings
    moved = replace(EVENT, at=RawSpan("net.py", 6, 23, 6, 29), symbol="other.Net.forward")
    (below,) = check(moved, text="\n" + TEXT).findings
    assert below.fingerprint == plain.fingerprint
    twice = replace(EVENT, at=replace(AT, end_col=28))
    first, second = check(EVENT, twice).findings
    assert first.fingerprint != second.fingerprint
    (changed,) = check(EVENT, text=TEXT.replace("return '😀'", "return '😁'")).findings
    assert changed.fingerprint != plain.fingerprint


def test_findings_in_a_notebook_carry_their_cell() -> None:
    data = (
        b'{"cells": [{"cell_type": "markdown", "source": "t"}, {"cell_type": "code", "source": "x = 1"},'
        b' {"cell_type": "code", "source": "y = 2\\nz = len(x)"}], "metadata": {}}'
    )
    source = Source.from_bytes("a.ipynb", data)
    event = replace(EVENT, at=RawSpan("a.ipynb", 3, 4, 3, 10), chain=())
    (finding,) = engine.check_sources([source], analysis=Fake(event)).findings
    assert (finding.place.cell, finding.place.span, finding.noqa_line) == (3, Span(2, 4, 2, 10), 2)


def test_files_from_disk_and_unsaved_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text("x = = 1\n")
    (tmp_path / "bad.py").write_bytes(b"x = '\xff'\n")
    result = engine.check([".", "gone"], analysis=Fake())
    assert [(finding.place.path, finding.code) for finding in result.findings] == [
        ("bad.py", "FX901"),
        ("net.py", "FX901"),
    ]
    assert result.files == 2
    assert result.problems == ("gone: no such file or folder",)
    unsaved = engine.check(["."], unsaved=[Source("net.py", TEXT)], analysis=Fake(EVENT))
    assert codes(unsaved.findings) == ["FX901", "FX107"]
    assert unsaved.line_text("net.py", None, 5).strip() == "return '😀', len(x)"


@pytest.mark.parametrize(
    ("events", "unresolved", "verdict"),
    [
        ((), (), ModelVerdict.TRACEABLE),
        ((), ("`f` is not known",), ModelVerdict.TRACEABLE),
        ((), ("the constructor of `Net`",), ModelVerdict.UNKNOWN),
        ((EVENT,), (), ModelVerdict.UNTRACEABLE),
        ((replace(EVENT, condition="self.a"),), (), ModelVerdict.CONDITIONAL),
        ((replace(EVENT, condition="self.a"), EVENT), (), ModelVerdict.UNTRACEABLE),
        ((replace(EVENT, effect=Effect.SILENT),), ("`f`",), ModelVerdict.SPECIALISES),
    ],
)
def test_verdicts(events: tuple[Event, ...], unresolved: tuple[str, ...], verdict: ModelVerdict) -> None:
    assert engine.verdict_of(events, unresolved) is verdict


def test_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.py").write_text(TEXT, encoding="utf-8")
    result = engine.models(["."], analysis=Fake(EVENT, unresolved=("a",)))
    (report,) = result.reports
    assert report.name == "net.Net"
    assert report.place.span == Span(1, 6, 1, 9)
    assert report.verdict is ModelVerdict.UNTRACEABLE
    assert codes(report.sites) == ["FX107"]
    assert report.unresolved == ("a",)
