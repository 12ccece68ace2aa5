"""FX305: a hook registered on the traced root."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, more, subject


@rule(
    "FX305",
    "root-hook",
    "a hook on the root is not traced",
    hooks=(Hook.ROOT_HOOK,),
    effect=Effect.SILENT,
)
def root_hook(event: Event) -> Report | None:
    """fx calls the root's forward() itself and not the module, so hooks of the root never run while tracing and are
    no part of the graph. (Hooks of submodules that are entered do run, and are traced.)"""
    what = subject(event, asker(event, "this hook"))
    return Report(
        f"{what} puts a hook on the root, and the graph module does not have it{more(event)}",
        (
            "Do the work of the hook in forward().",
            "Or trace an outer module that holds this one as a submodule and calls it.",
        ),
    )
