"""FX109: a Proxy where Python wants an index: `range`, a list, a ModuleList."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, asker, is_whole_call, kind, subject


@rule(
    "FX109",
    "index-with-proxy",
    "a Proxy is used as a Python index or count",
    hooks=(Hook.INDEX,),
    says=(
        r"cannot be interpreted as an integer|indices must be integers|must have an __index__|multiply sequence"
        r"|have an __index__ method"
    ),
)
def index_with_proxy(event: Event) -> Report | None:
    """`range` and Python's containers need a real int at once, to count or to choose; a Proxy holds none while
    tracing."""
    if event.via.startswith("range"):
        return Report(
            f"{subject(event)} needs a real int, but it is given {kind(event)}"
            if is_whole_call(event)
            else f"`range` needs a real int, but {subject(event)} is {kind(event)}",
            (
                "If the number of steps follows from the configuration, keep it as an int in `__init__` and "
                "loop over that.",
                "Or write the loop as one operation over the whole axis; to number positions, `torch.arange(n)` "
                "is recorded.",
                WRAP_HELPER,
            ),
        )
    return Report(
        f"{subject(event)} needs a real int as an index, but it is given {kind(event)}"
        if event.subject.rstrip().endswith(("]", ")"))
        else f"{asker(event, 'this container')} is indexed with {subject(event)}, which is {kind(event)}",
        (
            "To choose among modules, run them all and select with `torch.where`, or decide in `__init__`.",
            "To look up numbers, keep them in a buffer: a tensor indexed with one Proxy is recorded.",
        ),
    )
