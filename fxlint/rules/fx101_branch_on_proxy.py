"""FX101: `if`, `while`, a ternary or a comprehension's filter decided by a Proxy."""

from __future__ import annotations

import re

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, asker, kind, subject


@rule(
    "FX101",
    "branch-on-proxy",
    "a branch or loop is decided by a Proxy",
    hooks=(Hook.BRANCH,),
    says=r"symbolically traced variables cannot be used as inputs to control flow",
)
def branch_on_proxy(event: Event) -> Report | None:
    """symbolic_trace runs forward() once with Proxies that hold no numbers, so Python cannot choose a side, and a
    graph has no branches in which both could be kept."""
    what = f"{subject(event, 'the condition')} is {kind(event)}"
    if event.via == "while":
        return Report(f"{what}, so tracing cannot know how often this `while` runs", _helps(event))
    return Report(f"{what}, so this {asker(event, 'branch')} cannot be decided while tracing", _helps(event))


def _helps(event: Event) -> tuple[str, ...]:
    text = event.subject
    if "is_contiguous" in text:
        return ("Call `.contiguous()` without the test: on a contiguous tensor it copies nothing.",)
    if event.flavour == "device" or ".is_cuda" in text or re.search(r"\.device\b", text):
        return ("Move the tensor without the test: `.to(device)` copies nothing when it is there already.", WRAP_HELPER)
    if event.flavour == "input" and event.param:
        return (
            f"If callers choose `{event.param}` once, keep it as a Python value: set it in `__init__`, or trace with "
            f"`concrete_args={{'{event.param}': ...}}`, one graph for each value.",
            WRAP_HELPER,
        )
    if event.flavour == "parameter":
        return ("Read the size in `__init__` and keep it as a Python number: there the Parameter is a real tensor.",)
    if event.flavour in ("size", "int") or re.search(r"\.(shape|ndim|size\(|dim\(|numel\()", text):
        return (
            "If the answer follows from the configuration, decide it in `__init__` and keep a Python bool.",
            "If the branch only guards an error, use `torch._assert(condition, message)`, which is recorded.",
            WRAP_HELPER,
        )
    if event.via == "while":
        return (WRAP_HELPER,)
    return (
        "If both sides are tensors that may be computed always, select with `torch.where(condition, a, b)`.",
        WRAP_HELPER,
    )
