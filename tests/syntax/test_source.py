"""`Source`: decoding, columns, trees, and texts that have none."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fxlint.model.span import Span
from fxlint.syntax.source import Problem, Source, UnreadableSourceError


def first_call(source: Source) -> ast.Call:
    return next(node for node in ast.walk(source.tree) if isinstance(node, ast.Call))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("y = len(x)\n", Span(1, 4, 1, 10), id="ascii"),
        pytest.param("é = '😀'; y = len(x)\n", Span(1, 13, 1, 19), id="two- and four-byte characters before"),
        pytest.param("y = len('😀')\n", Span(1, 4, 1, 12), id="within"),
        pytest.param("# 😀\ny = len(x)\n", Span(2, 4, 2, 10), id="on another line"),
        pytest.param("\ty = len(x)\n".replace("\t", "if 1:\n\t"), Span(2, 5, 2, 11), id="a tab is one column"),
        pytest.param("y = 'é' + len(\n  x,\n)\n", Span(1, 10, 3, 1), id="over lines"),
        pytest.param("a = 1\r\ny = len(x)\r\n", Span(2, 4, 2, 10), id="CRLF"),
        pytest.param("a = 1\ry = len(x)\r", Span(2, 4, 2, 10), id="CR"),
        pytest.param("\x0ca = 1\n\x0cy = len(x)\n", Span(2, 5, 2, 11), id="form feed is no line end"),
        pytest.param(
            "a = '\x1c\x85\u2028'\ny = len(x)\n", Span(2, 4, 2, 10), id="nor is what str.splitlines takes for one"
        ),
        pytest.param("\ufeffy = len(x)\n", Span(1, 4, 1, 10), id="BOM is not part of the text"),
    ],
)
def test_span_counts_code_points(text: str, expected: Span) -> None:
    source = Source("a.py", text)
    node = first_call(source)
    assert source.node_span(node) == expected
    assert source.segment(node).startswith("len(")
    assert source.segment(node).endswith(")")


@given(st.text(alphabet="aé漢😀 \t", max_size=12), st.text(alphabet="é漢😀b", max_size=6))
def test_span_agrees_with_the_text(before: str, argument: str) -> None:
    text = f"v = '{before}', f('{argument}')\n"
    source = Source("a.py", text)
    span = source.node_span(first_call(source))
    assert source.lines[0][span.column : span.end_column] == f"f('{argument}')"


def test_segment_over_lines_has_plain_line_ends() -> None:
    source = Source("a.py", "y = f(1,\r\n      2)\r\n")
    assert source.segment(first_call(source)) == "f(1,\n      2)"


def test_the_tree_is_one_object_until_it_is_forgotten() -> None:
    source = Source("a.py", "x = 1\n")
    tree = source.tree
    assert source.tree is tree
    source.forget_tree()
    assert source.tree is not tree
    assert source.problem is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param("é = 1\n".encode(), "é = 1\n", id="utf-8"),
        pytest.param(b"\xef\xbb\xbf" + "é = 1\n".encode(), "é = 1\n", id="utf-8 with BOM"),
        pytest.param(
            "# -*- coding: latin-1 -*-\né = 1\n".encode("latin-1"), "# -*- coding: latin-1 -*-\né = 1\n", id="cookie"
        ),
        pytest.param(
            "#!/bin/x\n# vim: set fileencoding=cp1251 :\nж = 1\n".encode("cp1251"), None, id="cookie on line 2"
        ),
        pytest.param(b"", "", id="empty"),
    ],
)
def test_decoding(data: bytes, text: str | None) -> None:
    source = Source.from_bytes("a.py", data)
    assert source.problem is None
    if text is not None:
        assert source.text == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"x = 1\ny = '\xe9'\n", "a.py:2: cannot be decoded as utf-8", id="bad byte, with its line"),
        pytest.param(b"# coding: nonsense\n", "unknown encoding: nonsense", id="unknown cookie"),
        pytest.param(b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem", id="BOM against cookie"),
        pytest.param(b"# coding: rot13\nx = 1\n", "is not one for text", id="codec that is not for text"),
    ],
)
def test_bytes_that_are_no_text_say_why(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableSourceError, match=message):
        Source.from_bytes("a.py", data)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSourceError, match="No such file"):
        Source.read(str(tmp_path / "none.py"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("x = = 1\n", Problem(1, 4, "invalid syntax"), id="plain"),
        pytest.param("é = '😀'; x = = 1\n", Problem(1, 13, "invalid syntax"), id="after wide characters"),
        pytest.param("def f(:\n", None, id="unfinished"),
        pytest.param("x = '''\n", None, id="unfinished string"),
        pytest.param("x = 1\0\n", None, id="NUL"),
        pytest.param("x = '\udc80'\n", None, id="lone surrogate"),
        pytest.param("  x\n y\n", None, id="indentation"),
    ],
)
def test_a_problem_instead_of_a_tree(text: str, problem: Problem | None) -> None:
    source = Source("a.py", text)
    assert source.tree.body == []
    found = source.problem
    assert found is not None
    assert 1 <= found.line <= len(source.lines)
    assert 0 <= found.column <= len(source.lines[found.line - 1])
    if problem is not None:
        assert found == problem


DEEP = 5_000


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x = " + "(" * DEEP + "1" + ")" * DEEP, id="parentheses"),
        pytest.param("x = " + "-" * DEEP + "1", id="unary"),
        pytest.param("x = " + "1+" * DEEP + "1", id="sums"),
        pytest.param("x = a" + ".b" * DEEP, id="attributes"),
        pytest.param("x = a" + "()" * DEEP, id="calls"),
        pytest.param("x = " + "lambda: " * DEEP + "1", id="lambdas"),
        pytest.param("if a: pass\n" + "elif b: pass\n" * DEEP, id="elif"),
        pytest.param("".join(" " * i + "if x:\n" for i in range(150)) + " " * 150 + "pass\n", id="indentation"),
    ],
)
def test_deep_nesting_is_no_crash(text: str) -> None:
    source = Source("a.py", text)
    if source.problem is not None:
        assert source.problem.message
        assert source.tree.body == []


def test_a_text_cut_anywhere_is_no_crash() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    choose = random.Random(0)
    for _ in range(40):
        cut = Source("a.py", text[: choose.randrange(len(text))])
        assert isinstance(cut.tree, ast.Module)


def test_warnings_of_the_checked_code_are_not_shown(recwarn: pytest.WarningsRecorder) -> None:
    assert Source("a.py", "x = '\\d'\nx is 1\n").problem is None
    assert len(recwarn) == 0
