"""Findings as JSON: one array, with ruff's keys and ours. Tools depend on every key, so none is ever left out.

Rows and columns are 1-based and count code points.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from fxlint.model.finding import Edit, Finding, Fix, ModelReport
from fxlint.model.span import Place

Json = dict[str, Any]


def finding_to_json(finding: Finding) -> Json:
    """One finding with every key of the contract."""
    span = finding.place.span
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.place.path,
        "location": _position(span.line, span.column),
        "end_location": _position(span.end_line, span.end_column),
        "severity": finding.severity.value,
        "effect": finding.effect.value,
        "symbol": finding.symbol,
        "roots": list(finding.roots),
        "because": [
            {"filename": step.place.path, "location": _start(step.place), "message": step.message}
            for step in finding.because
        ],
        "condition": finding.condition,
        "why": finding.why,
        "help": list(finding.help),
        "confidence": finding.confidence,
        "fix": None if finding.fix is None else _fix(finding.fix),
        "url": None,
        "noqa_row": finding.noqa_line,
        "cell": finding.place.cell,
        "verdict": {"status": finding.verdict.status.value, "detail": finding.verdict.detail},
        "fingerprint": finding.fingerprint,
    }


def model_to_json(report: ModelReport) -> Json:
    """One module class with its verdict."""
    return {
        "class": report.name,
        "filename": report.place.path,
        "location": _start(report.place),
        "verdict": report.verdict.value,
        "sites": [
            {"code": site.code, "filename": site.place.path, "location": _start(site.place)} for site in report.sites
        ],
        "unresolved": list(report.unresolved),
    }


def render_json(findings: Iterable[Finding]) -> str:
    """All findings as one array."""
    return _array(finding_to_json(finding) for finding in findings)


def render_json_lines(findings: Iterable[Finding]) -> str:
    """One object a line, so that a reader can start before the end."""
    return "".join(json.dumps(finding_to_json(finding)) + "\n" for finding in findings)


def render_models_json(reports: Iterable[ModelReport]) -> str:
    """All verdicts as one array."""
    return _array(model_to_json(report) for report in reports)


def _array(items: Iterable[Json]) -> str:
    return json.dumps(list(items), indent=2) + "\n"


def _position(line: int, column: int) -> Json:
    return {"row": line, "column": column + 1}


def _start(place: Place) -> Json:
    return _position(place.span.line, place.span.column)


def _fix(fix: Fix) -> Json:
    return {"applicability": fix.safety.value, "message": fix.title, "edits": [_edit(edit) for edit in fix.edits]}


def _edit(edit: Edit) -> Json:
    span = edit.span
    return {
        "content": edit.content,
        "location": _position(span.line, span.column),
        "end_location": _position(span.end_line, span.end_column),
    }
