"""FX110: a Proxy formatted with a specification, or with `%d`."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, kind, subject


@rule(
    "FX110",
    "format-proxy",
    "a Proxy is formatted as a number",
    hooks=(Hook.FORMAT,),
    says=r"unsupported format string passed to Proxy|format: a real number is required",
)
def format_proxy(event: Event) -> Report | None:
    """A format specification asks the value for its digits at once; a Proxy has none while tracing."""
    spec = asker(event, "a specification")
    return Report(
        f"{subject(event)} formats {kind(event)} as a number, by {spec}"
        if _is_format(event)
        else f"{subject(event)} is {kind(event)} and cannot be formatted as a number, by {spec}",
        (
            "Drop the text from forward(), or make it in the caller or in a forward hook of a leaf module.",
            "Or move the formatting into a function at module level decorated with `@torch.fx.wrap`.",
        ),
    )


def _is_format(event: Event) -> bool:
    return "%" in event.subject or ".format(" in event.subject
