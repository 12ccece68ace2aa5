"""FX215: an `except` clause swallows a refusal of the trace."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, code, kind, subject

REFUSALS = (
    Hook.BRANCH,
    Hook.ASSERT,
    Hook.BOOLOP,
    Hook.BOOL_CALL,
    Hook.ITER,
    Hook.STAR,
    Hook.LEN,
    Hook.NUMBER,
    Hook.INDEX,
    Hook.FORMAT,
    Hook.SLICE_REAL,
    Hook.SIZE_ARG,
    Hook.TENSOR_DATA,
    Hook.SETITEM,
    Hook.DELITEM,
    Hook.NUMPY,
    Hook.FOREIGN,
    Hook.API,
    Hook.COMPILED,
    Hook.DICT_KEY,
    Hook.RAISE,
    Hook.ARGUMENT,
    Hook.UNREGISTERED_MODULE,
    Hook.UNREGISTERED_PARAMETER,
)
"""Hooks that raise at a line of user code, where a handler can stand around them."""


@rule(
    "FX215",
    "swallowed-failure",
    "an except clause hides a refusal of the trace",
    hooks=(Hook.SWALLOWED, *REFUSALS),
    effect=Effect.SILENT,
    effects=frozenset({Effect.SILENT}),
)
def swallowed_failure(event: Event) -> Report | None:
    """torch.fx refuses by raising (a TraceError is a ValueError), and a handler in the program that catches it
    sends the trace down the path for bad input, without a word."""
    if event.hook is Hook.SWALLOWED:
        asked, of, text = event.detail.partition(" of `")
        swallowed = f"{code(asked)}{of}{text}" if of else subject(event, "an operation in this `try`")
        what = f"{swallowed} raises while tracing"
    else:
        what = f"{subject(event)} is {kind(event)} and {asker(event, 'this line')} raises while tracing"
    return Report(
        f"{what}, but an `except` clause swallows it: the graph has the handler's path",
        (
            "Remove what raises (the same advice as without the handler), or take it out of the `try`.",
            "Or catch the one exception that you mean: `except ValueError` and broader also catch fx's TraceError.",
        ),
    )
