"""FX106: `*x` or `**x` of a Proxy in a call or a display."""

from __future__ import annotations

import re

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, operand, subject


@rule(
    "FX106",
    "star-on-proxy",
    "a Proxy is unpacked with a star",
    hooks=(Hook.STAR,),
    says=r"Proxy object cannot be iterated",
)
def star_on_proxy(event: Event) -> Report | None:
    """A star asks how many items there are while the call is being made; a Proxy cannot say."""
    stars = "**" if event.via.startswith("**") else "*"
    message = f"`{stars}` unpacks {subject(event)}, which is {kind(event)}"
    text = operand(event.subject)
    if stars == "**":
        return Report(message, ("Pass the entries by name: `f(a=d['a'], b=d['b'])`.",))
    if event.param:
        return Report(
            message,
            (
                f"Name the parameters in the root's signature: in `forward(self, *{event.param})` all of them "
                "together are "
                "one Proxy.",
            ),
        )
    if event.flavour == "size" or re.search(r"\.(shape|size\(\))", event.subject):
        return Report(
            message,
            (
                f"Add tuples to the shape and pass the sum as one argument: `x.view({text} + (2, -1))`, "
                f"`torch.ones({text})`.",
                "Or, for the last axes, `x.flatten(...)` and `x.unflatten(...)` need no shape at all.",
            ),
        )
    return Report(message, ("Pass the items by index, `f(x[0], x[1])`, or pass the value as one argument.",))
