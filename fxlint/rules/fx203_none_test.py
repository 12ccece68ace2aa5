"""FX203: an optional input of the traced root is compared with None."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, more, subject


@rule(
    "FX203",
    "none-test",
    "an optional input of the root is never None while tracing",
    hooks=(Hook.NONE_TEST,),
    effect=Effect.SILENT,
)
def none_test(event: Event) -> Report | None:
    """Every parameter of the root is a Proxy while tracing, also one that has a default, and a Proxy is not None:
    the graph always has the code for a given value, and breaks or differs when the caller leaves it out."""
    name = event.param or event.subject.strip() or "x"
    return Report(
        f"{subject(event)} is an input of the traced root, so it is never None while tracing: the graph always uses it"
        f"{more(event)}",
        (
            f"If callers never pass it, trace with {code(f'concrete_args={{{name!r}: None}}')}.",
            "If some do, write a function at module level, decorated with `@torch.fx.wrap`, that takes the "
            "optional value "
            "and does the test.",
        ),
    )
