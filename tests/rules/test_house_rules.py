"""What every rule must have: a code, a name that reads well, a hook, a page with all parts, words for every event."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fxlint.interp.events import Event, Hook, RawSpan
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import DOCS, Rule
from fxlint.rules.registry import UnknownRuleError, all_rules, matches, report_for, rule
from tests.rules.pages import HEADINGS, event_rules, page

EVENT_RULES = event_rules()
FLAVOURS = ("tensor", "size", "int", "float", "dtype", "device", "bool", "input", "parameter", "list", "other")


def event(hook: Hook, effect: Effect = Effect.UNTRACEABLE, **changes: object) -> Event:
    made = Event(hook, effect, RawSpan("net.py", 3, 4, 3, 9), subject="x.shape[0]")
    return replace(made, **changes)  # type: ignore[arg-type]


def codes(rules: object) -> list[str]:
    return [each.code for each in rules]  # type: ignore[attr-defined]


def test_codes_and_names_are_unique() -> None:
    assert len({each.code for each in all_rules()}) == len(all_rules())
    assert len({each.name for each in all_rules()}) == len(all_rules())
    assert codes(all_rules()) == sorted(codes(all_rules()))


@pytest.mark.parametrize("about", all_rules(), ids=lambda each: each.code)
def test_a_rule_is_well_formed(about: Rule) -> None:
    assert re.fullmatch(r"FX[1-49]\d\d", about.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", about.name), "a name reads well after `allow`"
    assert not about.name.startswith(("no-", "avoid-", "allow-"))
    assert about.summary
    assert not about.summary.endswith(".")
    assert re.search(r"[.)]$", about.why)
    assert re.fullmatch(r"\d+\.\d+\.\d+", about.since)
    module = about.check.__module__.rsplit(".", 1)[-1]
    assert module == f"{about.code.lower()}_{about.check.__name__}"
    assert about.check.__name__ == about.name.replace("-", "_")


@pytest.mark.parametrize("about", EVENT_RULES, ids=lambda each: each.code)
def test_severity_follows_effect(about: Rule) -> None:
    assert about.effect in about.effects
    assert about.effect is not Effect.PRACTICE
    assert (about.severity is Severity.ERROR) is (about.effect is Effect.UNTRACEABLE)
    if about.code.startswith("FX1"):
        assert about.effect is Effect.UNTRACEABLE
    if about.code.startswith("FX2"):
        assert about.effect is not Effect.UNTRACEABLE
    for effect in about.effects:
        assert (about.severity_of(event(about.hooks[0], effect)) is Severity.ERROR) is (effect is Effect.UNTRACEABLE)


@pytest.mark.parametrize("about", all_rules(), ids=lambda each: each.code)
def test_a_page_has_all_parts(about: Rule) -> None:
    shown = page(about)
    assert shown.title == f"# {about.name} ({about.code})"
    if about.hooks:
        assert shown.headings == HEADINGS
        assert shown.examples("Example")
        assert shown.examples("Use instead")
        assert shown.quotations or shown.graphs
        assert "](https://" in shown.section("References")
    else:
        assert shown.headings == tuple(each for each in HEADINGS if each not in ("torch says", "References"))


@pytest.mark.parametrize("about", EVENT_RULES, ids=lambda each: each.code)
def test_a_page_shows_the_effect_of_its_rule(about: Rule) -> None:
    bad = page(about).examples("Example")
    assert all(("differs" in each.flags) is (about.effect is not Effect.UNTRACEABLE) for each in bad)
    if about.severity is Severity.INFO:
        assert {each.flags["differs"] for each in bad} <= {"mode", "reload"}


def test_every_page_has_a_rule() -> None:
    assert sorted(path.stem for path in DOCS.glob("*.md")) == codes(all_rules())


SHARED = {Hook.RETURN: {"coroutine": "FX302", "generator": "FX123", "": "FX123"}}
"""Hooks that two rules share, and by which `via` they are split."""


@pytest.mark.parametrize("hook", SHARED, ids=lambda each: each.name)
def test_a_shared_hook_has_one_owner_for_each_event(hook: Hook) -> None:
    for via, code in SHARED[hook].items():
        made = event(hook, via=via)
        assert codes(each for each in all_rules() if hook in each.hooks and each.check(made)) == [code]


def test_every_hook_has_one_owner_for_each_effect() -> None:
    for hook in set(Hook) - set(SHARED):
        owners = [each for each in all_rules() if hook in each.hooks]
        assert owners, f"no rule names {hook}"
        for effect in (Effect.UNTRACEABLE, Effect.SILENT, Effect.BREAKS_LATER):
            assert len([each for each in owners if effect in each.effects]) <= 1, f"{hook} {effect}: {codes(owners)}"


@pytest.mark.parametrize("hook", Hook, ids=lambda each: each.name)
def test_every_event_gets_words(hook: Hook) -> None:
    """Whatever the interpreter puts into an event, a rule names it in one line that has no hole."""
    for effect in (Effect.UNTRACEABLE, Effect.SILENT, Effect.BREAKS_LATER):
        for flavour in FLAVOURS:
            for subject, via, param, detail in (
                ("x", "", "", ""),
                ("", "", "", ""),
                ("x.shape", "if", "x", "2"),
                ("a\n    + b", "min()", "", "because of the weather"),
                ("x" * 300, "torch.zeros", "mask", "buffer"),
            ):
                named = report_for(
                    event(hook, effect, flavour=flavour, subject=subject, via=via, param=param, detail=detail)
                )
                assert named is not None
                about, report = named
                for line in (report.message, *report.help):
                    assert line
                    assert "\n" not in line
                    assert "``" not in line
                    assert "  " not in line
                    assert not line.startswith(" ")
                assert not report.message.endswith(".")
                assert report.help
                assert not report.help[0].startswith("Or "), about.code
                assert all(line.endswith((".", ")")) for line in report.help), report.help
                assert len(report.message) < 420, about.code


def test_a_swallowed_refusal_is_named_as_such() -> None:
    named = report_for(event(Hook.BRANCH, Effect.SILENT))
    assert named is not None
    assert named[0].name == "swallowed-failure"


def test_rules_are_found_by_code_and_by_name() -> None:
    assert rule("fx107") is rule("len-of-proxy") is rule("FX107")
    assert matches("FX1", "FX107")
    assert matches("ALL", "FX902")
    assert matches("len-of-proxy", "FX107")
    assert not matches("FX2", "FX107")


@pytest.mark.parametrize(("wanted", "meant"), [("FX1O7", "FX107"), ("len-of-prox", "len-of-proxy")])
def test_an_unknown_rule_suggests_a_known_one(wanted: str, meant: str) -> None:
    with pytest.raises(UnknownRuleError, match=f"did you mean .*`{meant}`"):
        rule(wanted)


def test_a_rule_file_is_short_and_imports_no_interpreter() -> None:
    for path in Path(DOCS).parent.glob("fx*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 110, path.name
        imported = set(re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE))
        assert {name for name in imported if name.startswith("fxlint.interp")} <= {"fxlint.interp.events"}
