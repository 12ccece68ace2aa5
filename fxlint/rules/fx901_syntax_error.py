"""FX901: a file, or a notebook's cell, that Python cannot read."""

from __future__ import annotations

from fxlint.interp.events import Event
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import Report, rule


@rule(
    "FX901",
    "syntax-error",
    "The file is not valid Python, so nothing in it was checked",
    hooks=(),
    effect=Effect.PRACTICE,
    severity=Severity.ERROR,
)
def syntax_error(event: Event) -> Report | None:
    """Python's own parser refuses this text, and what cannot be parsed cannot be traced."""
    return None
