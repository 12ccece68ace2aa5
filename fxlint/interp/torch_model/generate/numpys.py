"""What numpy's functions do with a Proxy, and which of them draw from numpy's global random numbers."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from . import calls, functions, isolate
from .ask import answer, quiet
from .names import constant

Fact = dict[str, Any]

NAMESPACES = ("", "linalg", "fft", "random")

# They would read or write files, talk to the terminal, or change how numpy works.
_NOT_CALLED = frozenset(
    """fromfile genfromtxt load loadtxt save savetxt savez savez_compressed memmap show_config show_runtime test info
    set_printoptions seterr seterrcall setbufsize DataSource set_bit_generator set_state""".split()
)

_SAMPLES = [calls.Samples(lambda: torch.full((2,), 2.0), 2)]
_FAMILIES = [
    calls.family(tags)
    for tags in (
        "array",
        "array array",
        "array array array",
        "array int",
        "int",
        "int int",
        "ints",
        "",
        "arrays",
        "float",
    )
]


def numpy_facts() -> dict[str, Fact]:
    """One fact for each public name."""
    facts: dict[str, Fact] = {}
    work: list[tuple[str, Callable[[], Any]]] = []
    for space in NAMESPACES:
        module = getattr(np, space) if space else np
        for name in sorted(dir(module)):
            value = getattr(module, name, None)
            full = f"{space}.{name}".lstrip(".")
            if name.startswith("_") or name in _NOT_CALLED or isinstance(value, types.ModuleType):
                continue
            if callable(value):
                work.append((full, partial(fact, name, value)))
            elif not isinstance(value, type):
                facts[full] = {"kind": "constant", **constant(value)}
    facts.update(isolate.run(work))
    return dict(sorted(facts.items()))


def fact(name: str, value: Any) -> Fact:
    """What calling one name does."""
    np.random.seed(0)
    kind = "ufunc" if isinstance(value, np.ufunc) else "class" if isinstance(value, type) else "function"
    found: Fact = {"kind": kind, **functions.called(value, _FAMILIES, _SAMPLES)}
    if draws(value):
        found["random"] = 1
    return functions.unnamed(found, name)


def draws(value: Any) -> bool:
    """Whether a call moves numpy's global random numbers."""
    with quiet():
        for params in _FAMILIES:
            before = _position()
            answer(lambda: calls.call(value, calls.baseline(params, _SAMPLES[0]))(None))  # noqa: B023
            if _position() != before:
                return True
    return False


def _position() -> tuple[int, bytes, object]:
    state = np.random.get_state(legacy=False)
    return state["state"]["pos"], state["state"]["key"].tobytes(), state["gauss"]
