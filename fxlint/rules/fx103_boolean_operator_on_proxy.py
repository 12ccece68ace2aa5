"""FX103: `and`, `or`, `not`, a chained comparison or `in` that needs the truth of a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, asker, kind, subject

_HELP = {
    "and": "If both sides are comparisons, write `(a) & (b)`: the operator is recorded, the keyword is not.",
    "or": "If both sides are comparisons, write `(a) | (b)`; for `size or 1` write `torch.sym_max(size, 1)`.",
    "not": "Turn the comparison round (`!=` for `==`), or write `torch.sym_not(condition)`; for a tensor, `~mask`.",
    "chain": "Write a chain `a < b < c` as `(a < b) & (b < c)`.",
    "in": "Write a membership test as comparisons joined by `|`: `(n == 2) | (n == 3)`.",
}


@rule(
    "FX103",
    "boolean-operator-on-proxy",
    "`and`, `or`, `not`, a chained comparison or `in` asks a Proxy for its truth",
    hooks=(Hook.BOOLOP,),
    says=r"symbolically traced variables cannot be used as inputs to control flow|Proxy object cannot be iterated",
)
def boolean_operator_on_proxy(event: Event) -> Report | None:
    """Python's boolean keywords, chained comparisons and `in` are control flow: they ask an operand for its truth
    at once and cannot be overloaded, so nothing can be recorded."""
    message = f"{subject(event)} is {kind(event)}, so {asker(event, 'this operator')} cannot be evaluated while tracing"
    via = event.via.strip("`").split(" ")[0]
    via = {"chained": "chain", "not": "in" if event.via == "not in" else "not"}.get(via, via)
    first = _HELP.get(via)
    if "is_contiguous" in event.subject:
        first = "Call `.contiguous()` without the test: on a contiguous tensor it copies nothing."
    helps = (first,) if first else (_HELP["and"], _HELP["chain"], _HELP["in"])
    return Report(message, (*helps, WRAP_HELPER))
