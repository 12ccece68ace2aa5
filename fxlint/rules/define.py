"""What a rule is, and the decorator that makes one.

A finding's text has four parts. The rule gives three of them: what happens here (`Report.message`, made from the
event), why torch.fx cannot do it (`Rule.why`, the docstring of the rule's function) and what to do (`Report.help`).
The fourth, how the value came here, is the event's chain.

A rule may decline an event by returning None, so that several rules can share a hook; `effects` says which outcomes of
a hook a rule speaks for, so that a hook which raises and the same hook swallowed by an `except` have different owners.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect, Severity

DOCS = Path(__file__).parent / "docs"


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule says of one event: what happens here, and what to do about it."""

    message: str
    help: tuple[str, ...] = ()


Check = Callable[[Event], "Report | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A named kind of event.

    `severity` is that of the rule's usual effect; `severity_of` that of one event. `says` matches the text of the
    exception that torch raises at this rule's events, None where tracing raises nothing or the program's own words.
    """

    code: str
    name: str
    summary: str
    severity: Severity
    effect: Effect
    effects: frozenset[Effect]
    since: str
    says: str | None
    why: str
    hooks: tuple[Hook, ...]
    check: Check

    @property
    def docs_path(self) -> Path:
        """The page that explains this rule."""
        return DOCS / f"{self.code}.md"

    def documentation(self) -> str:
        """The text of the rule's page."""
        return self.docs_path.read_text(encoding="utf-8")

    def severity_of(self, event: Event) -> Severity:
        """An error exactly when tracing refuses at this event; otherwise as loud as the rule is."""
        if event.effect is Effect.UNTRACEABLE:
            return Severity.ERROR
        return Severity.WARNING if self.severity is Severity.ERROR else self.severity


_SOFT = frozenset({Effect.SILENT, Effect.BREAKS_LATER})


def rule(
    code: str,
    name: str,
    summary: str,
    *,
    hooks: tuple[Hook, ...],
    effect: Effect = Effect.UNTRACEABLE,
    severity: Severity | None = None,
    effects: frozenset[Effect] | None = None,
    since: str = "0.1.0",
    says: str | None = None,
) -> Callable[[Check], Rule]:
    """Turn a function into the `Rule` that bears its name in its module.

    Unless told otherwise, a rule whose effect is untraceable takes events that raise, any other those that do not.
    """
    if severity is None:
        severity = Severity.ERROR if effect is Effect.UNTRACEABLE else Severity.WARNING
    if effects is None:
        effects = frozenset({Effect.UNTRACEABLE}) if effect is Effect.UNTRACEABLE else _SOFT
    if says is not None:
        re.compile(says)

    def make(check: Check) -> Rule:
        why = " ".join(inspect.cleandoc(check.__doc__ or summary).split())
        return Rule(code, name, summary, severity, effect, effects, since, says, why, hooks, check)

    return make
