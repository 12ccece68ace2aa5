"""Which comments silence which findings."""

from __future__ import annotations

import pytest

from fxlint.syntax.source import Source
from fxlint.syntax.suppress import Suppressions, read_suppressions


def read(text: str) -> Suppressions:
    return read_suppressions(Source("a.py", text))


@pytest.mark.parametrize(
    ("comment", "silenced", "heard"),
    [
        ("# fxlint: ignore", ["FX101", "FX901"], []),
        ("# fxlint: ignore[FX101]", ["FX101"], ["FX102"]),
        ("# fxlint: ignore[FX101, FX2]", ["FX101", "FX203"], ["FX102"]),
        ("# fxlint:ignore[fx101]", ["FX101"], ["FX102"]),
        ("# FXLINT: IGNORE[FX101]", ["FX101"], ["FX102"]),
        ("# fxlint: ignore[]", [], ["FX101"]),
        ("# noqa", ["FX101"], []),
        ("# noqa: FX101", ["FX101"], ["FX102"]),
        ("# NOQA:FX101,E501", ["FX101"], ["FX102"]),
        ("# noqa: E501 FX101", ["FX101"], ["FX102"]),
        ("# noqa: E501", [], ["FX101"]),
        ("# type: ignore # fxlint: ignore[FX101]", ["FX101"], ["FX102"]),
        ("# see fxlint", [], ["FX101"]),
        ("# noqaX", [], ["FX101"]),
    ],
)
def test_comment(comment: str, silenced: list[str], heard: list[str]) -> None:
    found = read(f"y = len(x)  {comment}\nz = 1\n")
    for code in silenced:
        assert found.match(code, 1, 1) is not None
        assert found.match(code, 2, 2) is None
    for code in heard:
        assert found.match(code, 1, 1) is None


def test_a_file_comment_counts_everywhere() -> None:
    found = read("x = 1\n# fxlint: ignore-file[FX2]\n")
    assert found.match("FX201", 40, 41) is not None
    assert found.match("FX101", 40, 41) is None


def test_words_in_a_string_are_no_comment() -> None:
    assert read("y = 'a  # noqa'\nz = '''\n# fxlint: ignore-file\n'''\n").comments == ()


def test_first_or_last_line_of_a_finding_over_lines() -> None:
    text = "y = f(  # fxlint: ignore[FX1]\n  x,\n)  # fxlint: ignore[FX2]\n"
    found = read(text)
    assert found.match("FX101", 1, 3) is not None
    assert found.match("FX201", 1, 3) is not None
    assert found.match("FX101", 2, 2) is None


def test_a_line_that_cannot_carry_a_comment() -> None:
    found = read('y = f("""\na\n""", x)  # noqa: FX101\nz = a + \\\n  b  # noqa: FX102\n')
    assert found.match("FX101", 1, 1) is not None
    assert found.match("FX102", 4, 4) is not None
    assert found.comment_line(1) == 3
    assert found.comment_line(4) == 5


def test_a_text_that_stops_in_the_middle_keeps_its_comments() -> None:
    assert len(read("y = 1  # noqa\nz = (\n").comments) == 1


def test_columns_are_those_of_the_comment() -> None:
    (comment,) = read("é = '😀'  # noqa: FX101\n").comments
    assert (comment.line, comment.column, comment.end_column) == (1, 9, 22)
