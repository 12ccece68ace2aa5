"""FX205: a Proxy is looked for in a set or in the keys of a dict."""

from __future__ import annotations

import re

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import kind, subject


@rule(
    "FX205",
    "hash-membership",
    "a Proxy is never in a set or dict",
    hooks=(Hook.MEMBERSHIP,),
    effect=Effect.SILENT,
)
def hash_membership(event: Event) -> Report | None:
    """Sets and dicts look by hash first, and a Proxy hashes by identity: it is found in none, and no comparison is
    ever made that could be recorded."""
    if re.search(r"\bin\b|\(", event.subject):
        message = f"{subject(event)} looks for {kind(event)} in a set or dict, where no Proxy is ever found"
    else:
        message = f"{subject(event)} is {kind(event)}, and no Proxy is ever found in a set or dict"
    return Report(
        message,
        (
            "If the answer follows from the configuration, decide it in `__init__` and keep a Python bool.",
            "Or move these lines into a function at module level of this file, decorated with `@torch.fx.wrap`.",
        ),
    )
