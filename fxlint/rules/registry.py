"""All rules: found by importing the package, asked by code, by name or by event.

rule("FX107").name          # "len-of-proxy"
rule("len-of-proxi")        # UnknownRuleError: … did you mean `len-of-proxy`?
report_for(event)           # (Rule, Report), or None when no rule wants the event
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

import fxlint.rules
from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, Rule


class UnknownRuleError(LookupError):
    """A code or name that belongs to no rule; the text says which one may have been meant."""

    def __init__(self, wanted: str, guesses: Iterable[str]) -> None:
        """Word the error, with the nearest codes or names."""
        self.wanted = wanted
        self.guesses = tuple(guesses)
        hint = " or ".join(f"`{guess}`" for guess in self.guesses)
        super().__init__(f"unknown rule `{wanted}`" + (f": did you mean {hint}?" if hint else ""))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package, by code."""
    rules: list[Rule] = []
    for module in pkgutil.iter_modules(fxlint.rules.__path__):
        if module.name.startswith("fx"):
            members = vars(importlib.import_module(f"fxlint.rules.{module.name}")).values()
            rules.extend(member for member in members if isinstance(member, Rule))
    return tuple(sorted(rules, key=lambda each: each.code))


def rule(code_or_name: str) -> Rule:
    """The rule of a code (any case) or a name; raises `UnknownRuleError`."""
    for each in all_rules():
        if code_or_name.upper() == each.code or code_or_name.lower() == each.name:
            return each
    raise UnknownRuleError(code_or_name, _guesses(code_or_name))


def matches(selector: str, code: str) -> bool:
    """Whether a selector (a code, a prefix of codes, a name or `ALL`) means the rule of that code."""
    if selector.upper() == "ALL" or code.startswith(selector.upper()):
        return True
    return any(each.name == selector.lower() and each.code == code for each in all_rules())


def report_for(event: Event) -> tuple[Rule, Report] | None:
    """The rule that names an event, and its words.

    Rules that speak for the event's effect are asked first, then the others of its hook, so an event whose effect no
    rule expects is named all the same.
    """
    rules = _by_hook().get(event.hook, ())
    for wanted in (True, False):
        for each in rules:
            if (event.effect in each.effects) is wanted:
                report = each.check(event)
                if report is not None:
                    return each, report
    return None


@cache
def _by_hook() -> dict[Hook, tuple[Rule, ...]]:
    return {hook: tuple(each for each in all_rules() if hook in each.hooks) for hook in Hook}


def _guesses(wanted: str) -> list[str]:
    codes = [each.code for each in all_rules()]
    near = difflib.get_close_matches(wanted.upper(), codes, n=3, cutoff=0.7)
    return near or difflib.get_close_matches(wanted.lower(), [each.name for each in all_rules()], n=3, cutoff=0.5)
