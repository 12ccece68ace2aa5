"""Places in source text.

Three column units live side by side (`ast` counts UTF-8 bytes, people and JSON count code points, editors count
UTF-16). A `Span` is always in code points; `fxlint.syntax.source.Source` is the only converter.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of one file. Lines are 1-based, columns are 0-based code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int

    def covers(self, line: int) -> bool:
        """Whether the given 1-based line lies within the span."""
        return self.line <= line <= self.end_line


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span of one file.

    `path` is the path as the user gave it (or as it was found under a folder the user gave), never resolved.
    `cell` is the 1-based index of a notebook's code cell, `None` for ordinary files.
    """

    path: str
    span: Span
    cell: int | None = None
