"""FX102: an `assert` whose condition is a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX102",
    "assert-on-proxy",
    "an assert checks a Proxy",
    hooks=(Hook.ASSERT,),
    says=r"symbolically traced variables cannot be used as inputs to control flow",
)
def assert_on_proxy(event: Event) -> Report | None:
    """An assert is a branch: Python asks the condition for its truth while forward() runs with Proxies, which have
    none."""
    return Report(
        f"{subject(event, 'the condition')} is {kind(event)}, so this `assert` cannot be checked while tracing",
        (
            "Write `torch._assert(condition, message)`: the check becomes a node of the graph and runs at every call.",
            "Give it one comparison: `and`, `or` and chains inside the condition ask the same question (FX103).",
        ),
    )
