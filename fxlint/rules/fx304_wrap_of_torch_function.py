"""FX304: `torch.fx.wrap` of a function of torch."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX304",
    "wrap-of-torch-function",
    "wrapping a torch function breaks later traces",
    hooks=(Hook.WRAP_TORCH,),
    effect=Effect.BREAKS_LATER,
)
def wrap_of_torch_function(event: Event) -> Report | None:
    """A wrapped name is looked up again by every later trace in the process, in globals where the generated code of
    an earlier one has put it, and is not found there: the first trace works, all later ones raise KeyError."""
    return Report(
        f"`torch.fx.wrap` on {subject(event)}, a function of torch, breaks every later trace in the "
        f"process{more(event)}",
        ("Write a function of your own at module level that calls it, and decorate that with `@torch.fx.wrap`.",),
    )
