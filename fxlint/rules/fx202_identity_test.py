"""FX202: a Proxy compared by `is` with a constant."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, more, subject


@rule(
    "FX202",
    "identity-test",
    "a Proxy is compared by identity",
    hooks=(Hook.IDENTITY,),
    effect=Effect.SILENT,
)
def identity_test(event: Event) -> Report | None:
    """`is` cannot be overloaded, and a Proxy is no other object: `x.dtype is torch.float16` is False in every
    trace, without an error."""
    return Report(
        f"{subject(event)} is a test by identity of {kind(event)}: it is decided before any input is seen{more(event)}"
        if " is " in event.subject
        else f"{subject(event)} is {kind(event)}, so this `is` test is decided before any input is seen{more(event)}",
        (
            "If the answer is always the same, drop the test.",
            "Or move these lines into a function at module level of this file, decorated with `@torch.fx.wrap`.",
        ),
    )
