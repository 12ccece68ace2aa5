"""FX301: the signature of the root's forward is one that fx cannot call or write down."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX301",
    "forward-signature",
    "the signature of the root's forward cannot be traced",
    hooks=(Hook.SIGNATURE,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.SILENT, Effect.BREAKS_LATER}),
    says=r"cannot be part of \*args expansion|co_varnames is too small|name '_tensor_constant0' is not defined",
)
def forward_signature(event: Event) -> Report | None:
    """fx makes one placeholder for each parameter it finds in forward's code object and prints each default into
    the generated code. A decorator's bare `*args, **kwargs` hides the parameters, and a tensor cannot be
    printed."""
    if "default" in event.via or "default" in event.detail:
        return Report(
            f"{subject(event, 'a default')} is a tensor, and fx cannot print it into the signature of the "
            f"graph{more(event)}",
            (
                "Register the tensor as a buffer, and choose it in a function decorated with `@torch.fx.wrap` "
                "or in the caller.",
            ),
        )
    if event.via == "self in *args":
        what = f"the root's {subject(event, 'forward')} takes `self` inside `*args`, where fx does not find it"
    else:
        what = f"the root's forward is {subject(event, 'a wrapper')}, which hides the parameters of what it wraps"
    return Report(
        f"{what}{more(event)}",
        ("Put `@functools.wraps(function)` on the wrapper: fx then traces with the parameters of that function.",),
    )
