"""FX201: `isinstance`, `type()`, `torch.is_tensor`, `callable` or a class pattern asked of a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, kind, more, subject


@rule(
    "FX201",
    "type-test",
    "the type of a Proxy decides what is traced",
    hooks=(Hook.TYPE_TEST,),
    effect=Effect.SILENT,
)
def type_test(event: Event) -> Report | None:
    """While tracing, the type is `torch.fx.Proxy`: no tensor, number, list or tuple. The test has its answer before
    any input is seen, and only that side is in the graph."""
    answer = "True" if event.via.startswith("callable") else "False"
    return Report(
        f"{asker(event, 'this type test')} is asked of {subject(event)}, which is {kind(event)}: tracing takes "
        "the side of "
        f"{answer}, whatever the input will be{more(event)}",
        (
            "If the input is always of that type, drop the test.",
            "If both types occur, write two modules, or test in the caller before the traced module is called.",
        ),
    )
