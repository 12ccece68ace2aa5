"""FX208: a context such as `no_grad` or `autocast` is entered while tracing."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, code, more


@rule(
    "FX208",
    "dropped-context",
    "a context is not part of the graph",
    hooks=(Hook.CONTEXT,),
    effect=Effect.SILENT,
)
def dropped_context(event: Event) -> Report | None:
    """A `with` block (or a decorator that acts like one) sets a mode while the trace runs; the graph holds
    operations, not modes, so they later run without it."""
    what = code(event.subject) if event.subject.strip() else asker(event, "this context")
    text = f"{event.subject} {event.via}"
    helps: tuple[str, ...]
    if "autocast" in text:
        helps = (
            "Enter the context around the call of the graph module, or cast with `.to(dtype)`, which is recorded.",
            _WRAPPED,
        )
    elif "grad" in text or "inference" in text:
        helps = ("Call `.detach()` on the results, which is recorded.", _WRAPPED)
    else:
        helps = ("Enter the context around the call of the graph module.", _WRAPPED)
    return Report(f"{what} holds while tracing only: the operations inside are recorded without it{more(event)}", helps)


_WRAPPED = "Or put the block into a function at module level of this file, decorated with `@torch.fx.wrap`."
