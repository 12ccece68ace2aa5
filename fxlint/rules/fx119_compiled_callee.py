"""FX119: a compiled or scripted function or module is called while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX119",
    "compiled-callee",
    "a compiled or scripted callee meets the trace",
    hooks=(Hook.COMPILED,),
    says=r"symbolically trace a dynamo-optimized function|Expected a value of type 'Tensor",
)
def compiled_callee(event: Event) -> Report | None:
    """Code that torch.compile or torch.jit.script has taken over does not run as Python, so it can neither be
    traced through nor accept a Proxy."""
    state = {"torch.compile": "compiled code", "torch.jit.script": "scripted code"}.get(
        event.via, "compiled or scripted code"
    )
    return Report(
        f"{subject(event, 'the callee')} is {state}, and it is given a Proxy{more(event)}",
        (
            "Call the plain Python function here, and compile or script the result of tracing instead.",
            "A scripted *submodule* may stay: fx records a call of a ScriptModule without entering it.",
        ),
    )
