"""Put all sections together, and write them as JSON with one fact a line."""

from __future__ import annotations

import json
import os
import platform
import re
import tempfile
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import torch

from . import functions, hooks, isolate, modules, names, numpys, tensors

BY_NAMESPACE = ("names", "module-classes")
CALLED = ("function", "builtin", "callable", "class")

Section = dict[str, Any]
Model = dict[str, Any]


def file_name() -> str:
    """The data file of the installed torch."""
    major, minor, *_ = torch.__version__.split(".")
    return f"torch-{major}.{minor}.json"


def chosen(name: str, share: int) -> bool:
    """Whether a callable is in the same one of `share` parts each time."""
    return zlib.crc32(name.encode()) % share == 0


def build(progress: Callable[[str], None] = lambda words: None, *, modules: bool = True, share: int = 1) -> Model:
    """The whole model of the installed torch.

    Without `modules` it is not tried which of torch's files import; with a `share`, only one in so many of the named
    functions is called, which is where nearly all the time goes.
    """
    torch.set_num_threads(1)
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            return _build(progress, modules, share)
        finally:
            os.chdir(here)


def _build(progress: Callable[[str], None], every_module: bool, share: int) -> Model:
    progress("names")
    found = names.walk()
    model: Model = {
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version().rpartition(".")[0],
        "numpy": np.__version__.rpartition(".")[0],
        "namespaces": _grouped(found.modules),
        "aliases": aliases(found.aliases),
    }
    progress("modules")
    work = [(name, partial(names.imports, name)) for name in names.files() if every_module]
    model["modules"] = _grouped([name for name, works in isolate.run(work, chunk=256).items() if works is True])
    progress("functions")
    model["names"] = name_facts(found, share)
    progress("tensors")
    model["tensor"] = tensors.attribute_facts()
    model["operators"] = isolate.run([("operators", tensors.operator_facts)])["operators"]
    progress("module classes")
    model["module-classes"] = modules.class_facts(found)
    model["module-base"] = modules.base_facts()
    progress("python and numpy")
    answers = isolate.run([("python", hooks.python_facts), ("module-calls", modules.base_calls)], chunk=1)
    model["python-answers"] = answers["python"]
    model["module-calls"] = answers["module-calls"]
    model["numpy-names"] = numpys.numpy_facts()
    return interned(model)


def name_facts(found: names.Names, share: int = 1) -> Section:
    """One fact for each canonical name; those outside the share say what the name is, not what calls do."""
    facts: Section = {}
    work: list[tuple[str, Callable[[], Any]]] = []
    for name, value in found.objects.items():
        kind = names.kind(value)
        fact: dict[str, Any] = {} if kind == "function" else {"kind": kind}
        home = names.home(value)
        if home and home != name and kind not in ("constant", "builtin"):
            fact["home"] = home
        if kind == "constant":
            fact.update(names.constant(value))
        if kind == "nn-module":  # the section of module classes says the rest
            facts[name] = {"kind": kind}
            continue
        if isinstance(value, type):
            fact.update(functions.class_fact(value))
        if kind in CALLED and names.is_called(name) and chosen(name, share):
            work.append((name, partial(functions.fact, name, value)))
        facts[name] = fact
    for name, answer in isolate.run(work).items():
        facts[name].update(answer)
    return dict(sorted(facts.items()))


def aliases(found: dict[str, str]) -> Section:
    """Aliases by namespace and target namespace: names, with `new=old` where the last part differs."""
    groups: dict[str, dict[str, list[str]]] = {}
    for name, target in sorted(found.items()):
        space, _, new = name.rpartition(".")
        other, _, old = target.rpartition(".")
        groups.setdefault(space, {}).setdefault(other, []).append(new if new == old else f"{new}={old}")
    return {
        space: {other: " ".join(words) for other, words in sorted(group.items())} for space, group in groups.items()
    }


def interned(model: Model) -> Model:
    """The same model with texts that occur often kept once, under names that do not depend on their order."""
    counts = Counter(words for words in _raised(model) if len(words) > 24)
    table: dict[str, str] = {}
    for words in sorted(words for words, count in counts.items() if count >= 3):
        slug = "@" + "-".join(re.findall(r"[a-z{}A-Z0-9]+", words)[1:6]).replace("{name}", "name")
        while slug in table:
            slug += "+"
        table[slug] = words
    back = {words: slug for slug, words in table.items()}
    return {
        "torch": model["torch"],
        "texts": table,
        **{key: _replace(part, back) for key, part in model.items() if key != "torch"},
    }


def _raised(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _raised(key)
            yield from _raised(item)
    elif isinstance(value, str) and value.startswith("raises "):
        yield value


def _replace(value: Any, back: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {back.get(key, key): _replace(item, back) for key, item in value.items()}
    return back.get(value, value) if isinstance(value, str) else value


def _grouped(modules: list[str]) -> dict[str, str]:
    groups: dict[str, list[str]] = {}
    for name in modules:
        head, _, tail = name.rpartition(".")
        groups.setdefault(head, []).append(tail)
    return {head: " ".join(sorted(tails)) for head, tails in sorted(groups.items())}


def render(model: Model) -> str:
    """The model as JSON: sections in order, one line a fact. Facts of dotted names are grouped by namespace."""
    parts = []
    for key, section in model.items():
        if not isinstance(section, dict):
            parts.append(f"{_json(key)}: {_json(section)}")
        elif key in BY_NAMESPACE:
            groups: dict[str, Section] = {}
            for name, fact in section.items():
                head, _, tail = name.rpartition(".")
                groups.setdefault(head, {})[tail] = fact
            lines = ",\n".join(f" {_json(head)}: {{\n{_lines(group)}}}" for head, group in sorted(groups.items()))
            parts.append(f"{_json(key)}: {{\n{lines}\n}}")
        else:
            parts.append(f"{_json(key)}: {{\n{_lines(section)}\n}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(section: Section) -> str:
    return ",\n".join(f" {_json(name)}: {_json(fact)}" for name, fact in section.items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
