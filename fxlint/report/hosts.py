"""Formats that code hosts and CI servers read: GitHub annotations, GitLab code quality, JUnit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from fxlint.model.finding import Finding, Severity
from fxlint.report.concise import where

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}
# XML 1.0 has no way to write these, not even escaped.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def render_github(findings: Iterable[Finding]) -> str:
    """Workflow commands, which GitHub shows as annotations on the changed lines."""
    return "".join(_github(finding) for finding in findings)


def _github(finding: Finding) -> str:
    span = finding.place.span
    fields = {
        "title": f"fxlint {finding.code} ({finding.name})",
        "file": finding.place.path,
        "line": str(span.line),
        "col": str(span.column + 1),
        "endLine": str(span.end_line),
        "endColumn": str(span.end_column + 1),
    }
    written = ",".join(f"{key}={_property(value)}" for key, value in fields.items())
    text = "\n".join((finding.message, *finding.help))
    return f"::{_GITHUB[finding.severity]} {written}::{_data(f'{where(finding.place)}: {finding.code} {text}')}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render_gitlab(findings: Iterable[Finding]) -> str:
    """A code quality report. GitLab drops an entry whose fingerprint it has seen, so the file is part of it."""
    entries = []
    for finding in findings:
        span = finding.place.span
        entries.append(
            {
                "check_name": finding.code,
                "description": f"{finding.code} ({finding.name}): {finding.message}",
                "severity": _GITLAB[finding.severity],
                "fingerprint": f"{finding.fingerprint}:{finding.place.path}",
                "location": {
                    "path": finding.place.path,
                    "lines": {"begin": span.line, "end": span.end_line},
                    "positions": {
                        "begin": {"line": span.line, "column": span.column + 1},
                        "end": {"line": span.end_line, "column": span.end_column + 1},
                    },
                },
            }
        )
    return json.dumps(entries, indent=2) + "\n"


def render_junit(findings: Iterable[Finding]) -> str:
    """One suite a file, one failed case a finding; a clean run is one suite with one passed case."""
    suites: list[str] = []
    total = 0
    for path, group in groupby(findings, key=lambda finding: finding.place.path):
        cases = [_case(finding) for finding in group]
        total += len(cases)
        count = f'tests="{len(cases)}" failures="{len(cases)}" errors="0"'
        suites.append(f"  <testsuite name={_attribute(path)} {count}>\n{''.join(cases)}  </testsuite>\n")
    if not suites:
        case = '    <testcase name="no findings" classname="fxlint"/>\n'
        suites.append(f'  <testsuite name="fxlint" tests="1" failures="0" errors="0">\n{case}  </testsuite>\n')
    head = f'<testsuites name="fxlint" tests="{max(total, 1)}" failures="{total}" errors="0">\n'
    return '<?xml version="1.0" encoding="utf-8"?>\n' + head + "".join(suites) + "</testsuites>\n"


def _case(finding: Finding) -> str:
    span = finding.place.span
    name = f"{finding.code} {finding.name}"
    body = escape(_xml("\n".join((f"{where(finding.place)}: {finding.message}", finding.why, *finding.help))))
    return (
        f"    <testcase name={_attribute(name)} classname={_attribute(finding.symbol or finding.place.path)}"
        f' line="{span.line}" column="{span.column + 1}">\n'
        f"      <failure message={_attribute(finding.message)}>{body}</failure>\n"
        "    </testcase>\n"
    )


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)


def _attribute(text: str) -> str:
    return quoteattr(_xml(text))
