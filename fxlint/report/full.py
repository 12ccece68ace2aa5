"""A finding for a person: the line with its mark, how the value came here, why torch.fx cannot, what to do.

net.py:12:12: error[FX101] `mask.any()` is a Proxy, so this `if` cannot be decided while tracing
   |
12 |         if mask.any():
   |            ^^^^^^^^^^
   |
   because  net.py:8:9    `mask` comes from the input `x`
   why      symbolic_trace runs forward once, with stand-ins that hold no numbers
   help     select with torch.where
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator

from fxlint.model.finding import Effect, Finding
from fxlint.model.span import Span
from fxlint.report.concise import where
from fxlint.report.paint import SEVERITY_COLOURS, Paint, visible, width

# The text of a line of a file: path, cell, 1-based line.
LineText = Callable[[str, "int | None", int], str]

SHOWN_LINES = 4
SHOWN_COLUMNS = 120
SHOWN_ROOTS = 3
TEXT_WIDTH = 110
_LABEL = 9


def render_full(findings: Iterable[Finding], line_text: LineText, paint: Paint) -> str:
    """Every finding with its frame, an empty line after each."""
    return "".join(render_one(finding, line_text, paint) + "\n" for finding in findings)


def render_one(finding: Finding, line_text: LineText, paint: Paint) -> str:
    """One finding in full."""
    colour = SEVERITY_COLOURS[finding.severity]
    label = paint(f"{finding.severity.value}[{finding.code}]", "bold", colour)
    head = f"{paint(where(finding.place), 'bold')}: {label} {paint(visible(finding.message), 'bold')}"
    gutter = len(str(_last_shown(finding.place.span)))
    lines = [head, *_frame(finding, line_text, paint, gutter)]
    for label, texts in _parts(finding):
        for number, text in enumerate(texts):
            lines.extend(_labelled(label if number == 0 else "", text, gutter, paint))
    return "\n".join(lines) + "\n"


def _parts(finding: Finding) -> Iterator[tuple[str, list[str]]]:
    steps = [(where(step.place), step.message) for step in finding.because]
    wide = max((len(place) for place, _ in steps), default=0)
    yield "because", [f"{place:<{wide}}  {message}" for place, message in steps]
    if finding.condition:
        yield "only if", [f"`{finding.condition}`"]
    yield "why", [finding.why] if finding.why else []
    yield "help", list(finding.help)
    if finding.effect is not Effect.PRACTICE and finding.roots:
        more = len(finding.roots) - SHOWN_ROOTS
        yield "traced", [", ".join(finding.roots[:SHOWN_ROOTS]) + (f" and {more} more" if more > 0 else "")]


def _labelled(label: str, text: str, gutter: int, paint: Paint) -> Iterator[str]:
    indent = " " * (gutter + 1)
    wrapped = textwrap.wrap(visible(text), TEXT_WIDTH, break_long_words=False, break_on_hyphens=False) or [""]
    for number, line in enumerate(wrapped):
        yield f"{indent}{paint(f'{label if number == 0 else str():<{_LABEL}}', 'cyan')}{line}"


def _last_shown(span: Span) -> int:
    return span.end_line


def _frame(finding: Finding, line_text: LineText, paint: Paint, gutter: int) -> Iterator[str]:
    span = finding.place.span
    bar = paint(" " * (gutter + 1) + "|", "blue")
    yield bar
    colour = SEVERITY_COLOURS[finding.severity]
    for number in _shown(span):
        if number is None:
            yield paint(" " * gutter + " ...", "blue")
            continue
        text = line_text(finding.place.path, finding.place.cell, number)
        start = span.column if number == span.line else len(text) - len(text.lstrip())
        end = span.end_column if number == span.end_line else len(text.rstrip())
        shown, before, marked = _window(text, start, max(end, start))
        yield f"{paint(f'{number:>{gutter}} |', 'blue')} {shown}".rstrip()
        yield f"{bar} {' ' * before}{paint('^' * max(marked, 1), 'bold', colour)}"
    yield bar


def _shown(span: Span) -> Iterator[int | None]:
    """The lines to show of a span; None stands for those left out."""
    if span.end_line - span.line < SHOWN_LINES:
        yield from range(span.line, span.end_line + 1)
        return
    yield from range(span.line, span.line + SHOWN_LINES - 2)
    yield None
    yield span.end_line


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """A line cut around its mark: the text to show, the columns before the mark, and the columns of the mark."""
    left = 0 if end <= SHOWN_COLUMNS else max(start - SHOWN_COLUMNS // 4, 0)
    right = min(left + SHOWN_COLUMNS, len(text))
    end = min(end, right)
    dots_before, dots_after = "…" if left else "", "…" if right < len(text) else ""
    # Tabs take their width from where they stand, so the text up to a point is measured as one piece.
    upto = [visible(text[left:at]) for at in (start, max(end, start), right)]
    before, until = width(upto[0]), width(upto[1])
    return dots_before + upto[2] + dots_after, len(dots_before) + before, until - before
