"""FX112: a Proxy as the first of several size arguments of a torch function or a real tensor's method."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import argument, asker, callee, code, is_whole_call, kind, subject


@rule(
    "FX112",
    "leading-size-argument",
    "a Proxy leads the size arguments of a call",
    hooks=(Hook.SIZE_ARG,),
    says=r"takes 1 positional argument but|received an invalid combination of arguments|must be tuple of ints",
)
def leading_size_argument(event: Event) -> Report | None:
    """torch's C argument parser hands a call to fx only when a Proxy fills a whole argument; first in a list of
    sizes, it is taken for the complete size and the next one is one too many."""
    name = callee(event) or "f"
    sizes = argument(event) or "n"
    if is_whole_call(event):
        message = f"{subject(event)} is given a Proxy (a traced size) as the first of several sizes"
        sizes = "n"
    else:
        message = f"{asker(event, 'this call')} takes {subject(event)}, {kind(event)}, as the first of several sizes"
    return Report(
        message,
        (
            f"Pass the sizes as one tuple: {code(f'{name}(({sizes}, ...))')}.",
            "Or call a method of a traced tensor, `x.new_zeros(n, 4)`: there every form is recorded.",
        ),
    )
