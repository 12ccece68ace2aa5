"""FX902: a comment that silences nothing."""

from __future__ import annotations

from fxlint.interp.events import Event
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import Report, rule


@rule(
    "FX902",
    "unused-suppression",
    "A comment silences a finding that is not there (off unless selected)",
    hooks=(),
    effect=Effect.PRACTICE,
    severity=Severity.WARNING,
)
def unused_suppression(event: Event) -> Report | None:
    """A comment that silences nothing hides the next finding on its line, which nobody has looked at."""
    return None
