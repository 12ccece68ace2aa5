"""FX121: a `raise` or a wrong call that tracing always reaches."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX121",
    "certain-raise",
    "tracing always ends in this exception",
    hooks=(Hook.RAISE,),
)
def certain_raise(event: Event) -> Report | None:
    """Some tests have one answer for a Proxy, whatever the input: `isinstance(x, Tensor)` and `x is None` are
    False, `hasattr(x, ...)` is True. Where such an answer leads to an exception, tracing fails for every input."""
    if event.via == "arity":
        what = f"{subject(event, 'this call')} has the wrong number of arguments"
    else:
        what = f"{subject(event, 'this exception')} is reached"
    return Report(
        f"{what} whenever the module is traced, because a test before it has one answer for a Proxy{more(event)}",
        (
            "Drop the type test, or let a Proxy pass: `if not isinstance(x, (torch.Tensor, torch.fx.Proxy)): "
            "raise ...`.",
            "Or make the check in the caller, outside the traced module.",
        ),
    )
