"""FX211: a tensor made in forward from constants is changed in place or handed out."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX211",
    "constant-mutated",
    "a tensor made once while tracing is changed at every call",
    hooks=(Hook.CONSTANT_MUTATED,),
    effect=Effect.SILENT,
)
def constant_mutated(event: Event) -> Report | None:
    """A factory call without a Proxy among its arguments runs once while tracing, and its tensor becomes one
    constant of the graph module; an in-place change of it is kept from call to call, where eager code starts
    anew each time."""
    if "(" in event.subject:
        what = f"{subject(event)} changes a tensor that was made once while tracing"
    else:
        what = f"{subject(event)} is made once while tracing and then changed in place"
    return Report(
        f"{what}, so changes add up over calls{more(event)}",
        (
            "Make it from a traced tensor, `x.new_zeros(4)` or `torch.zeros_like(x)`: that is recorded and runs at "
            "every call.",
            "Or write the change out of place.",
        ),
    )
