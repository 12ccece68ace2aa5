"""FX108: `int()`, `float()`, `round()`, `divmod()` or a math function that needs a real number from a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import argument, asker, callee, code, is_whole_call, kind, operand, subject

_SYM = {
    "int": ("torch.sym_int", "For a division, `a // b` is recorded as well."),
    "float": ("torch.sym_float", "For arithmetic with other sizes or tensors the cast is not needed."),
}


@rule(
    "FX108",
    "number-from-proxy",
    "a real number is asked of a Proxy",
    hooks=(Hook.NUMBER,),
    says=(
        r"must be a string|must be real number|doesn't define __round__|unsupported operand type\(s\) for divmod"
        r"|cannot be interpreted|a real number"
    ),
)
def number_from_proxy(event: Event) -> Report | None:
    """Python's number functions return a real number at once; a Proxy holds none while tracing."""
    if is_whole_call(event):
        message = f"{subject(event)} needs a real number, but its argument is {kind(event)}"
    elif event.via.startswith("math.") and event.subject.rstrip().endswith(")"):
        message = f"{subject(event)} needs a real number (it is {code(event.via)}), but its argument is {kind(event)}"
    else:
        message = f"{asker(event, 'this call')} needs a real number, but {subject(event)} is {kind(event)}"
    name = callee(event)
    text = argument(event)
    if name in _SYM:
        function, also = _SYM[name]
        new = code(f"{function}({text or '...'})")
        return Report(message, (f"Write {new}: it is recorded and gives a Python {name} at run time.", also))
    if name == "divmod":
        return Report(message, ("Write `a // b` and `a % b`, which are recorded.",))
    if name == "round":
        new = code(f"torch.sym_int({operand(text or 'x')} + 0.5)")
        return Report(message, (f"Write {new} to round a positive number half up.",))
    if name == "complex":
        return Report(message, ("Build the complex tensor with `torch.complex(real, imag)`.",))
    return Report(
        message,
        (
            "Call it through its module, `math.sqrt(n)` and not `sqrt(n)`: fx records functions of `math` called that "
            "way. (`n ** 0.5` and `n // 2` are recorded too.)",
        ),
    )
