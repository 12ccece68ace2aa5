"""FX123: the traced root returns an object that a graph cannot hold."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX123",
    "unsupported-return",
    "the root returns an object that a graph cannot hold",
    hooks=(Hook.RETURN,),
    says=r"argument of type: <class|Keys for dictionaries used as an argument cannot contain a Node",
)
def unsupported_return(event: Event) -> Report | None:
    """What the root returns is written into the graph: tensors and numbers, and tuples, lists, dicts with plain
    keys, named tuples and dataclasses of these can be; sets, generators and other objects cannot."""
    if event.via == "coroutine":
        return None  # FX302: an async forward is a root of the wrong kind
    if event.via == "generator":
        return Report(
            "the traced root returns a generator, or yields, and a graph cannot hold a generator",
            ("Return a tuple.",),
        )
    what = f"a {event.via}" if event.via else subject(event, "an object")
    return Report(
        f"the traced root returns {what}, which a graph cannot hold{more(event)}",
        ("Return a tuple, a dict with string keys, a NamedTuple or a dataclass, and build the object in the caller.",),
    )
