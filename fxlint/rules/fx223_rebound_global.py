"""FX223: a global that the program rebinds is read while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX223",
    "rebound-global",
    "a variable that changes later is baked into the graph",
    hooks=(Hook.GLOBAL_READ,),
    effect=Effect.SILENT,
)
def rebound_global(event: Event) -> Report | None:
    """A Python variable is read once, while tracing, and its value of that moment is a constant of the graph; some
    function of this program gives it another value later."""
    return Report(
        f"{subject(event, 'this global')} is read while tracing, so later assignments to it do not reach the "
        f"graph{more(event)}",
        (
            "Pass the value as an input of forward().",
            "Or keep it in a buffer and change that in place: the graph module reads the buffer at every call.",
        ),
    )
