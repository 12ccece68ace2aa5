"""What each function and class of the walked names does when it is called with a Proxy."""

from __future__ import annotations

import inspect
import re
import types
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import torch
import torch.fx
import torch.overrides

from . import calls
from .ask import Question, answer, ask, quiet, returned

Fact = dict[str, Any]

MAX_PARAMS = 24

_VARYING = re.compile(r"\([^()]*\)|'[^']*'|\d+(?: positional arguments?)?| was given| were given")


def fact(name: str, value: Any) -> Fact:
    """Everything about calling one name."""
    data = name.rpartition(".")[2] in calls.TAKES_DATA
    found = called(value, calls.DATA if data else calls.signatures(name, value))
    return unnamed(found, name.rpartition(".")[2])


def unnamed(found: Fact, name: str) -> Fact:
    """The same fact with the callable's own name in its texts replaced, so that equal refusals read alike."""
    if len(name) < 3:
        return found

    def replace(words: str) -> str:
        head, colon, text = words.partition(": ")
        return f"{head}{colon}{re.sub(rf'(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])', '{name}', text)}"

    for key in ("call", "unbound"):
        if found.get(key, "").startswith("raises "):
            found[key] = replace(found[key])
    if "but" in found:
        found["but"] = {
            replace(words) if words.startswith("raises ") else words: forms for words, forms in found["but"].items()
        }
    return found


def called(
    function: Callable[..., Any],
    signatures: list[list[calls.Param]],
    samples: Sequence[calls.Samples] = calls.SAMPLES,
) -> Fact:
    """What calls with a Proxy answer, over all parameter lists.

    `call` is the usual answer; `but` holds the forms that answer otherwise. A form that fails in the same words
    without any Proxy says nothing about Proxies and is left out.
    """
    torch.manual_seed(0)
    found: Fact = {}
    answers: dict[str, str] = {}
    working = [(params, *_sample(function, params, samples)) for params in signatures]
    succeeded = [each for each in working if each[2] is not None]
    for params, values, real in succeeded or working:
        varargs = calls.takes_varargs(function, params, values)
        if varargs:
            found["varargs"] = 1
        questions: dict[str, Question] = {}
        for arguments in calls.forms(params, values, varargs=varargs):
            if arguments and any("p" in argument.pattern for argument in arguments):
                each = calls.question(function, arguments)
                questions.setdefault(each.pattern, each)
        failing = "" if real is not None else answer(lambda: _run(function, params, values))  # noqa: B023
        for pattern, words in ask(questions.values()).items():
            if words == failing or (real is None and words.startswith("raises") and not _about_proxy(words)):
                continue
            if answers.get(pattern) != "proxy":
                answers[pattern] = words
    if not answers and not succeeded and signatures != calls.FAMILIES:
        return called(function, calls.FAMILIES, samples[:3])
    if signatures and signatures != calls.FAMILIES:
        found["params"] = _parameters((succeeded or working)[0][0])
    for params, values, real in succeeded[:1]:
        _real(found, function, params, values, real)
    if answers:
        found.update(summary(answers))
    if found.get("call") == "proxy" and isinstance(function, types.FunctionType) and _enters(function, working):
        found["enters"] = 1
    return found


def summary(answers: dict[str, str]) -> Fact:
    """The usual answer and the forms that answer otherwise. If any form gives a Proxy, all that do not are listed."""
    answers = merged(answers)
    counts = Counter(answers.values())
    most = max(counts, key=lambda words: (words == "proxy", counts[words], words))
    but: dict[str, list[str]] = {}
    for pattern, words in answers.items():
        if words != most:
            but.setdefault(words, []).append(pattern)
    return {"call": most, "but": {words: " ".join(but[words]) for words in sorted(but)}} if but else {"call": most}


def merged(answers: dict[str, str]) -> dict[str, str]:
    """Answers that differ only in numbers, quoted names and argument types, in the words of the simplest form."""
    first: dict[str, str] = {}
    return {
        pattern: first.setdefault(_VARYING.sub("#", answers[pattern]), answers[pattern])
        for pattern in sorted(answers, key=lambda pattern: (len(pattern), pattern))
    }


def _real(
    found: Fact, function: Callable[..., Any], params: list[calls.Param], samples: calls.Samples, real: str | None
) -> None:
    if real is None:
        return
    found["real"] = real
    if _draws(function, params, samples):
        found["random"] = 1


def _draws(function: Callable[..., Any], params: list[calls.Param], samples: calls.Samples) -> bool:
    """Whether a call moves torch's random numbers, also when it is told to train or to choose among more than one."""
    before = torch.get_rng_state()
    wider = replace(samples, integer=2, boolean=True)
    training = [
        calls.Argument("c", lambda p: True, param.name) for param in params if param.name in ("training", "train")
    ]
    with quiet():
        answer(lambda: _run(function, params, samples))
        answer(lambda: _run(function, params, wider))
        if training:
            answer(lambda: calls.call(function, [*calls.baseline(params, samples), *training])(None))
    moved = not torch.equal(before, torch.get_rng_state())
    torch.set_rng_state(before)
    return moved


def _run(function: Callable[..., Any], params: list[calls.Param], samples: calls.Samples) -> Any:
    return calls.call(function, calls.baseline(params, samples))(None)


def _sample(
    function: Callable[..., Any], params: list[calls.Param], choices: Sequence[calls.Samples]
) -> tuple[calls.Samples, str | None]:
    """Real values with which the call works, and what it returns; else the first ones and None."""
    with quiet():
        for samples in choices:
            try:
                return samples, returned(_run(function, params, samples))
            except Exception:
                if not any(param.required for param in params):
                    break
    return choices[0], None


def _about_proxy(words: str) -> bool:
    return "Proxy" in words or "symbolic" in words or "TraceError" in words


def _enters(
    function: Callable[..., Any], working: Iterable[tuple[list[calls.Param], calls.Samples, str | None]]
) -> bool:
    """Whether a traced call records the function's body, not the function."""
    for params, samples, _ in working:
        arguments = next(iter(calls.forms(params, samples, varargs=False)), None)
        if arguments is None:
            continue
        run = calls.call(function, arguments)

        class Once(torch.nn.Module):  # type: ignore[misc]
            def forward(self, p: Any) -> Any:
                return run(p)  # noqa: B023 - used within the turn

        with quiet():
            try:
                graph = torch.fx.Tracer().trace(Once())
            except Exception:
                continue
        return not any(node.target is function for node in graph.nodes)
    return False


def _parameters(params: list[calls.Param]) -> str:
    """The parameter names in order: `name=` has a default, what follows `*` is keyword-only."""
    words: list[str] = []
    for param in params[:MAX_PARAMS]:
        if param.keyword_only and "*" not in words:
            words.append("*")
        words.append(param.name if param.required else f"{param.name}=")
    return " ".join(words)


def class_fact(value: type) -> Fact:
    """What a class is: its bases outside `object`, and whether it is a context manager or a decorator."""
    found: Fact = {}
    bases = [f"{base.__module__}.{base.__qualname__}".removeprefix("builtins.") for base in value.__mro__[1:-1]]
    if bases:
        found["bases"] = " ".join(bases)
    if hasattr(value, "__enter__"):
        found["context"] = 1
    if inspect.isabstract(value):
        found["abstract"] = 1
    return found
