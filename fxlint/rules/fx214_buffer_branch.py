"""FX214: a buffer's value decides a branch while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, subject


@rule(
    "FX214",
    "buffer-branch",
    "the value of a buffer decides what is traced",
    hooks=(Hook.BUFFER_BRANCH,),
    effect=Effect.SILENT,
)
def buffer_branch(event: Event) -> Report | None:
    """Buffers are real tensors while tracing, so Python can ask them for their truth; the answer of that moment
    picks the side that is in the graph, and a buffer that changes later changes nothing."""
    return Report(
        f"{subject(event)} is a real tensor while tracing, and its value decides this {asker(event, 'branch')}",
        (
            "If both sides are tensors that may be computed always, select with `torch.where(self.flag, a, b)`.",
            "If the value never changes, keep it as a Python bool or number set in `__init__`.",
        ),
    )
