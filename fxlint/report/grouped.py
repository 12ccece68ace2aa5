"""Findings under the name of their file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from fxlint.model.finding import Finding
from fxlint.report.paint import SEVERITY_COLOURS, Paint


def render_grouped(findings: Iterable[Finding], paint: Paint) -> str:
    """One block a file, one line a finding."""
    blocks: list[str] = []
    for path, group in groupby(findings, key=lambda finding: finding.place.path):
        rows = [(_position(finding), finding) for finding in group]
        wide = max(len(position) for position, _ in rows)
        lines = [paint(path, "bold")]
        for position, finding in rows:
            code = paint(finding.code, SEVERITY_COLOURS[finding.severity])
            lines.append(f"  {position:>{wide}}  {code} {finding.message}")
        blocks.append("".join(line + "\n" for line in lines))
    return "\n".join(blocks)


def _position(finding: Finding) -> str:
    span, cell = finding.place.span, finding.place.cell
    return f"{'' if cell is None else f'cell {cell}:'}{span.line}:{span.column + 1}"
