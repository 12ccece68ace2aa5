"""Which files a run takes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fxlint.discovery import discover
from fxlint.model.config import Config


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a.py", "pkg/b.py", "pkg/c.txt", "pkg/d.ipynb", "pkg/e.pyi", ".venv/lib.py", "pkg/__pycache__/f.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x = 1\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(*paths: str, base: Path | None = None, **settings: object) -> list[str]:
    config = Config(**settings)  # type: ignore[arg-type]
    found = discover(paths, config, base)
    assert found.problems == ()
    return list(found.files)


def test_a_folder(tree: Path) -> None:
    assert files(".") == ["a.py", "pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]
    assert files("./pkg/") == ["pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]
    assert files(str(tree / "pkg"))[0] == str(tree / "pkg" / "b.py")


def test_explicit_files_are_always_taken_once(tree: Path) -> None:
    assert files("pkg/c.txt", ".venv/lib.py") == ["pkg/c.txt", ".venv/lib.py"]
    assert files("pkg/b.py", "pkg", "./pkg/b.py") == ["pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]


def test_include_and_exclude(tree: Path) -> None:
    assert files(".", include=("*.txt",)) == ["pkg/c.txt"]
    assert files(".", exclude=("pkg/",)) == ["a.py"]
    assert files(".", exclude=("*.ipynb", "/a.py")) == ["pkg/b.py", "pkg/e.pyi"]
    assert files("pkg", exclude=("pkg/b.py",)) == ["pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]
    assert files("pkg", base=tree, exclude=("pkg/b.py",)) == ["pkg/d.ipynb", "pkg/e.pyi"]


def test_gitignore(tree: Path) -> None:
    (tree / ".gitignore").write_text("*.ipynb\n/a.py\n")
    (tree / "pkg" / ".gitignore").write_text("!d.ipynb\ne.pyi\n")
    assert files(".") == ["pkg/b.py", "pkg/d.ipynb"]
    assert files(".", respect_gitignore=False) == ["a.py", "pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]


def test_gitignore_above_counts_within_its_repository(tree: Path) -> None:
    (tree / ".gitignore").write_text("*.pyi\n")
    assert files("pkg") == ["pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]
    (tree / ".git").mkdir()
    assert files("pkg") == ["pkg/b.py", "pkg/d.ipynb"]


def test_a_named_folder_is_looked_at_even_when_git_ignores_it(tree: Path) -> None:
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("/pkg/\n")
    assert files(".") == ["a.py"]
    assert files("pkg") == ["pkg/b.py", "pkg/d.ipynb", "pkg/e.pyi"]


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_loops_of_links_end(tree: Path) -> None:
    (tree / "pkg" / "up").symlink_to(tree)
    (tree / "pkg" / "gone").symlink_to(tree / "nothing.py")
    (tree / "pkg" / "again.py").symlink_to(tree / "pkg" / "b.py")
    assert files(".") == ["a.py", "pkg/again.py", "pkg/d.ipynb", "pkg/e.pyi"]


def test_what_is_not_there_is_a_problem(tree: Path) -> None:
    found = discover(["nope", "a.py"], Config())
    assert found.files == ("a.py",)
    assert found.problems == ("nope: no such file or folder",)


def test_a_folder_that_cannot_be_read_is_a_problem(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    listdir = os.listdir

    def refuse(path: str) -> list[str]:
        if str(path) == "pkg":
            raise PermissionError(13, "Permission denied")
        return listdir(path)

    monkeypatch.setattr(os, "listdir", refuse)
    found = discover(["."], Config())
    assert found.files == ("a.py",)
    assert found.problems == ("pkg: cannot be read: Permission denied",)
