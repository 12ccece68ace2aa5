"""FX114: an item of a Proxy is assigned."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, kind, subject


@rule(
    "FX114",
    "item-assignment",
    "an item of a Proxy is assigned",
    hooks=(Hook.SETITEM,),
    says=r"'Proxy' object does not support item assignment",
)
def item_assignment(event: Event) -> Report | None:
    """`x[i] = v` is a statement without a result, so there is nothing to record; Proxy refuses it."""
    if event.subject.rstrip().endswith("]"):
        item = " ".join(event.subject.split())
        message = f"{code(item)} is assigned, and it is an item of {kind(event)}"
    else:
        item = "x[i]"
        message = f"an item of {subject(event)} is assigned, and it is {kind(event)}"
    helps: tuple[str, ...] = (
        f"Write {code(f'{item}.copy_(tensor)')} or {code(f'{item}.fill_(number)')}; for `+=`, `.add_(value)`:"
        " indexing and the method are recorded. (`eliminate_dead_code()` would delete them: their result is unused.)",
        "Or out of place: `torch.cat`, `torch.where`, `x.masked_fill(mask, number)`, `torch.slice_scatter`.",
    )
    if event.flavour == "input":
        helps = (*helps, "For a dict or list of inputs, build a new one.")
    return Report(message, helps)
