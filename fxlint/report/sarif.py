"""SARIF 2.1.0: results with their rules, and the chain of each as a code flow.

SARIF counts columns from 1; the run says that they are Unicode code points. A notebook's findings carry the lines of
their cell, and the cell as a logical location, because SARIF has no cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from fxlint import __version__
from fxlint.model.finding import Finding, Severity
from fxlint.model.span import Place
from fxlint.rules.define import Rule
from fxlint.rules.registry import rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}

Json = dict[str, Any]


def render_sarif(findings: Iterable[Finding]) -> str:
    """One run with all results."""
    findings = list(findings)
    codes = sorted({finding.code for finding in findings})
    driver: Json = {"name": "fxlint", "version": __version__, "rules": [_rule(rule(code)) for code in codes]}
    run: Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, codes.index(finding.code)) for finding in findings],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(about: Rule) -> Json:
    return {
        "id": about.code,
        "name": "".join(word.capitalize() for word in about.name.split("-")),
        "shortDescription": {"text": about.summary},
        "fullDescription": {"text": about.why},
        "help": {"text": about.documentation() if about.docs_path.is_file() else about.why},
        "defaultConfiguration": {"level": _LEVELS[about.severity]},
    }


def _result(finding: Finding, index: int) -> Json:
    result: Json = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join((finding.message, *finding.help))},
        "locations": [_location(finding.place)],
        "partialFingerprints": {"fxlint/v1": finding.fingerprint},
        "properties": {
            "effect": finding.effect.value,
            "symbol": finding.symbol,
            "roots": list(finding.roots),
            "condition": finding.condition,
        },
    }
    if finding.because:
        steps = [{"location": {**_location(step.place), "message": {"text": step.message}}} for step in finding.because]
        end = {"location": {**_location(finding.place), "message": {"text": finding.message}}}
        result["codeFlows"] = [{"threadFlows": [{"locations": [*steps, end]}]}]
    return result


def _location(place: Place) -> Json:
    span = place.span
    location: Json = {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(place.path)},
            "region": {
                "startLine": span.line,
                "startColumn": span.column + 1,
                "endLine": span.end_line,
                "endColumn": span.end_column + 1,
            },
        }
    }
    if place.cell is not None:
        location["logicalLocations"] = [{"name": f"cell {place.cell}", "kind": "module"}]
    return location


def _uri(path: str) -> str:
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix())
