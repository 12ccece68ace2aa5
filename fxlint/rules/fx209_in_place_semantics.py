"""FX209: an in-place change whose effect the graph does not keep."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, more, operand, subject

_METHODS = {
    "+=": "add_",
    "-=": "sub_",
    "*=": "mul_",
    "/=": "div_",
    "//=": "floor_divide_",
    "%=": "remainder_",
    "**=": "pow_",
}


@rule(
    "FX209",
    "in-place-semantics",
    "an in-place change is lost in the graph",
    hooks=(Hook.INPLACE,),
    effect=Effect.SILENT,
)
def in_place_semantics(event: Event) -> Report | None:
    """A Proxy has no in-place operators, so `x += 1` is recorded as `x = x + 1` and other names for the same tensor
    keep the old value; an in-place method is recorded, but if its result is unused, dead-code elimination
    deletes it."""
    if event.via == "dead code":
        return Report(
            f"the result of the in-place call {subject(event)} is unused, so `eliminate_dead_code()` deletes the call"
            f"{more(event)}",
            ("Use the result, `x = x.mul_(y)`, or write the operation out of place, `x = x * y`.",),
        )
    operator = event.via or "+="
    method = _METHODS.get(operator, "add_")
    return Report(
        f"{subject(event)} changes in place in eager mode, but the graph computes a new tensor for it{more(event)}",
        (
            f"If others must see the change, call a method, as {code(f'{operand(event.subject)}.{method}(...)')}.",
            f"If not, write `x = x {operator[:-1]} ...`: it does what is recorded.",
        ),
    )
