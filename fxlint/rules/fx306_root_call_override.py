"""FX306: the root's `__call__` is overridden, or forward is replaced on the instance."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX306",
    "root-call-override",
    "fx traces the forward of the root's class and nothing else",
    hooks=(Hook.ROOT_CALL,),
    effect=Effect.SILENT,
)
def root_call_override(event: Event) -> Report | None:
    """fx takes the function `forward` from the class of the root: neither a `__call__` of your own nor a forward
    assigned to the instance is run."""
    return Report(
        f"{subject(event, '`__call__`')} is not traced: fx runs the forward() of the root's class{more(event)}",
        (
            "Put the code into forward().",
            "Or trace an outer module that holds this one as a submodule and calls it.",
        ),
    )
