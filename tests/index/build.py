"""Small projects on disk, for the tests of the index."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from fxlint.index.hierarchy import ClassSite, Hierarchy, module_classes
from fxlint.index.project import ModuleFile, Project
from fxlint.index.resolve import Definition, External, Resolver, Target
from fxlint.syntax.source import Source

TORCH = frozenset(
    {
        "torch.nn.Module",
        "torch.nn.Linear",
        "torch.nn.ReLU",
        "torch.nn.RMSNorm",
        "torch.nn.ModuleList",
        "torch.nn.Sequential",
        "torch.jit.ScriptModule",
    }
)


def is_torch_module(dotted: str) -> bool:
    return dotted in TORCH


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")


def project(root: Path, files: Mapping[str, str], *, checked: Sequence[str] | None = None, python: str = "") -> Project:
    """Write the files and check all of them, or those named. No environment is looked at unless one is given."""
    write(root, files)
    names = [name for name in files if name.endswith(".py")] if checked is None else list(checked)
    sources = [Source.read(str(root / name)) for name in names]
    return Project(sources, python=python or str(root / "no-python"), search=[root])


def module(found: Project, name: str) -> ModuleFile:
    """The checked file whose path ends so."""
    (one,) = [item for item in found.checked if item.path.endswith("/" + name)]
    return one


def meaning(found: Project, name: str, text: str) -> list[str]:
    """What a dotted text means in a checked file: dotted names, `?` after one that was not found."""
    return [shown(target) for target in Resolver(found).lookup(module(found, name), text)]


def shown(target: Target) -> str:
    if isinstance(target, External):
        return target.dotted + ("" if target.found else "?")
    if isinstance(target, Definition):
        return target.dotted + (f"+{target.rest}" if target.rest else "")
    return f"module {target.module.name}"


def table(found: Project) -> tuple[ClassSite, ...]:
    return module_classes(found, is_torch_module)


def classes(found: Project) -> list[str]:
    return [site.dotted for site in table(found)]


def hierarchy(found: Project) -> Hierarchy:
    return Hierarchy(Resolver(found), is_torch_module)
