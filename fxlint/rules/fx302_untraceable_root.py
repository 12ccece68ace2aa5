"""FX302: a root that symbolic_trace cannot take at all."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX302",
    "untraceable-root",
    "this object cannot be the root of a trace",
    hooks=(Hook.BAD_ROOT, Hook.RETURN),
    says=(
        r"argument of type: <class '(generator|coroutine)'>|doesn't exist in RecursiveScriptModule"
        r"|Expected FunctionType|Proxy object cannot be iterated"
    ),
)
def untraceable_root(event: Event) -> Report | None:
    """The root's forward() is run as plain Python and must return the outputs: scripted modules have no Python
    forward, parallel wrappers scatter their inputs first, and a coroutine returns before it runs."""
    if event.hook is Hook.RETURN:
        if event.via != "coroutine":
            return None  # FX123: the root is of the right kind, what it returns is not
        return Report(
            "the root's forward is a coroutine, which returns before it runs",
            ("Make forward() a plain function, and await outside the module.",),
        )
    return Report(
        f"{subject(event, 'this root')} is {event.via or 'no plain module'}, which cannot be the root of a trace"
        f"{more(event)}",
        ("Trace the plain module and wrap, script or distribute the graph module; of a wrapper, trace `.module`.",),
    )
