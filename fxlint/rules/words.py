"""Words that many rules share, so that a Proxy is called the same in every message.

Everything here is text from an event; nothing looks at a program.
"""

from __future__ import annotations

import re

from fxlint.interp.events import Event

LONGEST = 64
"""Longer pieces of source are cut in messages."""

_KINDS = {
    "tensor": "a Proxy (a traced tensor)",
    "size": "a Proxy (a traced shape)",
    "int": "a Proxy (a traced size)",
    "float": "a Proxy (a traced number)",
    "dtype": "a Proxy (a traced dtype)",
    "device": "a Proxy (a traced device)",
    "bool": "a Proxy (a traced truth value)",
    "input": "a Proxy (an input of the traced module)",
    "parameter": "a Proxy (a Parameter becomes one while its module is traced)",
}


_NOUNS = {
    "comprehension": "comprehension",
    "f-string": "f-string",
    "match": "`match`",
    "unpack": "unpacking",
    "compare": "comparison",
}
"""Constructs that have a noun rather than a keyword or a name."""


def code(text: str) -> str:
    """A piece of source as it stands in a message: one line, cut when long, between backticks."""
    flat = " ".join(text.split())
    if len(flat) > LONGEST:
        flat = flat[: LONGEST - 1].rstrip() + "…"
    return f"`{flat}`"


def operand(text: str) -> str:
    """A piece of source on which a method can be called: in parentheses unless a name, attribute, call or index."""
    flat = " ".join(text.split())
    return flat if re.fullmatch(r"[\w.]+|[\w.]+(\([^()]*\)|\[[^\[\]]*\])", flat) else f"({flat})"


def kind(event: Event) -> str:
    """What the event's value is: `a Proxy (a traced shape)`."""
    return _KINDS.get(event.flavour, "a Proxy")


def subject(event: Event, otherwise: str = "the value") -> str:
    """The operand between backticks, or other words where the event has no text."""
    return code(event.subject) if event.subject.strip() else otherwise


def callee(event: Event) -> str:
    """The name of the function that asked: `min` for `min()`, `torch.zeros` for `torch.zeros(...)`."""
    return event.via.strip("`").split("(")[0]


def is_whole_call(event: Event) -> bool:
    """Whether the event's text is the call that asked, and not the operand alone."""
    last = callee(event).rsplit(".", 1)[-1]
    return bool(last) and re.match(rf"[\w.]*\b{re.escape(last)}\s*\(", event.subject) is not None


def argument(event: Event) -> str:
    """The text of what was asked about: of a whole call with one argument, that argument."""
    text = " ".join(event.subject.split())
    return text[text.index("(") + 1 : -1].strip() if is_whole_call(event) and "," not in text else text


def asker(event: Event, otherwise: str) -> str:
    """The construct that asked (source between backticks, words as words), or other words for want of one."""
    via = event.via.strip()
    if not via:
        return otherwise
    if via in _NOUNS or (" " in via and via not in ("not in", "is not")):
        return f"this {_NOUNS.get(via, via)}"
    return code(via)


def more(event: Event) -> str:
    """The event's further words as a tail of a sentence."""
    return f" ({event.detail})" if event.detail else ""


WRAP_HELPER = (
    "Move these lines into a function at module level of this file, decorated with `@torch.fx.wrap`: "
    "the graph then records one call of it, and it runs with real values."
)
"""The way out for any function of tensors and numbers; a wrapped function is opaque to passes over the graph."""
