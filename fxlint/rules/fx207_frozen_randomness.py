"""FX207: a random number or the time is taken while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, code, more


@rule(
    "FX207",
    "frozen-randomness",
    "a random number or the time is frozen in the graph",
    hooks=(Hook.RANDOM,),
    effect=Effect.SILENT,
)
def frozen_randomness(event: Event) -> Report | None:
    """A call without a Proxy among its arguments is not recorded but run, once, while tracing; its result is a
    constant of the graph."""
    call = code(event.subject) if event.subject.strip() else asker(event, "this call")
    return Report(
        f"{call} runs once while tracing, and every call of the graph module gets the same value{more(event)}",
        (
            "Draw from a traced tensor, `torch.rand_like(x)`, `x.new_empty(n).uniform_()`: these are recorded.",
            "Or put the draw into a function at module level, decorated with `@torch.fx.wrap`, that takes a "
            "traced value.",
        ),
    )
