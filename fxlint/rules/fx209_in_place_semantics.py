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
    method = _METHODS.get(event.via)
    if method:
        return Report(
            f"`{event.via}` on {subject(event)} is recorded out of place: the tensor itself does not "
            f"change{more(event)}",
            (
                f"If others must see the change, write {code(f'{operand(event.subject)}.{method}(...)')}.",
                f"If not, write {code(f'{event.subject} = {event.subject} {event.via[:-1]} ...')}: it does what "
                "is recorded.",
            ),
        )
    return Report(
        f"the result of this in-place call on {subject(event)} is unused, so `eliminate_dead_code()` deletes "
        f"it{more(event)}",
        ("Use the result, `x = x.mul_(y)`, or write the operation out of place, `x = x * y`.",),
    )
