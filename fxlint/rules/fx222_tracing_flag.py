"""FX222: the program asks whether it is being traced."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, more


@rule(
    "FX222",
    "tracing-flag",
    "the graph has the path for tracing, not the path of eager mode",
    hooks=(Hook.FX_TRACING,),
    effect=Effect.SILENT,
)
def tracing_flag(event: Event) -> Report | None:
    """A test for the trace itself is True while tracing and False in eager mode, so the graph module computes the
    one side and the module the other."""
    what = code(event.subject or event.via or "is_fx_tracing()")
    return Report(
        f"{what} is true while tracing only, so the graph has a path that eager mode never takes{more(event)}",
        (
            "Write one path that works in both, or keep the two sides equal in what they compute and test that "
            "they are.",
        ),
    )
