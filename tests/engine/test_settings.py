"""Settings files: what is read, and how mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint.model.config import Config
from fxlint.settings import SettingsError, codes_of, config_from, find_settings, load_settings, selected


def test_pyproject_table(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.fxlint]\nselect = ["FX1", "none-test"]\nleaf-modules = ["a.B"]\nrespect-gitignore = false\n')
    config = load_settings(file)
    assert config.select == ("FX1", "FX203")
    assert config.leaf_modules == ("a.B",)
    assert not config.respect_gitignore


def test_own_file_and_underscores(tmp_path: Path) -> None:
    file = tmp_path / "fxlint.toml"
    file.write_text('extend_select = ["FX902"]\npython = ".venv/bin/python"\n')
    config = load_settings(file)
    assert config.select == ("FX", "FX902")
    assert config.python == ".venv/bin/python"


def test_the_nearest_file_with_settings_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.fxlint]\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'a'\n")
    assert find_settings(inner) == tmp_path / "pyproject.toml"
    (inner / "fxlint.toml").write_text("")
    assert find_settings(inner / "x.py") == inner / "fxlint.toml"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"selct": ["FX1"]}, "unknown key `selct` in the fxlint settings; did you mean `select`?"),
        ({"leaf-module": []}, "did you mean `leaf-modules`?"),
        ({"zzz": 1}, "here.toml: unknown key `zzz` in the fxlint settings"),
        ({"select": "FX1"}, "`select` must be a list of strings, not a string"),
        ({"ignore": [1]}, "`ignore` must be a list of strings, not a list"),
        ({"python": 3}, "`python` must be a string, not a number"),
        ({"respect-gitignore": "no"}, "`respect-gitignore` must be true or false, not a string"),
        ({"select": ["FX11111"]}, "`select`: unknown rule `FX11111`"),
        ({"ignore": ["len-of-prox"]}, "did you mean `len-of-proxy`"),
        ({"ignore": [""]}, "unknown rule ``"),
    ],
)
def test_mistakes(table: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        config_from(table, "here.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("here.toml: ")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("fxlint.toml", "select = [", "not valid TOML"),
        ("pyproject.toml", "[tool]\nfxlint = 1\n", "`tool.fxlint` must be a table"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, text: str, message: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        load_settings(file)
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "none.toml")


def test_selectors() -> None:
    assert codes_of(("ALL", "fx2", "len-of-proxy"), "here") == ("FX", "FX2", "FX107")


@pytest.mark.parametrize(
    ("select", "ignore", "code", "on"),
    [
        (("FX",), (), "FX101", True),
        (("FX1",), (), "FX201", False),
        (("FX",), ("FX1",), "FX101", False),
        (("FX101",), ("FX1",), "FX101", True),
        (("FX1",), ("FX101",), "FX101", False),
        (("FX1",), ("FX1",), "FX101", False),
        ((), (), "FX101", False),
    ],
)
def test_the_longest_prefix_wins(select: tuple[str, ...], ignore: tuple[str, ...], code: str, on: bool) -> None:
    assert selected(Config(select=select, ignore=ignore), code) is on
