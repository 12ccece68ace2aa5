"""FX210: an attribute of a Proxy is assigned."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX210",
    "proxy-attribute-assignment",
    "an attribute set on a Proxy is lost",
    hooks=(Hook.PROXY_SETATTR,),
    effect=Effect.SILENT,
)
def proxy_attribute_assignment(event: Event) -> Report | None:
    """Assigning to an attribute changes the Proxy object in Python and records nothing: the tensor at run time is
    left as it was."""
    text = event.subject
    helps: tuple[str, ...]
    if text.endswith(".data") or event.detail == "data":
        helps = ("Use the value itself, or write it with `y = y.copy_(value)`, which is recorded.",)
    elif text.endswith(".requires_grad") or event.detail == "requires_grad":
        helps = ("Write `y = y.requires_grad_()`, or `y.detach()` for False: methods are recorded.",)
    else:
        helps = ("Return the extra value beside the tensor instead of hanging it on the tensor.",)
    return Report(f"{subject(event)} is set on {kind(event)}, and the graph has nothing of it", helps)
