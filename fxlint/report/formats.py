"""The table of output formats: a name, and what turns a result's findings into text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fxlint.model.finding import Finding
from fxlint.report.concise import render_concise
from fxlint.report.full import LineText, render_full
from fxlint.report.grouped import render_grouped
from fxlint.report.hosts import render_github, render_gitlab, render_junit
from fxlint.report.jsons import render_json, render_json_lines
from fxlint.report.paint import Paint
from fxlint.report.sarif import render_sarif

FORMATS = ("full", "concise", "grouped", "json", "json-lines", "github", "gitlab", "junit", "sarif")
# Formats that people read; only these are followed by a summary.
FOR_PEOPLE = frozenset({"full", "concise", "grouped"})


def render(name: str, findings: Sequence[Finding], line_text: LineText, paint: Paint) -> str:
    """The findings in one of `FORMATS`."""
    match name:
        case "full":
            return render_full(findings, line_text, paint)
        case "concise":
            return render_concise(findings)
        case "grouped":
            return render_grouped(findings, paint)
        case "json":
            return render_json(findings)
        case "json-lines":
            return render_json_lines(findings)
        case "github":
            return render_github(findings)
        case "gitlab":
            return render_gitlab(findings)
        case "junit":
            return render_junit(findings)
        case "sarif":
            return render_sarif(findings)
    raise ValueError(f"unknown output format {name!r}")


def render_statistics(findings: Sequence[Finding], paint: Paint) -> str:
    """How often each rule found something, most often first."""
    counts = Counter((finding.code, finding.name, finding.effect.value) for finding in findings)
    if not counts:
        return ""
    wide = max(len(str(count)) for count in counts.values())
    names = max(len(name) for _, name, _ in counts)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(
        f"{count:>{wide}}  {paint(code, 'bold')}  {name:<{names}}  {effect}\n" for (code, name, effect), count in rows
    )
