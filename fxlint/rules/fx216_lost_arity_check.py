"""FX216: unpacking a Proxy no longer checks how many items there are."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX216",
    "lost-arity-check",
    "unpacking in the graph does not check the number of items",
    hooks=(Hook.ARITY,),
    effect=Effect.SILENT,
)
def lost_arity_check(event: Event) -> Report | None:
    """`a, b = x` is recorded as `x[0]` and `x[1]`: where eager code raises for an input of three items, the graph
    goes on with the first two."""
    number = f" {event.detail}" if event.detail else ""
    if "," in event.subject:
        message = (
            f"{kind(event)} is unpacked into {subject(event)}, and the graph does not check that it has{number} items"
        )
    else:
        message = f"{subject(event)} is {kind(event)}, and the graph does not check that it has{number} items to unpack"
    return Report(
        message,
        ("If the check matters, record it: `torch._assert(x.shape[0] == 2, 'two rows expected')`.",),
    )
