"""FX212: forward writes to an attribute, a buffer, a list or a global."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX212",
    "state-at-trace",
    "state is written once, while tracing",
    hooks=(Hook.STATE,),
    effect=Effect.SILENT,
)
def state_at_trace(event: Event) -> Report | None:
    """Assignments to attributes, lists and globals, and operations on buffers alone, run while tracing and are not
    part of the graph: calling the graph module never repeats them, and the traced module keeps what tracing
    wrote."""
    if "(" in event.subject:
        message = f"{subject(event)} runs while tracing only; the graph module never repeats it"
    else:
        what = f"the {event.via}" if event.via in ("buffer", "attribute", "container") else "state"
        message = f"{subject(event, what)} is changed while tracing only; the graph module never changes it"
    return Report(
        f"{message}{more(event)}",
        (
            "Return the new value from forward() and let the caller keep it.",
            "For a buffer, update it in place with a traced value and use the result, "
            "`mean = self.mean.lerp_(x.mean(0), 0.1)`: that is recorded.",
        ),
    )
