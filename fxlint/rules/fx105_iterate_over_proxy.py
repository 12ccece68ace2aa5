"""FX105: a loop, a comprehension or a constructor such as `list` that iterates over a Proxy."""

from __future__ import annotations

import re

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, argument, asker, callee, is_whole_call, kind, subject


@rule(
    "FX105",
    "iterate-over-proxy",
    "a Proxy is iterated over",
    hooks=(Hook.ITER,),
    says=r"Proxy object cannot be iterated|'len' is not supported in symbolic tracing",
)
def iterate_over_proxy(event: Event) -> Report | None:
    """A Proxy has no length, so a loop over it would never know when to stop, and a graph has no loops. (torch.fx
    can unpack only where the bytecode tells it how many names there are, as in `a, b = x.shape`.)"""
    if is_whole_call(event) or event.via == "star unpacking":
        message = f"{subject(event)} iterates over {kind(event)}"
    else:
        message = f"{asker(event, 'this')} iterates over {subject(event)}, which is {kind(event)}"
    return Report(message, (*_helps(event), WRAP_HELPER))


def _helps(event: Event) -> tuple[str, ...]:
    text = argument(event)
    if callee(event) == "sum":
        return ("Sum a tensor with `.sum(0)`; of a shape, add the entries that you need by index.",)
    if event.via in ("in", "not in"):
        return ("Compare with the entries by index, joined by `|`.",)
    if event.flavour == "size" or re.search(r"\.(shape|size\(\))$", text):
        return (
            "Use the shape as it is: `x.shape[:-1] + (2,)` and `(2,) + x.shape` are recorded, and torch "
            "functions take them.",
            "Or unpack a fixed number of names: `b, c, h, w = x.shape`.",
        )
    if re.search(r"\.(chunk|split|unbind|tensor_split)\(", text) or event.via == "unpack":
        return (
            "If the number of pieces is fixed, unpack it into that many names, or loop over a Python range and index: "
            "`[parts[i] for i in range(3)]`.",
            "Or replace the loop by one operation over the whole tensor.",
        )
    if event.flavour == "input":
        return (
            "If the number of items is fixed, index them (`xs[0]`, `xs[1]`) or loop over a Python range.",
            "Or take the items as separate parameters of forward().",
        )
    return ("Replace the loop by one operation over the whole tensor, or loop over a Python range and index.",)
