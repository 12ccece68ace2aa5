"""Run calls inside a real trace and put what came back into words.

A *question* is a pattern (the text under which the answer is kept) and a function of one Proxy. All questions about one
callable run in one trace of a fresh module, each caught alone. The words of an answer are those of `facts.Outcome`.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
import torch.fx

MAX_TEXT = 140
MAX_INTEGER = 1 << 31

_ADDRESS = re.compile(r"0x[0-9a-f]+")
_HOME = re.compile(r"(?:/[\w.+-]+)+/(site-packages|python3\.\d+|tmp)/")

PLAIN = (bool, int, float, complex, str, type(None))


@dataclass(frozen=True)
class Question:
    """What to run with a Proxy, and the pattern that the answer is kept under."""

    pattern: str
    run: Callable[[Any], Any]


def ask(questions: Iterable[Question], members: Mapping[str, torch.nn.Module] | None = None) -> dict[str, str]:
    """The answers by pattern, all from one trace of a fresh module with these submodules."""
    answers: dict[str, str] = {}

    class Asking(torch.nn.Module):  # type: ignore[misc]
        def forward(self, p: Any) -> Any:
            for question in questions:
                answers[question.pattern] = answer(partial(question.run, p))
            return p

    root = Asking()
    for name, member in (members or {}).items():
        root.add_module(name, member)
    with quiet():
        torch.fx.Tracer().trace(root)
    return answers


def quiet() -> warnings.catch_warnings[Any]:
    """A context in which warnings are neither shown nor raised."""
    return warnings.catch_warnings(record=True)


def answer(run: Callable[[], Any]) -> str:
    """What `run` does, in words."""
    try:
        value = run()
    except BaseException as error:
        return f"raises {raised(error)}"
    return returned(value)


def raised(error: BaseException) -> str:
    """An exception as a traceback's last line prints it: one line, without what differs between two runs."""
    name = type(error).__name__
    return f"{name}: {one_line(error)}"


def one_line(error: BaseException) -> str:
    """The first line of an exception's text, cut, without addresses and folders."""
    try:
        text = str(error)
    except Exception:
        text = ""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    first = _HOME.sub("", _ADDRESS.sub("0x…", first))
    return first if len(first) <= MAX_TEXT else first[: MAX_TEXT - 1] + "…"


def returned(value: Any) -> str:
    """A result in words: what it is, and which constant when it is a plain one."""
    if isinstance(value, torch.fx.Proxy):
        return "proxy"
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, PLAIN):
        text = repr(value)
        if isinstance(value, int) and abs(value) > MAX_INTEGER:  # a hash, an address or a seed
            return "value int"
        if _ADDRESS.search(text):
            return "value str"
        return f"value {type(value).__name__} {text}" if len(text) <= 40 else f"value {type(value).__name__}"
    if any(isinstance(leaf, torch.fx.Proxy) for leaf in leaves(value)):
        return f"proxies {type_name(type(value))}"
    if isinstance(value, (list, tuple)) and value and all(isinstance(leaf, torch.Tensor) for leaf in leaves(value)):
        return f"tensors {type_name(type(value))}"
    return f"value {type_name(type(value))}"


def leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    """What plain containers hold, to a small depth."""
    if depth < 4 and isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from leaves(item, depth + 1)
    elif depth < 4 and isinstance(value, dict):
        for item in value.values():
            yield from leaves(item, depth + 1)
    elif isinstance(value, slice):
        yield from (value.start, value.stop, value.step)
    else:
        yield value


def type_name(cls: type) -> str:
    """A class's dotted name; builtins without their module."""
    module = cls.__module__
    if "<locals>" in cls.__qualname__:
        return cls.__name__
    return cls.__qualname__ if module == "builtins" else f"{module}.{cls.__qualname__}"
