"""FX104: a function such as `bool`, `any`, `min` or `sorted` that asks a Proxy for its truth."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, asker, callee, is_whole_call, kind, subject

_HELP = {
    "min": "Write `torch.sym_min(a, b)`, which is recorded and gives a Python number at run time.",
    "max": "Write `torch.sym_max(a, b)`, which is recorded and gives a Python number at run time.",
    "any": "Join the comparisons with `|`, which is recorded.",
    "all": "Join the comparisons with `&`, which is recorded; to compare whole shapes, `x.shape == y.shape`.",
    "sorted": "For two sizes, take `torch.sym_min(a, b)` and `torch.sym_max(a, b)`.",
    "bool": "Keep the tensor or comparison itself and compute with it; Python need not know its truth.",
}


@rule(
    "FX104",
    "truth-asked-by-call",
    "a called function asks a Proxy for its truth",
    hooks=(Hook.BOOL_CALL,),
    says=r"symbolically traced variables cannot be used as inputs to control flow",
)
def truth_asked_by_call(event: Event) -> Report | None:
    """Functions that pick, filter or order their arguments compare them and ask each comparison for its truth,
    which a Proxy cannot give while tracing."""
    name = callee(event)
    helps = (_HELP[name],) if name in _HELP else ()
    if is_whole_call(event):
        message = f"{subject(event)} asks for the truth of a Proxy, which it does not have while tracing"
    else:
        message = f"{asker(event, 'this call')} asks for the truth of {subject(event)}, which is {kind(event)}"
    return Report(message, (*helps, WRAP_HELPER))
