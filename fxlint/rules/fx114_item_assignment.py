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
    message = f"an item of {subject(event)} is assigned, and it is {kind(event)}"
    if event.param and event.flavour == "input":
        return Report(
            message,
            (
                "For a tensor write `x[i].copy_(v)` or `x[i].fill_(number)`: indexing and the method are recorded.",
                "For a dict of inputs, build a new dict.",
            ),
        )
    if event.via in ("+=", "-=", "*=", "/="):
        method = {"+=": "add_", "-=": "sub_", "*=": "mul_", "/=": "div_"}[event.via]
        return Report(message, (f"Write {code(f'x[i].{method}(v)')}: indexing and the method are recorded.",))
    return Report(
        message,
        (
            "Write `x[i].copy_(v)` for a tensor, `x[i].fill_(number)` for a number: both steps are recorded.",
            "Or out of place: `torch.cat`, `torch.where`, `x.masked_fill(mask, number)`, `torch.slice_scatter`.",
        ),
    )
