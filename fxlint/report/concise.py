"""One line a finding: what grep and editors read."""

from __future__ import annotations

from collections.abc import Iterable

from fxlint.model.finding import Finding
from fxlint.model.span import Place


def where(place: Place) -> str:
    """`file:line:column`, with the cell in between for a notebook (line and column are 1-based)."""
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{place.path}:{cell}{place.span.line}:{place.span.column + 1}"


def render_concise(findings: Iterable[Finding]) -> str:
    """`net.py:12:8: FX101 message` for each finding."""
    return "".join(f"{where(finding.place)}: {finding.code} {finding.message}\n" for finding in findings)
