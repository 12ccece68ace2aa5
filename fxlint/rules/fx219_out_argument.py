"""FX219: a traced call writes into a real tensor through `out=`."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, more, subject


@rule(
    "FX219",
    "out-argument",
    "an out= tensor is read before the graph writes it",
    hooks=(Hook.OUT_ARG,),
    effect=Effect.SILENT,
)
def out_argument(event: Event) -> Report | None:
    """A call with `out=` and a Proxy is recorded and writes nothing while tracing; the tensor it should fill is
    real, so operations on it run at once, on whatever it holds."""
    if "out=" in "".join(event.subject.split()):
        what = f"{subject(event)} writes into its `out=` tensor"
    else:
        what = f"{asker(event, 'this call')} writes into {subject(event, 'a real tensor')}"
    return Report(
        f"{what} only when the graph runs; what is computed from that tensor here is frozen{more(event)}",
        ("Use the result of the call instead of `out=`: `y = torch.add(x, 1)`.",),
    )
