"""FX206: the training flag is read while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect, Severity
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX206",
    "training-flag",
    "the mode at trace time is baked into the graph",
    hooks=(Hook.TRAINING,),
    effect=Effect.SILENT,
    severity=Severity.INFO,
)
def training_flag(event: Event) -> Report | None:
    """`self.training` is a plain Python bool, so its value at the time of tracing becomes part of the graph;
    `train()` and `eval()` on the graph module reach only the leaf modules that it calls."""
    return Report(
        f"{subject(event, '`self.training`')} is read while tracing, so the graph keeps the mode that it was traced in"
        f"{more(event)}",
        (
            "Call a module that reads its own flag (`nn.Dropout`, `nn.BatchNorm2d`): as a leaf it follows "
            "`train()` and `eval()`.",
            "Or trace once for each mode.",
        ),
    )
