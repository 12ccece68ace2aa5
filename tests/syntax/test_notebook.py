"""Notebooks: cells as one module, with IPython's lines taken out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fxlint.model.span import Place, Span
from fxlint.syntax.source import Source, UnreadableSourceError


def notebook(*cells: str | tuple[str, str], **metadata: Any) -> bytes:
    made = []
    for cell in cells:
        kind, text = cell if isinstance(cell, tuple) else ("code", cell)
        made.append({"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)})
    return json.dumps({"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def read(*cells: str | tuple[str, str], **metadata: Any) -> Source:
    return Source.from_bytes("a.ipynb", notebook(*cells, **metadata))


def test_code_cells_are_one_module() -> None:
    source = read(("markdown", "# title"), "x = 1\ny = 2", ("raw", "z"), "é = len(x)\n")
    assert source.text == "x = 1\ny = 2\né = len(x)\n\n"
    assert source.problem is None
    assert source.place(Span(3, 4, 3, 10)) == Place("a.ipynb", Span(1, 4, 1, 10), 4)
    assert source.place(Span(2, 0, 2, 1)) == Place("a.ipynb", Span(2, 0, 2, 1), 2)
    assert source.module_line(4, 1) == 3
    assert source.module_line(2, 2) == 2


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install torch\nx = 1", "pass\nx = 1"),
        ("if 1:\n    !ls -l\n    %cd ..\n", "if 1:\n    pass\n    pass\n"),
        ("files = !ls\nx = 1", "files = None\nx = 1"),
        ("t = %timeit -o f()", "t = None"),
        ("torch.relu?\nx = 1", "pass\nx = 1"),
        ("?torch.relu", "pass"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ("%time x = 1\ny = (a\n  % b)", "pass\ny = (a\n  % b)"),
        ("%%time\nx = 1", "\nx = 1"),
        ("\n%%capture out\nx = 1", "\n\nx = 1"),
        ("%%bash\nls -l | grep x", "\n"),
        ("%%writefile a.py\nx = 1\n", "\n\n"),
        ("s = '''\n%not magic\n'''", "s = '''\n%not magic\n'''"),
        ("", ""),
    ],
)
def test_what_is_not_python_is_taken_out(cell: str, python: str) -> None:
    source = read(cell)
    assert source.text == python + "\n"
    assert source.problem is None


def test_a_broken_cell_does_not_hide_the_others() -> None:
    source = read("x = 1", "y = = 2", "z = 3")
    assert len(source.tree.body) == 2
    problem = source.problem
    assert problem is not None
    assert source.place(Span(problem.line, problem.column, problem.line, problem.column)).cell == 2


def test_a_source_may_be_one_string() -> None:
    data = json.dumps({"cells": [{"cell_type": "code", "source": "x = 1\r\ny = 2"}], "metadata": {}}).encode()
    assert Source.from_bytes("a.ipynb", data).text == "x = 1\ny = 2\n"


def test_another_language_has_no_cells() -> None:
    assert read("x <- 1", language_info={"name": "R"}).text.strip() == ""


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"cells": 1}', b"\xff", b'{"worksheets": []}'])
def test_what_is_no_notebook_says_so(data: bytes) -> None:
    with pytest.raises(UnreadableSourceError, match=r"a\.ipynb: not a notebook"):
        Source.from_bytes("a.ipynb", data)


def test_text_of_an_editor() -> None:
    assert Source.from_text("a.ipynb", notebook("x = 1").decode()).text == "x = 1\n"
