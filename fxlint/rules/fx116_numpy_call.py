"""FX116: numpy is called with a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, is_whole_call, kind, subject


@rule(
    "FX116",
    "numpy-call",
    "numpy is called with a Proxy",
    hooks=(Hook.NUMPY,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.BREAKS_LATER}),
    says=r"invalid __array_struct__|expected np.ndarray \(got Proxy\)",
)
def numpy_call(event: Event) -> Report | None:
    """numpy reads the memory of its arguments at once, and fx records no numpy function: a Proxy has no memory to
    read."""
    helps = (
        "Use the torch or math function of the same name: `math.sqrt(n)`, `math.prod`, `torch.arange(n)` are recorded.",
        "Or move the numpy code into a function at module level of this file, decorated with `@torch.fx.wrap`.",
    )
    call = asker(event, "this numpy call")
    if event.effect is Effect.UNTRACEABLE:
        if event.via == "numpy scalar on the left":
            return Report(f"{subject(event)} has a numpy scalar on the left of {kind(event)}", helps)
        if is_whole_call(event):
            return Report(f"{subject(event)} is given {kind(event)}", helps)
        return Report(f"{call} is given {subject(event)}, which is {kind(event)}", helps)
    return Report(
        f"{call} hands {subject(event)}, {kind(event)}, to a method of the wrong type: the graph module raises "
        "when called",
        helps,
    )
