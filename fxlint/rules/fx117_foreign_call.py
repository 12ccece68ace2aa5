"""FX117: a callable that cannot work with a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, is_whole_call, kind, more, subject


@rule(
    "FX117",
    "foreign-call",
    "a callable that cannot take a Proxy is given one",
    hooks=(Hook.FOREIGN,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.BREAKS_LATER}),
    says=r"must be a dict|requires a floating point input type|cannot be iterated|not 'Proxy'|Proxy",
)
def foreign_call(event: Event) -> Report | None:
    """The callee is not recorded by fx and is not plain Python over tensors either: it needs the real value at
    once."""
    return Report(
        f"{subject(event)} cannot work with {kind(event)}{more(event)}"
        if is_whole_call(event)
        else f"{asker(event, 'this callable')} cannot work with {subject(event)}, which is {kind(event)}{more(event)}",
        (
            "Call it in a function at module level of this file, decorated with `@torch.fx.wrap`: the graph "
            "then records "
            "one call of that function.",
            "Or do this step outside the traced module.",
        ),
    )
