"""FX309: activation checkpointing is applied while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, more, subject


@rule(
    "FX309",
    "lost-checkpoint",
    "checkpointing is not part of the graph",
    hooks=(Hook.CHECKPOINT,),
    effect=Effect.SILENT,
)
def lost_checkpoint(event: Event) -> Report | None:
    """`checkpoint` runs its function while tracing, so the graph holds the operations and not the checkpoint:
    results are the same, but activations are kept and memory is not saved."""
    what = subject(event, asker(event, "`checkpoint`"))
    return Report(
        f"{what} is traced through, so the graph module saves no memory here{more(event)}",
        (
            "Call `checkpoint` in a function at module level of this file, decorated with `@torch.fx.wrap`, if its "
            "function is one of tensors only.",
            "Or apply checkpointing to the graph module or its submodules after tracing.",
        ),
    )
