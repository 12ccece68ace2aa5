"""FX210: an attribute of a Proxy is assigned."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, more, subject


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
    if text.endswith(".data") or event.via == "data":
        helps = ("Write `y.copy_(value)` under the caller's own `no_grad`, or use the value itself.",)
    elif text.endswith(".requires_grad") or event.via == "requires_grad":
        helps = ("Write `y.requires_grad_()`, or `y.detach()` for False: methods are recorded.",)
    else:
        helps = ("Return the extra value beside the tensor instead of hanging it on the tensor.",)
    return Report(
        f"an attribute is set on {subject(event)}, {kind(event)}; the graph has nothing of it{more(event)}", helps
    )
