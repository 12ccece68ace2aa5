"""FX115: an item of a Proxy is deleted."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX115",
    "item-deletion",
    "an item of a Proxy is deleted",
    hooks=(Hook.DELITEM,),
    says=r"'Proxy' object doesn't support item deletion",
)
def item_deletion(event: Event) -> Report | None:
    """`del x[i]` is a statement without a result, so there is nothing to record; Proxy refuses it."""
    return Report(
        f"{subject(event)} is deleted, and it is an item of {kind(event)}"
        if event.subject.rstrip().endswith("]")
        else f"an item of {subject(event)} is deleted, and it is {kind(event)}",
        ("Make a new value that lacks the item: for a list `xs[1:]`, which is recorded.",),
    )
