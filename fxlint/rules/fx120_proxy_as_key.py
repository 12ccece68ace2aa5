"""FX120: a Proxy is the key of a dict lookup."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import WRAP_HELPER, kind, subject


@rule(
    "FX120",
    "proxy-as-key",
    "a dict is looked up with a Proxy",
    hooks=(Hook.DICT_KEY,),
    says=r"Proxy\(",
)
def proxy_as_key(event: Event) -> Report | None:
    """A Proxy hashes by identity, so it equals no key of any dict: the lookup always fails while tracing."""
    return Report(
        f"{subject(event)} looks up {kind(event)}, which is a key of no dict"
        if event.subject.rstrip().endswith(("]", ")"))
        else f"a dict is looked up with {subject(event)}, which is {kind(event)}, so the key is never found",
        (
            "If the key follows from the configuration, look the value up in `__init__`.",
            WRAP_HELPER,
        ),
    )
