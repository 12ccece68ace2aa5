"""The settings of a run: `[tool.fxlint]` in pyproject.toml, or fxlint.toml, read once into a `Config`.

The nearest file above the checked path counts; a pyproject.toml without the table does not. A key that does not exist,
or a value of the wrong type, is an error with the file and a suggestion, because a setting that is silently ignored is
worse than none.

    [tool.fxlint]
    select = ["FX1", "FX2"]
    ignore = ["FX203"]
    roots = ["myproject.models.Net"]
"""

from __future__ import annotations

import dataclasses
import difflib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fxlint.model.config import Config

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_LISTS = ("select", "ignore", "roots", "leaf_modules", "wrap", "concrete_args", "exclude", "include")
_TEXTS = ("python",)
_FLAGS = ("respect_gitignore",)
COMMON_PREFIX = "FX"
KEYS = tuple(key.replace("_", "-") for key in (*_LISTS, "extend_select", *_TEXTS, *_FLAGS))


class SettingsError(Exception):
    """A mistake in a configuration file or an option: one line for the user, exit code 2."""


def find_settings(start: Path) -> Path | None:
    """The nearest fxlint.toml, or pyproject.toml with our table, in `start` or a folder above it."""
    folder = start.resolve()
    if not folder.is_dir():
        folder = folder.parent
    for here in (folder, *folder.parents):
        own = here / "fxlint.toml"
        if own.is_file():
            return own
        shared = here / "pyproject.toml"
        if shared.is_file() and _table(shared, _load(shared)) is not None:
            return shared
    return None


def load_settings(path: Path) -> Config:
    """The `Config` that a file describes."""
    table = _table(path, _load(path))
    return config_from(table or {}, str(path))


def config_from(table: Mapping[str, Any], where: str) -> Config:
    """A `Config` from parsed TOML; `where` is named in errors."""
    values: dict[str, Any] = {}
    extend: tuple[str, ...] = ()
    for key, value in table.items():
        name = key.replace("-", "_")
        if key not in KEYS and name not in (*_LISTS, *_TEXTS, *_FLAGS, "extend_select"):
            raise SettingsError(f"{where}: unknown key `{key}` in the fxlint settings{_suggestion(key, KEYS)}")
        if name == "extend_select":
            extend = _strings(where, key, value)
        elif name in _LISTS:
            values[name] = _strings(where, key, value)
        elif name in _TEXTS:
            values[name] = _typed(where, key, value, str, "a string")
        else:
            values[name] = _typed(where, key, value, bool, "true or false")
    config = Config(**values)
    return dataclasses.replace(
        config,
        select=codes_of((*config.select, *extend), f"{where}: `select`"),
        ignore=codes_of(config.ignore, f"{where}: `ignore`"),
    )


def codes_of(selectors: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Selectors as codes or prefixes of codes: names become codes, `ALL` becomes their common prefix.

    A selector that means no rule is an error.
    """
    from fxlint.rules.registry import UnknownRuleError, all_rules, rule

    codes: list[str] = []
    for selector in selectors:
        upper = selector.upper()
        if upper in ("ALL", COMMON_PREFIX):
            codes.append(COMMON_PREFIX)
        elif upper and any(known.code.startswith(upper) for known in all_rules()):
            codes.append(upper)
        else:
            try:
                codes.append(rule(selector).code)
            except UnknownRuleError as error:
                raise SettingsError(f"{where}: {error}") from None
    return tuple(codes)


def selected(config: Config, code: str) -> bool:
    """Whether a rule is on: the longest matching prefix wins, and `ignore` wins a tie."""
    on = max((len(known) for known in config.select if code.startswith(known)), default=-1)
    off = max((len(known) for known in config.ignore if code.startswith(known)), default=-1)
    return on > off


def _load(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from None


def _table(path: Path, data: dict[str, Any]) -> dict[str, Any] | None:
    if path.name != "pyproject.toml":
        return data
    tool = data.get("tool", {})
    table = tool.get("fxlint") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: `tool.fxlint` must be a table")
    return table


def _strings(where: str, key: str, value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise SettingsError(f"{where}: `{key}` must be a list of strings, not {_kind(value)}")


def _typed(where: str, key: str, value: object, kind: type, words: str) -> object:
    if isinstance(value, kind):
        return value
    raise SettingsError(f"{where}: `{key}` must be {words}, not {_kind(value)}")


def _kind(value: object) -> str:
    names = {
        str: "a string",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), f"a {type(value).__name__}")


def _suggestion(word: str, known: tuple[str, ...] | list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean `{near[0]}`?" if near else ""
