"""FX220: text made from a Proxy, printed or logged."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, code, is_whole_call, more


@rule(
    "FX220",
    "trace-time-output",
    "printing and logging happen while tracing only",
    hooks=(Hook.PRINT,),
    effect=Effect.SILENT,
)
def trace_time_output(event: Event) -> Report | None:
    """Calls that are not recorded run once, while tracing; the text of a Proxy is `Proxy(x)`, not the tensor's
    values."""
    what = code(event.subject) if is_whole_call(event) else asker(event, code(event.subject or "this call"))
    return Report(
        f"{what} runs once while tracing, with `Proxy(...)` as text, and never in the graph module{more(event)}",
        (
            "Print or log in the caller, or in a forward hook of a leaf module such as an `nn.Linear`.",
            "Or in a function decorated with `@torch.fx.wrap` that prints and returns its argument; use the result.",
        ),
    )
