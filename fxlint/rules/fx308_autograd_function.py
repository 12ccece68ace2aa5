"""FX308: a custom `autograd.Function` is applied while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX308",
    "autograd-function",
    "a custom backward is lost",
    hooks=(Hook.AUTOGRAD_FUNCTION,),
    effect=Effect.SILENT,
)
def autograd_function(event: Event) -> Report | None:
    """`Function.apply` does not see a tensor while tracing and simply runs forward(): the graph holds the
    operations inside, and gradients are those of the operations and not of your backward()."""
    return Report(
        f"{subject(event, 'this `apply`')} is traced through, so the graph lacks its backward(){more(event)}",
        (
            "Call `apply` in a function at module level of this file, decorated with `@torch.fx.wrap`: the graph then "
            "records one call of it, backward included.",
        ),
    )
