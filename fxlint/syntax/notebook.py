"""A notebook as one module: its code cells in order, with what is not Python taken out and every line kept.

IPython's lines (`%magic`, `!shell`, `name?`) become `pass`, an assignment from one keeps its target (`x = !ls` →
`x = None`), and a cell that is written in another language (`%%bash`) becomes empty lines. A cell that is still no
Python is left out and remembered as a problem, so that one unfinished cell does not hide the others.
"""

from __future__ import annotations

import json
import re
from typing import Any

from fxlint.syntax.source import Cell, Problem, Source, UnreadableSourceError

# Cell magics whose body is Python that runs here.
_PYTHON_CELLS = frozenset(
    {"capture", "prun", "python", "python3", "time", "timeit", "memit", "mprun", "memray_flamegraph"}
)

_LINE = re.compile(r"^(?P<indent>\s*)(?:[%!?].*|[\w.\[\]*]+\?{1,2}\s*)$")
_ASSIGNED = re.compile(r"^(?P<head>\s*[\w.,\s\[\]'\"]+=\s*)[%!].*$")
_CELL = re.compile(r"^\s*%%(?P<name>[\w-]*)")


def read_notebook(path: str, data: bytes) -> Source:
    """The `Source` of a notebook's bytes; raises `UnreadableSourceError` when they are no notebook."""
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise UnreadableSourceError(f"{path}: not a notebook: {error}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise UnreadableSourceError(f"{path}: not a notebook of format 4: it has no list of cells")
    cells: list[Cell] = []
    problems: list[Problem] = []
    lines: list[str] = []
    if _is_python(notebook):
        for number, raw in enumerate(notebook["cells"], 1):
            text = _code(raw)
            if text is None:
                continue
            cells.append(Cell(number, len(lines) + 1))
            python, problem = _as_python(text.split("\n"), len(lines))
            lines.extend(python)
            if problem is not None:
                problems.append(problem)
    return Source(path, "\n".join(lines) + "\n", cells=cells, problems=problems)


def _is_python(notebook: dict[str, Any]) -> bool:
    metadata = notebook.get("metadata")
    info = metadata.get("language_info") if isinstance(metadata, dict) else None
    name = info.get("name", "python") if isinstance(info, dict) else "python"
    return str(name).lower() in ("python", "ipython")


def _code(cell: object) -> str | None:
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    source = cell.get("source", "")
    text = "".join(map(str, source)) if isinstance(source, list) else str(source)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _as_python(lines: list[str], offset: int) -> tuple[list[str], Problem | None]:
    """The lines as Python, and the problem when they are none (then they are empty). `offset` is the lines before."""
    magic = next((found for line in lines if line.strip() and (found := _CELL.match(line))), None)
    first = next((line for line in lines if line.strip()), "")
    if magic is not None and _CELL.match(first):
        if magic["name"] not in _PYTHON_CELLS:
            return [""] * len(lines), None
        at = lines.index(first)
        lines = [*lines[:at], "", *lines[at + 1 :]]
    lines = list(lines)
    # The parser stops at the first line that is no Python. A line that merely looks like a magic (a `%` operator that
    # starts the second line of an expression) is never reached this way, and so is kept.
    for _ in range(len(lines) + 1):
        problem = _problem(lines)
        if problem is None:
            return lines, None
        if not _neutralise(lines, problem.line - 1):
            break
    for at in range(len(lines)):
        _neutralise(lines, at)
    problem = _problem(lines)
    if problem is None:
        return lines, None
    return [""] * len(lines), Problem(offset + problem.line, problem.column, problem.message)


def _problem(lines: list[str]) -> Problem | None:
    source = Source("", "\n".join(lines) + "\n")
    return source.problem


def _neutralise(lines: list[str], at: int) -> bool:
    line = lines[at] if at < len(lines) else ""
    found = _LINE.match(line)
    if found is not None:
        lines[at] = found["indent"] + "pass"
        return True
    found = _ASSIGNED.match(line)
    if found is not None:
        lines[at] = found["head"] + "None"
        return True
    return False
