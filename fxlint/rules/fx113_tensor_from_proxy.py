"""FX113: a tensor built from data that holds a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, is_whole_call, kind, subject


@rule(
    "FX113",
    "tensor-from-proxy",
    "a tensor is built from data that holds a Proxy",
    hooks=(Hook.TENSOR_DATA,),
    says=(
        r"'len' is not supported in symbolic tracing|`__cuda_array_interface__` must be a dict"
        r"|invalid combination of arguments"
    ),
)
def tensor_from_proxy(event: Event) -> Report | None:
    """Building a tensor from Python data reads the numbers at once (length, array interface, items); a Proxy has
    none."""
    helps: tuple[str, ...]
    if event.flavour in ("tensor", "input"):
        helps = ("Use the tensor as it is; `.to(...)` and `.clone()` are recorded. To join tensors, `torch.stack`.",)
    else:
        helps = (
            "Write `torch.full((1,), n)` or `x.new_full((1,), n)`: factories that take the number as an "
            "argument are recorded.",
            "To scale a tensor, multiply by the number itself.",
        )
    if is_whole_call(event):
        return Report(f"{subject(event)} reads its argument as data, but there is {kind(event)} in it", helps)
    return Report(f"{asker(event, 'this call')} reads {subject(event)} as data, but it is {kind(event)}", helps)
