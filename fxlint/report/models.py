"""What `fxlint models` says, for people: one line a class, and a count of verdicts at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fxlint.model.finding import ModelReport, ModelVerdict
from fxlint.report.concise import where
from fxlint.report.paint import VERDICT_COLOURS, Paint

SHOWN_SITES = 3


def render_models(reports: Sequence[ModelReport], paint: Paint, *, verbose: bool = False) -> str:
    """A line for each class with its first sites (all of them, and what stayed unresolved, when `verbose`)."""
    wide = max((len(report.verdict.value) for report in reports), default=0)
    lines: list[str] = []
    for report in reports:
        verdict = paint(f"{report.verdict.value:<{wide}}", VERDICT_COLOURS[report.verdict])
        lines.append(f"{verdict}  {paint(report.name, 'bold')}  {where(report.place)}")
        shown = report.sites if verbose else report.sites[:SHOWN_SITES]
        if report.verdict in (ModelVerdict.UNTRACEABLE, ModelVerdict.CONDITIONAL) or verbose:
            indent = " " * (wide + 2)
            lines.extend(f"{indent}{where(site.place)}: {site.code} {site.message}" for site in shown)
            if len(report.sites) > len(shown):
                lines.append(f"{indent}and {len(report.sites) - len(shown)} more")
        if verbose:
            lines.extend(f"{' ' * (wide + 2)}unresolved: {text}" for text in report.unresolved)
    return "".join(line + "\n" for line in lines)


def models_summary(reports: Sequence[ModelReport], files: int) -> str:
    """The last line for people."""
    among = f"in {files} file{'' if files == 1 else 's'}"
    if not reports:
        return f"no module classes {among}"
    counts = Counter(report.verdict for report in reports)
    parts = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in ModelVerdict if counts[verdict])
    return f"{len(reports)} module class{'' if len(reports) == 1 else 'es'} {among}: {parts}"
