"""What is computed again after an edit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from fxlint.index.hierarchy import Hierarchy
from fxlint.index.memo import Memo, load, save
from fxlint.index.project import Project
from fxlint.index.resolve import Definition, Resolver
from tests.index.build import is_torch_module, project

FILES: Mapping[str, str] = {
    "base.py": "from torch import nn\nclass Base(nn.Module):\n    def forward(self, x): ...\n",
    "net.py": "from base import Base\nclass Net(Base): ...\n",
    "other.py": "from torch import nn\nclass Other(nn.Linear): ...\n",
    "lost.py": "from new import Thing\nclass Lost(Thing): ...\n",
}


def orders(built: Project, memo: Memo[list[str]]) -> dict[str, list[str]]:
    """The resolution order of each class: a piece of work that reads as many files as it needs."""
    table = Hierarchy(Resolver(built), is_torch_module)
    memo.use(built)
    found: dict[str, list[str]] = {}
    for module in built.checked:
        for name in ("Base", "Net", "Other", "Lost"):
            if name.lower() == module.name:
                ref = Definition(module, name)
                found[name] = memo.get(name, lambda ref=ref: [item.dotted for item in table.order(ref).order])  # type: ignore[misc]
    return found


def rechecked(root: Path, memo: Memo[list[str]], edits: Mapping[str, str]) -> list[str]:
    orders(project(root, {**FILES, **edits}, checked=list(FILES)), memo)
    return memo.recomputed


def test_nothing_is_done_twice(tmp_path: Path) -> None:
    memo: Memo[list[str]] = Memo()
    assert rechecked(tmp_path, memo, {}) == ["Base", "Net", "Other", "Lost"]
    assert rechecked(tmp_path, memo, {}) == []


@pytest.mark.parametrize(
    ("file", "expected"),
    [("base.py", ["Base", "Net"]), ("net.py", ["Net"]), ("other.py", ["Other"]), ("new.py", ["Lost"])],
)
def test_rechecked(tmp_path: Path, file: str, expected: list[str]) -> None:
    memo: Memo[list[str]] = Memo()
    rechecked(tmp_path, memo, {})
    assert rechecked(tmp_path, memo, {file: FILES.get(file, "class Thing: ...\n") + "x = 1\n"}) == expected
    assert rechecked(tmp_path, memo, {file: FILES.get(file, "class Thing: ...\n") + "x = 1\n"}) == []


def test_one_resolver_for_many_values_loses_no_read(tmp_path: Path) -> None:
    built = project(tmp_path, FILES)
    resolver = Resolver(built)
    net = next(item for item in built.checked if item.name == "net")
    seen = []
    for _ in range(2):
        with built.reads.recording() as reads:
            resolver.lookup(net, "Base")
        seen.append({Path(read).name for read in reads if not read.startswith("\0")})
    assert seen == [{"net.py", "base.py"}, {"net.py", "base.py"}]


def test_reads_of_an_inner_value_count_for_the_outer_one(tmp_path: Path) -> None:
    memo: Memo[int] = Memo()
    for text, expected in (("x = 1\n", ["inner", "outer"]), ("x = 1\n", []), ("x = 2\n", ["inner", "outer"])):
        built = project(tmp_path, {"a.py": text})
        file = built.checked[0]
        memo.use(built)

        def inner(text: str = text, file: object = file, built: Project = built) -> int:
            return len(built.checked[0].source.text)

        assert memo.get("outer", lambda inner=inner: memo.get("inner", inner)) == 6  # type: ignore[misc]
        assert memo.recomputed == expected


def test_a_value_that_needs_itself_is_refused(tmp_path: Path) -> None:
    memo: Memo[int] = Memo()
    memo.use(project(tmp_path, {"a.py": ""}))

    def again() -> int:
        return memo.get("a", again)

    with pytest.raises(RuntimeError, match="a depends on itself"):
        memo.get("a", again)


def test_files_are_needed() -> None:
    with pytest.raises(RuntimeError, match="call use"):
        Memo[int]().get("a", lambda: 1)


def test_across_runs(tmp_path: Path) -> None:
    cache = tmp_path / "cache" / "orders.json"
    memo: Memo[list[str]] = Memo()
    first = orders(project(tmp_path / "repo", FILES), memo)
    save(cache, memo, encode=list, version="1")
    again = load(cache, decode=list, version="1")
    assert orders(project(tmp_path / "repo", FILES), again) == first
    assert again.recomputed == []
    assert rechecked(tmp_path / "repo", again, {"base.py": FILES["base.py"] + "\n"}) == ["Base", "Net"]
    assert list(cache.parent.iterdir()) == [cache]


@pytest.mark.parametrize(
    "damage", ["", "{", "[]", '{"format": 1}', '{"format": 1, "version": "1", "reads": [], "entries": [[1]]}']
)
def test_a_damaged_or_foreign_cache_is_empty(tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "orders.json"
    cache.write_text(damage)
    assert dict(load(cache, decode=list, version="1").entries()) == {}
    memo: Memo[list[str]] = Memo()
    orders(project(tmp_path, FILES), memo)
    save(cache, memo, encode=list, version="1")
    assert dict(load(cache, decode=list, version="2").entries()) == {}
    assert dict(load(tmp_path / "absent.json", decode=list, version="1").entries()) == {}


def test_what_is_gone_is_forgotten(tmp_path: Path) -> None:
    memo: Memo[list[str]] = Memo()
    orders(project(tmp_path, FILES), memo)
    memo.keep(["Net"])
    assert list(memo.entries()) == ["Net"]
