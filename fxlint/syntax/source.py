"""One checked text: its lines, its tree, and the only arithmetic on columns.

A `Source` is made from bytes, from an editor's text or from a notebook, and always answers: a text that Python cannot
parse has an empty `tree` and a `problem` that says where and why. `ast` counts columns in UTF-8 bytes; everything a
person sees counts code points; `Source.span` goes from one to the other, and nobody else does.

    source = Source.read("net.py")
    source.problem            # None, or Problem(line, column, message)
    source.span(3, 4, 3, 9)   # ast's columns → Span in code points
    source.segment(node)      # the text of a node

A notebook is one module made of its code cells in order: `tree` has the lines of that module, and `place` gives a span
back as a cell and a line within it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fxlint.model.span import Place, Span

_NEWLINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a text has no tree. The line is 1-based, the column a 0-based count of code points."""

    line: int
    column: int
    message: str


class UnreadableSourceError(Exception):
    """A file that cannot become text: it is missing, forbidden, or its bytes are not what its encoding says."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A notebook's code cell: its 1-based number, and the module line on which it starts."""

    number: int
    first_line: int


class Source:
    """A text with a path, lazily split, parsed and measured. Immutable for its users."""

    def __init__(
        self, path: str, text: str, *, cells: Sequence[Cell] = (), problems: Sequence[Problem] = (), module: str = ""
    ) -> None:
        """Take the text of `path`.

        `cells` and `problems` come from the notebook reader; `module` overrides the dotted name that the path implies.
        """
        self.path = path
        self.text = text.removeprefix("\ufeff")
        self.cells = tuple(cells)
        self.module = module
        self._known_problems = tuple(problems)
        self._tree: ast.Module | None = None
        self._problem: Problem | None = None
        self._parsed = False

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> Source:
        """Decode `data` as Python would (BOM, PEP 263 cookie, else UTF-8); a notebook is taken apart into cells."""
        if path.endswith(".ipynb"):
            from fxlint.syntax.notebook import read_notebook

            return read_notebook(path, data)
        return cls(path, decode(path, data))

    @classmethod
    def from_text(cls, path: str, text: str) -> Source:
        """Take an editor's text: already decoded, for a notebook still its JSON."""
        if path.endswith(".ipynb"):
            return cls.from_bytes(path, text.encode("utf-8", "surrogatepass"))
        return cls(path, text)

    @classmethod
    def read(cls, path: str) -> Source:
        """Read a file; raises `UnreadableSourceError` with a sentence for people."""
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise UnreadableSourceError(f"{path}: cannot be read: {error.strerror or error}") from None
        return cls.from_bytes(path, data)

    @cached_property
    def lines(self) -> list[str]:
        r"""The lines without their ends, split where Python splits (`\n`, `\r\n`, `\r`; a form feed is no line end)."""
        return _NEWLINE.split(self.text)

    @cached_property
    def ascii(self) -> bool:
        """Whether bytes and code points are the same thing in this text."""
        return self.text.isascii()

    @property
    def tree(self) -> ast.Module:
        """The parsed module; an empty one when there is a problem. The same object until `forget_tree`."""
        if self._tree is None:
            self._tree = self._parse()
        return self._tree

    @property
    def problem(self) -> Problem | None:
        """The first reason why (part of) this text has no tree."""
        if not self._parsed:
            _ = self.tree
        return self._problem

    def forget_tree(self) -> None:
        """Let go of the tree, which takes many times the memory of the text; it is parsed again when asked for."""
        self._tree = None

    def _parse(self) -> ast.Module:
        self._problem = self._known_problems[0] if self._known_problems else None
        self._parsed = True
        try:
            return parse(self.text)
        except SyntaxError as error:
            self._problem = self._problem or self._syntax_problem(error)
        except (RecursionError, MemoryError):
            self._problem = Problem(1, 0, "the code is nested too deeply for Python's parser")
        except ValueError as error:
            self._problem = Problem(1, 0, str(error))
        return ast.Module(body=[], type_ignores=[])

    def _syntax_problem(self, error: SyntaxError) -> Problem:
        # SyntaxError counts columns from 1, in code points, and may point past the text or nowhere at all.
        line = min(max(error.lineno or 1, 1), len(self.lines))
        column = min(max((error.offset or 1) - 1, 0), len(self.lines[line - 1]))
        return Problem(line, column, error.msg or "invalid syntax")

    def column(self, line: int, byte_column: int) -> int:
        """A column of `ast` (UTF-8 bytes) as a count of code points."""
        if self.ascii:
            return byte_column
        if not 1 <= line <= len(self.lines):
            return byte_column
        text = self.lines[line - 1]
        if text.isascii():
            return byte_column
        head = text.encode("utf-8", "surrogatepass")[:byte_column]
        return len(head.decode("utf-8", "surrogatepass"))

    def span(self, line: int, col: int, end_line: int, end_col: int) -> Span:
        """A range in `ast` units as a `Span`."""
        return Span(line, self.column(line, col), end_line, self.column(end_line, end_col))

    def node_span(self, node: ast.AST) -> Span:
        """The span of a node of this source's tree; empty, on the first line, for a node that has no place."""
        line, col = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end_col = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
        return self.span(line, col, line if end_line is None else end_line, col if end_col is None else end_col)

    def segment(self, node: ast.AST) -> str:
        """The text of a node, as written."""
        return self.slice(self.node_span(node))

    def slice(self, span: Span) -> str:
        """The text under a span of the module (line ends become `\\n`)."""
        lines = self.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        if len(lines) == 1:
            return lines[0][span.column : span.end_column]
        return "\n".join((lines[0][span.column :], *lines[1:-1], lines[-1][: span.end_column]))

    def line_text(self, line: int) -> str:
        """A line of the module by its 1-based number, or nothing when there is none."""
        return self.lines[line - 1] if 1 <= line <= len(self.lines) else ""

    def place(self, span: Span) -> Place:
        """A span of the module as a place of the file: for a notebook, a cell and lines within it."""
        if not self.cells:
            return Place(self.path, span)
        cell = self._cell_at(span.line)
        shift = cell.first_line - 1
        inside = Span(span.line - shift, span.column, max(span.end_line, span.line) - shift, span.end_column)
        return Place(self.path, inside, cell.number)

    def module_line(self, cell: int | None, line: int) -> int:
        """The inverse of `place` for a line."""
        for known in self.cells:
            if known.number == cell:
                return known.first_line + line - 1
        return line

    def _cell_at(self, line: int) -> Cell:
        starts = [cell.first_line for cell in self.cells]
        return self.cells[max(bisect_right(starts, line) - 1, 0)]


def parse(text: str) -> ast.Module:
    """`ast.parse` without its warnings, which are about the user's code and are none of this tool's business."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def decode(path: str, data: bytes) -> str:
    """Bytes of a Python file as text; raises `UnreadableSourceError` when they are not what they claim to be."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        raise UnreadableSourceError(f"{path}: cannot be decoded: {error.msg}") from None
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnreadableSourceError(f"{path}:{line}: cannot be decoded as {encoding}: {error.reason}") from None
    except LookupError:
        raise UnreadableSourceError(f"{path}: the encoding {encoding} is not one for text") from None
