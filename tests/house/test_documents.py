"""Documents say what is so: their examples run, their settings exist, their links lead somewhere.

In a document, a Python block that opens with `# name.py` is a file, and a console block with lines `$ command` is a
transcript: the commands run in a folder with the document's files and must print what stands below them. With
FXLINT_UPDATE=1 the transcripts are rewritten instead.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fxlint
from fxlint.cli.check import command as check_command
from fxlint.settings import config_from

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(fxlint.__file__).parent.parent
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md")
BLOCK = re.compile(r"^```(?P<kind>[\w-]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (?P<name>[\w/]+\.py)\n")
COMMAND = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\((?P<target>[^)#:]+)(?:#[^)]*)?\)")


def blocks(document: str, kind: str) -> Iterator[re.Match[str]]:
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    return (found for found in BLOCK.finditer(text) if found["kind"] == kind)


def run(command: str, folder: Path) -> str:
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return re.sub(r"[ \t]+$", "", done.stdout + done.stderr, flags=re.MULTILINE)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_transcripts(document: str, tmp_path: Path) -> None:
    for found in blocks(document, "python"):
        opening = FILE.match(found["text"])
        if opening is not None:
            file = tmp_path / opening["name"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(found["text"], encoding="utf-8")
    path = REPOSITORY / document
    text = path.read_text(encoding="utf-8")
    fresh = text
    for block in blocks(document, "console"):
        for found in COMMAND.finditer(block["text"]):
            output = run(found["command"], tmp_path)
            if os.environ.get("FXLINT_UPDATE") == "1":
                fresh = fresh.replace(found[0], f"$ {found['command']}\n{output}")
            else:
                assert output == found["output"], f"the output of `{found['command']}` in {document} is out of date"
    if fresh != text:
        path.write_text(fresh, encoding="utf-8")


def test_the_rule_of_the_walk_through_is_the_real_one() -> None:
    shown = [found["text"] for found in blocks("CONTRIBUTING.md", "text")]
    assert shown == [(REPOSITORY / "fxlint/rules/fx107_len_of_proxy.py").read_text(encoding="utf-8")]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links(document: str) -> None:
    text = (REPOSITORY / document).read_text(encoding="utf-8")
    for found in LINK.finditer(text):
        assert (REPOSITORY / found["target"]).exists(), found["target"]


def test_settings_of_the_readme_exist() -> None:
    (block,) = blocks("README.md", "toml")
    table = tomllib.loads(block["text"])["tool"]["fxlint"]
    config_from(table, "README.md")
    from fxlint.settings import KEYS

    assert set(table) == set(KEYS)


def test_options_of_the_readme_exist() -> None:
    known = {option for parameter in check_command.params for option in parameter.opts}
    used = {
        word
        for found in blocks("README.md", "console")
        for word in re.findall(r"fxlint check.*?(--[\w-]+)", found["text"])
    }
    assert used
    assert used <= known
