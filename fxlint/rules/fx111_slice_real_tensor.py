"""FX111: a real tensor (a buffer, a tensor built in forward) sliced with a Proxy bound."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX111",
    "slice-real-tensor",
    "a real tensor is sliced with a Proxy",
    hooks=(Hook.SLICE_REAL,),
    says=r"slice indices must be integers or None or have an __index__ method",
)
def slice_real_tensor(event: Event) -> Report | None:
    """Buffers, and tensors made from constants, stay real tensors while tracing (only Parameters become Proxies),
    and a real tensor needs real ints in a slice."""
    return Report(
        f"{subject(event)} slices a real tensor{_tag(event)} with {kind(event)}"
        if "[" in event.subject
        else f"a real tensor{_tag(event)} is sliced with {subject(event)}, which is {kind(event)}",
        (
            "Write `torch.narrow(buffer, dim, start, length)`: torch functions accept a Proxy and are recorded.",
            "Or, if callers allow it, trace with a Tracer whose `proxy_buffer_attributes` is True: buffers are "
            "Proxies then.",
        ),
    )


def _tag(event: Event) -> str:
    return " (a buffer)" if event.via == "buffer" else ""
