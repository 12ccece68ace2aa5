"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fxlint

PACKAGE = Path(fxlint.__file__).parent
REPOSITORY = PACKAGE.parent
OURS = sorted(PACKAGE.rglob("*.py"))
TEXTS = sorted(
    path
    for pattern in (
        "*.md",
        "*.toml",
        "Makefile",
        ".ci/*",
        "fxlint/**/*.py",
        "fxlint/**/*.md",
        "tests/**/*.py",
        "scripts/*",
    )
    for path in REPOSITORY.glob(pattern)
    if path.is_file()
)

MAX_LINES = 400
# A file longer than this says why in its docstring, with this word.
LENGTH_REASON = "length"
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:home|root|work|Users|tmp|opt)/\w")


def name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


@pytest.mark.parametrize("path", OURS, ids=name)
def test_files_are_short_and_open_with_their_idea(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring or not text.strip(), "a module opens with its idea"
    lines = len(text.splitlines())
    assert lines <= MAX_LINES + 20 or LENGTH_REASON in (docstring or "").lower(), f"{lines} lines"


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_no_text_names_a_path_of_some_machine(path: Path) -> None:
    if path == Path(__file__):
        return
    found = MACHINE_PATH.search(path.read_text(encoding="utf-8"))
    assert found is None, found


def modules_after(*args: str) -> set[str]:
    """What a run of the command line has imported when it is done."""
    script = (
        "import sys\n"
        "from fxlint.cli.app import run\n"
        f"code = run({list(args)!r})\n"
        "print('\\n'.join(sorted(name.partition('.')[0] for name in sys.modules)), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.splitlines())


def test_check_imports_neither_torch_nor_the_checked_code(tmp_path: Path) -> None:
    file = tmp_path / "checkedmodule.py"
    file.write_text(
        "import torch, numpy\nfrom torch import nn\n\n"
        "class Net(nn.Module):\n    def forward(self, x):\n        return x if x.sum() > 0 else -x\n"
    )
    for command in ("check", "models"):
        loaded = modules_after(command, "--isolated", str(tmp_path))
        assert loaded.isdisjoint({"torch", "numpy", "pygls", "lsprotocol", "libcst", "checkedmodule"})


def test_version_imports_next_to_nothing() -> None:
    script = "import sys; sys.argv = ['fxlint', '--version']; import fxlint.__main__ as m; m.run()"
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", script], capture_output=True, text=True)
    assert done.stdout == f"fxlint {fxlint.__version__}\n"
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click" in loaded
    assert loaded.isdisjoint({"rich", "pathspec", "fxlint.engine", "fxlint.rules.registry", "fxlint.cli.check"})
