"""FX307: a module's `__getattr__` that does not ask `nn.Module.__getattr__`."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX307",
    "getattr-without-super",
    "a custom __getattr__ hides Parameters from the trace",
    hooks=(Hook.GETATTR_NO_SUPER,),
    effect=Effect.SILENT,
)
def getattr_without_super(event: Event) -> Report | None:
    """fx replaces `nn.Module.__getattr__` while tracing, to hand out Proxies for Parameters; an override that looks
    into `_parameters` itself hands out real tensors, and what is computed from them alone is frozen."""
    return Report(
        f"{subject(event, 'a Parameter')} is read through a `__getattr__` that does not call `super().__getattr__`, "
        f"so it is a real tensor while tracing{more(event)}",
        ("Ask `super().__getattr__(name)` first, and handle the AttributeError.",),
    )
