"""FX218: `copy.copy` or `copy.deepcopy` of a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX218",
    "copied-proxy",
    "a Proxy is copied as a Python object",
    hooks=(Hook.COPY,),
    effect=Effect.BREAKS_LATER,
)
def copied_proxy(event: Event) -> Report | None:
    """Copying the Proxy object copies its node (a deep copy even the whole graph) and not the tensor; what is
    recorded on the copy belongs to no graph that will run."""
    return Report(
        f"{subject(event, 'this call')} copies {kind(event)}, and not the tensor behind it",
        ("Write `x.clone()`, which is recorded.",),
    )
