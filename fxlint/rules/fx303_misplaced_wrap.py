"""FX303: `torch.fx.wrap` where it cannot work."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX303",
    "misplaced-wrap",
    "torch.fx.wrap is used where it cannot work",
    hooks=(Hook.WRAP_MISUSE,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.SILENT, Effect.BREAKS_LATER}),
    says=r"wrap must be called at the top level of a module|wrap\(\) must be called with|must be a global function",
)
def misplaced_wrap(event: Event) -> Report | None:
    """`wrap` notes a name in the globals of the file that calls it, and tracing replaces that global: so it works
    at module level only, for a function of this file or the name of one."""
    return Report(
        f"`torch.fx.wrap` on {subject(event)} cannot work here: it takes a global function, at module "
        f"level{more(event)}",
        (
            "Move the code into a function at module level and decorate that, or call `torch.fx.wrap('name')` "
            "at module level.",
        ),
    )
