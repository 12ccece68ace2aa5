"""Comments that silence findings.

    y = len(x)  # fxlint: ignore[FX103]        this line, these codes (or prefixes)
    y = len(x)  # fxlint: ignore               this line, every code
    y = len(x)  # noqa: FX103                  the same in the common form; a bare `# noqa` counts too
    # fxlint: ignore-file[FX2]                 this file, these codes; without brackets every code

Comments are found by Python's tokenizer, so the same words inside a string mean nothing. `# noqa` with other tools'
codes only says nothing to us. A comment counts on the line it stands on; where a line cannot carry a comment (inside
a multi-line string, before a backslash) it counts for the lines up to where the comment stands.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from fxlint.syntax.source import Source

_OURS = re.compile(r"#\s*fxlint\s*:\s*ignore(?P<file>-file)?\s*(?:\[(?P<codes>[^\]]*)\])?", re.IGNORECASE)
_NOQA = re.compile(r"#\s*noqa\b(?P<colon>\s*:\s*(?P<codes>[A-Z]+[0-9]+(?:[\s,]+[A-Z]+[0-9]+)*))?", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]+[0-9]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment: where it is, what it covers. Empty `codes` covers every code; `whole_file` covers every line."""

    line: int
    column: int
    end_column: int
    codes: tuple[str, ...]
    whole_file: bool = False
    is_noqa: bool = False

    def covers(self, code: str) -> bool:
        """Whether a rule's code is among those named (a prefix names a family)."""
        return not self.codes or any(code.startswith(known) for known in self.codes)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """The comments of one source, and the lines that can only carry a comment further down."""

    comments: tuple[Suppression, ...] = ()
    continued: tuple[tuple[int, int], ...] = ()

    def comment_line(self, line: int) -> int:
        """The line on which a comment about `line` stands."""
        for first, last in self.continued:
            if first <= line < last:
                return last
        return line

    def match(self, code: str, first: int, last: int) -> Suppression | None:
        """The comment that silences a finding of `code` on lines `first` to `last`: on its first or last line."""
        lines = {self.comment_line(first), self.comment_line(last)}
        for comment in self.comments:
            if (comment.whole_file or comment.line in lines) and comment.covers(code):
                return comment
        return None


def read_suppressions(source: Source) -> Suppressions:
    """The suppressions of a source; the tokenizer runs only where the text has one of the words."""
    lowered = source.text.lower()
    if "noqa" not in lowered and "fxlint" not in lowered:
        return Suppressions()
    comments: list[Suppression] = []
    continued: list[tuple[int, int]] = []
    for token in _tokens(source.text):
        if token.type == tokenize.COMMENT:
            comments.extend(_read_comment(token.string, *token.start))
        elif token.start[0] != token.end[0] and token.type not in (tokenize.NEWLINE, tokenize.NL):
            continued.append((token.start[0], token.end[0]))
    continued.extend(_backslashes(source))
    return Suppressions(tuple(comments), _merged(continued))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    # A text that stops in the middle still has the comments up to there.
    try:
        yield from tokenize.generate_tokens(io.StringIO(text, newline=None).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _read_comment(text: str, line: int, column: int) -> Iterator[Suppression]:
    for found in _OURS.finditer(text):
        codes = tuple(code.upper() for code in _CODE.findall(found["codes"] or ""))
        if found["codes"] is not None and not codes:
            continue
        start, end = column + found.start(), column + found.end()
        yield Suppression(line, start, end, codes, whole_file=found["file"] is not None)
    for found in _NOQA.finditer(text):
        codes = tuple(code.upper() for code in _CODE.findall(found["codes"] or ""))
        start, end = column + found.start(), column + found.end()
        yield Suppression(line, start, end, codes, is_noqa=True)


def _backslashes(source: Source) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(source.lines, 1):
        if line.endswith("\\") and number < len(source.lines):
            yield number, number + 1


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)
