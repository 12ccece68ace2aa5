"""FX122: an object that a graph cannot hold is passed to a traced call."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX122",
    "unsupported-argument",
    "a traced call is given an object that a graph cannot hold",
    hooks=(Hook.ARGUMENT,),
    says=r"argument of type: <class|Keys for dictionaries used as an argument cannot contain a Node",
)
def unsupported_argument(event: Event) -> Report | None:
    """An argument of a recorded call is written into the graph: numbers, strings, dtypes, devices, tensors, and
    lists, tuples, dicts, slices and named tuples of these can be; functions, sets, generators and other objects
    cannot."""
    return Report(
        f"{subject(event, 'this recorded call')} is given {_what(event)}, which a graph cannot hold{more(event)}",
        (
            "Pass a tuple, list or dict with string keys instead of a set, generator or object of your own.",
            "Instead of passing a function, call it here, or keep both in a function decorated with `@torch.fx.wrap`.",
        ),
    )


def _what(event: Event) -> str:
    return f"a {event.via}" if event.via in ("generator", "set", "function", "coroutine") else event.via or "an object"
