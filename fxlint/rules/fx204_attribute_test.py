"""FX204: `hasattr` or `getattr` with a default asked of a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, kind, subject


@rule(
    "FX204",
    "attribute-test",
    "a Proxy has every attribute",
    hooks=(Hook.ATTR_TEST,),
    effect=Effect.SILENT,
)
def attribute_test(event: Event) -> Report | None:
    """A Proxy answers every attribute with another Proxy, so `hasattr` is always True and a default of `getattr` is
    never used; the graph reads the attribute from the real value, which may lack it."""
    name = f" `{event.detail}`" if event.detail else ""
    return Report(
        f"{asker(event, 'this test')} asks {subject(event)} for an attribute{name}; it is {kind(event)}, which has all",
        (
            "If the input always has (or lacks) the attribute, drop the test.",
            "Or do the test in a function at module level of this file, decorated with `@torch.fx.wrap`.",
        ),
    )
