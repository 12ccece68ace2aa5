"""FX107: `len()` of a Proxy."""

from __future__ import annotations

import re

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, kind, operand, subject


@rule(
    "FX107",
    "len-of-proxy",
    "len() is asked of a Proxy",
    hooks=(Hook.LEN,),
    says=r"'len' is not supported in symbolic tracing by default",
)
def len_of_proxy(event: Event) -> Report | None:
    """Python accepts nothing but a real int from `len()`, and while tracing a Proxy has no length."""
    message = f"`len()` is asked of {subject(event)}, which is {kind(event)}"
    text = " ".join(event.subject.split())
    shape = re.fullmatch(r"(.+)\.(shape|size\(\))", text)
    if shape:
        return Report(message, (f"Write {code(shape[1] + '.dim()')}, which is recorded.",))
    if event.flavour == "tensor" and text:
        return Report(message, (f"Write {code(operand(text) + '.shape[0]')}, which is recorded.",))
    return Report(
        message,
        (
            "For a tensor write `x.shape[0]`, for a shape `x.dim()`; both are recorded.",
            "Or call `torch.fx.wrap('len')` at module level of this file: every `len` in it is then recorded.",
        ),
    )
