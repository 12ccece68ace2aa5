"""Where an interpreter keeps its packages, found by looking at the disk.

Type checkers ask the interpreter itself; fxlint must not run the user's code, and an interpreter runs `sitecustomize`
and `.pth` files when it starts. The layout is regular enough to be read instead: a virtual environment has
`pyvenv.cfg` beside `bin`, packages lie in `lib/python3.X/site-packages` (`Lib/site-packages` on Windows,
`dist-packages` on Debian), and an editable install is a line in a `.pth` file or a literal `MAPPING` in a finder
module.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import site
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_MAPPING = re.compile(r"^MAPPING(?:\s*:[^=]*)?\s*=\s*(\{.*\})\s*$", re.MULTILINE)
_VERSION = re.compile(r"^python3\.(\d+)")
_FINDER_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Environment:
    """Folders that hold importable packages, in search order, and packages mapped one by one by editable installs."""

    folders: tuple[str, ...] = ()
    mapped: Mapping[str, str] | None = None


def locate(python: str | None, near: Sequence[str], variables: Mapping[str, str] | None = None) -> Environment:
    """The packages of the given interpreter or environment folder, else of the active environment, else of a `.venv` in
    one of the folders `near`, else of the interpreter that runs fxlint."""
    if python is not None:
        return _with_editables(_of_interpreter(python))
    env = os.environ if variables is None else variables
    candidates = [env[name] for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if env.get(name)]
    candidates += [os.path.join(folder, name) for folder in near for name in (".venv", "venv")]
    for prefix in candidates:
        folders = _of_prefix(prefix)
        if folders:
            return _with_editables(folders)
    return _with_editables(_of_running())


def _of_interpreter(python: str) -> list[str]:
    """Packages of an interpreter given as a path, a command on PATH or an environment's folder."""
    if os.path.isdir(python):
        return _of_prefix(python)
    path = python if os.path.dirname(python) else shutil.which(python) or python
    while True:
        # The link inside an environment says which environment; the file that it points to says only which Python.
        folders = _of_prefix(os.path.dirname(os.path.dirname(os.path.abspath(path))), os.path.realpath(path))
        if folders or not os.path.islink(path):
            return folders
        path = os.path.join(os.path.dirname(path), os.readlink(path))


def _of_prefix(prefix: str, interpreter: str = "") -> list[str]:
    found = [os.path.join(prefix, "Lib", "site-packages")]
    wanted = _VERSION.match(os.path.basename(interpreter))
    for base in (prefix, os.path.join(prefix, "local")):
        for lib in ("lib", "lib64"):
            folder = os.path.join(base, lib)
            versions = [(int(m[1]), name) for name in _names(folder) if (m := _VERSION.match(name))]
            named = [item for item in versions if wanted is not None and item[0] == int(wanted[1])]
            for _, name in sorted(named or versions, reverse=True):
                found += [os.path.join(folder, name, sub) for sub in ("site-packages", "dist-packages")]
            found.append(os.path.join(folder, "python3", "dist-packages"))
    folders = _distinct(path for path in found if os.path.isdir(path))
    config = _text(os.path.join(prefix, "pyvenv.cfg"))
    settings = dict(re.findall(r"^\s*([\w-]+)\s*=\s*(.*?)\s*$", config, re.MULTILINE))
    if settings.get("include-system-site-packages", "").lower() == "true" and settings.get("home"):
        folders += _of_prefix(os.path.dirname(settings["home"]))
    return folders


def _of_running() -> list[str]:
    paths = sysconfig.get_paths()
    folders = [paths["purelib"], paths["platlib"], *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    return _distinct(path for path in folders if os.path.isdir(path))


def _with_editables(folders: Sequence[str]) -> Environment:
    """Adds what `.pth` files and setuptools' editable finders name; lines that would run code are not run."""
    extra: list[str] = []
    mapped: dict[str, str] = {}
    for folder in folders:
        for name in sorted(_names(folder)):
            path = os.path.join(folder, name)
            if name.endswith(".pth"):
                lines = [line.strip() for line in _text(path).splitlines()]
                plain = [line for line in lines if line and not line.startswith(("#", "import ", "import\t"))]
                extra += [full for line in plain if os.path.isdir(full := os.path.normpath(os.path.join(folder, line)))]
            elif name.startswith("__editable__") and name.endswith("_finder.py"):
                for literal in _MAPPING.findall(_text(path)):
                    mapped.update(_literal_mapping(literal))
    return Environment(tuple(_distinct([*folders, *extra])), mapped)


def _literal_mapping(literal: str) -> dict[str, str]:
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    return {key: path for key, path in value.items() if isinstance(key, str) and isinstance(path, str)}


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_FINDER_BYTES)
    except OSError:
        return ""


def _distinct(paths: Iterable[str]) -> list[str]:
    """Each folder once, `lib64` being a link to `lib` on many systems."""
    return list({os.path.realpath(path): path for path in reversed(list(paths))}.values())[::-1]
