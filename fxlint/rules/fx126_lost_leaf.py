"""FX126: a torch module that fx would not enter is entered, and its forward refuses Proxies."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, more, subject


@rule(
    "FX126",
    "lost-leaf",
    "a torch module is traced into, and its forward refuses Proxies",
    hooks=(Hook.LEAF_LOST,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.SILENT}),
    says=r"symbolically traced variables cannot be used as inputs to control flow",
)
def lost_leaf(event: Event) -> Report | None:
    """fx records a call of a module defined in `torch.nn` without entering it, but a subclass of one lives in your
    file, and a module called through `.forward` or traced as the root itself is entered too; torch's own code
    then branches on Proxies."""
    return Report(
        f"{subject(event, 'this torch module')} is traced into, as it is no leaf{_class(event)}, "
        f"and its forward() refuses Proxies{more(event)}",
        (
            "Hold the torch module as a submodule and call it, `self.bn(x)`, instead of inheriting from it.",
            "Or name the class in your Tracer's `is_leaf_module` (and in fxlint's `leaf-modules`).",
        ),
    )


def _class(event: Event) -> str:
    return f" (a {code(event.via)})" if event.via else ""
