"""FX110: a Proxy formatted with a specification, or with `%d`."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX110",
    "format-proxy",
    "a Proxy is formatted as a number",
    hooks=(Hook.FORMAT,),
    says=r"unsupported format string passed to Proxy|format: a real number is required",
)
def format_proxy(event: Event) -> Report | None:
    """A format specification asks the value for its digits at once; a Proxy has none while tracing."""
    return Report(
        f"{subject(event)} is {kind(event)} and cannot be formatted with {_spec(event)}",
        (
            "Drop the text from forward(), or compute it in the caller or in a forward hook of a submodule.",
            "Or move the formatting into a function at module level decorated with `@torch.fx.wrap`.",
        ),
    )


def _spec(event: Event) -> str:
    return f"`{event.via}`" if event.via else "a specification"
