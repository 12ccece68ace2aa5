"""Layers import one way: model ← syntax ← index ← interp ← rules ← engine ← report, cli."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import fxlint

ROOT = Path(fxlint.__file__).parent

# What each layer may import besides itself. The modules at the top of the package that make findings of files and
# settings (`engine`, `findings`, `settings`, `discovery`) are one layer.
ARROWS: dict[str, frozenset[str]] = {
    "model": frozenset(),
    "syntax": frozenset({"model"}),
    "index": frozenset({"syntax", "model"}),
    "interp": frozenset({"index", "syntax", "model"}),
    "rules": frozenset({"interp", "model"}),
    "engine": frozenset({"rules", "interp", "index", "syntax", "model"}),
    "report": frozenset({"rules", "model"}),
    "cli": frozenset({"report", "engine", "rules", "syntax", "model"}),
}
ENGINE = frozenset({"engine", "findings", "settings", "discovery"})
# A rule sees what happened, not how it was found.
RULES_SEE = frozenset({"fxlint.interp.events", "fxlint.interp.values"})
# `fxlint check` never imports these. The scripts that ask torch about itself are run by developers alone.
FORBIDDEN = frozenset({"torch", "numpy", "pygls", "lsprotocol"})
ASKS_TORCH = "fxlint.interp.torch_model.generate"

FILES = sorted(ROOT.rglob("*.py"))


def layer_of(module: str) -> str | None:
    """The layer of a dotted name; None for the package itself, which holds only the version."""
    parts = module.split(".")
    if len(parts) < 2 or parts[1] in ("__version__", "__main__"):
        return None
    return "engine" if parts[1] in ENGINE else parts[1]


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> Iterator[str]:
    package = module_of(file).split(".")
    if file.name != "__init__.py":
        package.pop()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_imports_point_downwards(file: Path) -> None:
    layer = layer_of(module_of(file))
    for target in imports(file):
        if not module_of(file).startswith(ASKS_TORCH):
            assert target.split(".")[0] not in FORBIDDEN, f"{module_of(file)} imports {target}"
            assert not target.startswith(ASKS_TORCH), f"{module_of(file)} imports {target}"
        if layer is None or not target.startswith("fxlint."):
            continue
        other = layer_of(target)
        assert other is None or other == layer or other in ARROWS[layer], f"{module_of(file)} must not know {target}"
        if layer == "rules" and other == "interp":
            assert any(target.startswith(seen) for seen in RULES_SEE), f"{module_of(file)} must not know {target}"


def test_every_layer_is_known() -> None:
    assert {layer for file in FILES if (layer := layer_of(module_of(file)))} == ARROWS.keys()
