"""FX221: Parameters reached by `parameters()` or `state_dict()` while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX221",
    "parameters-past-proxy",
    "Parameters reached past their Proxies are frozen",
    hooks=(Hook.STATE_DICT,),
    effect=Effect.SILENT,
    severity=Severity.INFO,
)
def parameters_past_proxy(event: Event) -> Report | None:
    """fx turns a Parameter into a Proxy when it is read as an attribute; `parameters()` and `state_dict()` go round
    that and give real tensors, so what is computed from them alone is a constant of the graph: later weights do
    not reach it."""
    return Report(
        f"{subject(event, 'this call')} gives real tensors while tracing, and what is computed from them is "
        f"frozen{more(event)}",
        ("Read each Parameter as an attribute of the module, `self.linear.weight`, which is recorded.",),
    )
