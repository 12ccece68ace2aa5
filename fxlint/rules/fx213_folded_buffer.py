"""FX213: an operation on buffers alone is computed while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX213",
    "folded-buffer",
    "a value computed from buffers alone is frozen",
    hooks=(Hook.BUFFER_FOLDED,),
    effect=Effect.SILENT,
    severity=Severity.INFO,
)
def folded_buffer(event: Event) -> Report | None:
    """Buffers are real tensors while tracing, so an operation without a Proxy among its operands is computed at
    once and its result kept as a constant: weights loaded into the graph module later do not reach it."""
    return Report(
        f"{subject(event, 'this operation')} is computed while tracing from buffers alone, and its result is "
        f"frozen{more(event)}",
        (
            "Load the weights before tracing; or compute it once in `__init__` and register the result as a buffer.",
            "Or trace with a Tracer whose `proxy_buffer_attributes` is True: buffers are Proxies then.",
        ),
    )
