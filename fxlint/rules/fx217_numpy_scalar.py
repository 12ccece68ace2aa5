"""FX217: a numpy scalar becomes part of the graph's source text."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX217",
    "numpy-scalar",
    "a numpy scalar is written into the graph as text",
    hooks=(Hook.NUMPY_SCALAR,),
    effect=Effect.BREAKS_LATER,
)
def numpy_scalar(event: Event) -> Report | None:
    """A constant is written into the generated code by its `repr`, and that of a numpy scalar is `np.float64(...)`:
    a name which the generated code does not know."""
    return Report(
        f"{subject(event, 'this operation')} has a numpy scalar as an operand, and the graph module fails on its text"
        f"{more(event)}",
        ("Make it a Python number: `math.sqrt(c)` instead of `np.sqrt(c)`, or `float(...)` around it.",),
    )
