"""Every output format on the same findings."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from fxlint.model.finding import (
    Edit,
    Effect,
    Finding,
    Fix,
    ModelReport,
    ModelVerdict,
    Safety,
    Severity,
    Step,
    Verdict,
    VerdictStatus,
)
from fxlint.model.span import Place, Span
from fxlint.report.formats import FORMATS, render, render_statistics
from fxlint.report.full import SHOWN_COLUMNS, render_full
from fxlint.report.jsons import render_models_json
from fxlint.report.models import models_summary, render_models
from fxlint.report.paint import Paint, summary

LINES = [
    "class Net:",
    "    def forward(self, x):",
    "\ty = '漢😀', len(x)",
    "        return f(",
    "            x,",
    "        )",
]
PLAIN = Paint()
FINDING = Finding(
    code="FX107",
    name="len-of-proxy",
    message="`len()` is asked of `x`",
    place=Place("a b/net.py", Span(3, 11, 3, 17)),
    severity=Severity.ERROR,
    effect=Effect.UNTRACEABLE,
    why="A Proxy has no length.",
    help=("Write `x.shape[0]`.",),
    because=(Step(Place("a b/net.py", Span(2, 22, 2, 23)), "`x` is an input"),),
    symbol="net.Net.forward",
    roots=("net.Net",),
    condition="self.use",
    noqa_line=3,
    fingerprint="0123456789abcdef",
)
SOFT = replace(
    FINDING,
    code="FX203",
    name="none-test",
    severity=Severity.WARNING,
    effect=Effect.SILENT,
    place=Place("z.ipynb", Span(1, 0, 1, 2), 4),
    condition=None,
    because=(),
)


def line_text(path: str, cell: int | None, line: int) -> str:
    return LINES[line - 1]


def rendered(name: str, *findings: Finding) -> str:
    return render(name, findings, line_text, PLAIN)


def test_full() -> None:
    assert rendered("full", FINDING) == (
        "a b/net.py:3:12: error[FX107] `len()` is asked of `x`\n"
        "  |\n"
        "3 |     y = '漢😀', len(x)\n"
        "  |                 ^^^^^^\n"
        "  |\n"
        "  because  a b/net.py:2:23  `x` is an input\n"
        "  only if  `self.use`\n"
        "  why      A Proxy has no length.\n"
        "  help     Write `x.shape[0]`.\n"
        "  traced   net.Net\n"
        "\n"
    )


def test_full_over_lines() -> None:
    text = rendered("full", replace(FINDING, place=Place("net.py", Span(4, 15, 6, 9))))
    marks = [line[4:] for line in text.splitlines() if "^" in line]
    assert marks == ["               ^^", "            ^^", "        ^"]
    long = replace(FINDING, place=Place("net.py", Span(1, 0, 6, 9)))
    assert "..." in rendered("full", long).splitlines()[6]


def test_full_cuts_a_long_line_around_its_mark() -> None:
    line = "a" * 500 + "len(x)" + "b" * 500
    finding = replace(FINDING, place=Place("net.py", Span(1, 500, 1, 506)))
    text = render_full([finding], lambda *_: line, PLAIN).splitlines()
    assert len(text[2]) < SHOWN_COLUMNS + 10
    start = text[3].index("^")
    assert text[2][start : start + 6] == "len(x)"
    assert text[3].count("^") == 6


def test_full_has_no_control_characters_of_the_source() -> None:
    text = render_full([replace(FINDING, message="\x1b[31m")], lambda *_: "x = '\x1b]0;title\x07'", PLAIN)
    assert not re.search("[\x00-\x09\x0b-\x1f]", text)


def test_colours_only_when_asked() -> None:
    assert "\x1b" not in rendered("full", FINDING)
    coloured = render("full", [FINDING], line_text, Paint(True))
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured).replace(" \n", "\n") == rendered("full", FINDING)


def test_concise() -> None:
    assert rendered("concise", FINDING, SOFT) == (
        "a b/net.py:3:12: FX107 `len()` is asked of `x`\nz.ipynb:cell 4:1:1: FX203 `len()` is asked of `x`\n"
    )


def test_grouped() -> None:
    assert rendered("grouped", FINDING, SOFT) == (
        "a b/net.py\n  3:12  FX107 `len()` is asked of `x`\n\nz.ipynb\n  cell 4:1:1  FX203 `len()` is asked of `x`\n"
    )


def test_json_has_every_key_of_the_contract() -> None:
    (entry, soft) = json.loads(rendered("json", FINDING, SOFT))
    assert entry == {
        "code": "FX107",
        "name": "len-of-proxy",
        "message": "`len()` is asked of `x`",
        "filename": "a b/net.py",
        "location": {"row": 3, "column": 12},
        "end_location": {"row": 3, "column": 18},
        "severity": "error",
        "effect": "untraceable",
        "symbol": "net.Net.forward",
        "roots": ["net.Net"],
        "because": [
            {"filename": "a b/net.py", "location": {"row": 2, "column": 23}, "message": "`x` is an input"},
        ],
        "condition": "self.use",
        "why": "A Proxy has no length.",
        "help": ["Write `x.shape[0]`."],
        "confidence": "high",
        "fix": None,
        "url": None,
        "noqa_row": 3,
        "cell": None,
        "verdict": {"status": "not-run", "detail": ""},
        "fingerprint": "0123456789abcdef",
    }
    assert soft.keys() == entry.keys()
    assert soft["cell"] == 4
    assert soft["condition"] is None


def test_json_of_a_fix_and_a_verdict() -> None:
    fix = Fix("Use `.shape[0]`", Safety.SAFE, (Edit(Span(3, 11, 3, 17), "x.shape[0]"),))
    verdict = Verdict(VerdictStatus.CONFIRMED, "raised")
    (entry,) = json.loads(rendered("json", replace(FINDING, fix=fix, verdict=verdict)))
    assert entry["fix"] == {
        "applicability": "safe",
        "message": "Use `.shape[0]`",
        "edits": [
            {"content": "x.shape[0]", "location": {"row": 3, "column": 12}, "end_location": {"row": 3, "column": 18}}
        ],
    }
    assert entry["verdict"] == {"status": "confirmed", "detail": "raised"}


def test_json_lines_are_the_entries_of_json() -> None:
    lines = rendered("json-lines", FINDING, SOFT).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(rendered("json", FINDING, SOFT))


def test_github_escapes() -> None:
    text = rendered("github", replace(FINDING, message="50%\nof: a, b", help=()))
    assert text == (
        "::error title=fxlint FX107 (len-of-proxy),file=a b/net.py,line=3,col=12,endLine=3,endColumn=18"
        "::a b/net.py:3:12: FX107 50%25%0Aof: a, b\n"
    )
    odd = replace(FINDING, place=Place("a,b:c.py", Span(1, 0, 1, 1)))
    assert "file=a%2Cb%3Ac.py,line" in rendered("github", odd)


def test_gitlab() -> None:
    entries = json.loads(rendered("gitlab", FINDING, SOFT))
    assert [entry["severity"] for entry in entries] == ["major", "minor"]
    assert entries[0]["location"]["path"] == "a b/net.py"
    assert entries[0]["location"]["lines"] == {"begin": 3, "end": 3}
    assert len({entry["fingerprint"] for entry in entries}) == 2


def test_junit_is_well_formed_whatever_the_text() -> None:
    root = ET.fromstring(rendered("junit", replace(FINDING, message='<a> & "b" \x00 ]]>'), SOFT).encode())
    assert root.attrib["failures"] == "2"
    assert [suite.attrib["name"] for suite in root] == ["a b/net.py", "z.ipynb"]
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.attrib["message"] == '<a> & "b" \ufffd ]]>'
    clean = ET.fromstring(rendered("junit").encode())
    assert (clean.attrib["tests"], clean.attrib["failures"]) == ("1", "0")


def test_sarif() -> None:
    log = json.loads(rendered("sarif", FINDING, SOFT))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["FX107", "FX203"]
    first, second = run["results"]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "FX107"
    physical = first["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "a%20b/net.py"
    assert physical["region"] == {"startLine": 3, "startColumn": 12, "endLine": 3, "endColumn": 18}
    assert len(first["codeFlows"][0]["threadFlows"][0]["locations"]) == 2
    assert second["level"] == "warning"
    assert "codeFlows" not in second
    assert second["locations"][0]["logicalLocations"] == [{"name": "cell 4", "kind": "module"}]


@pytest.mark.parametrize("name", FORMATS)
def test_no_findings(name: str) -> None:
    text = rendered(name)
    if name in ("json", "gitlab"):
        assert json.loads(text) == []
    elif name not in ("sarif", "junit"):
        assert text == ""


@pytest.mark.parametrize(
    ("findings", "files", "suppressed", "expected"),
    [
        ([], 1, 0, "no findings in 1 file"),
        ([], 2, 1, "no findings in 2 files (1 suppressed)"),
        ([FINDING], 12, 0, "1 untraceable finding in 12 files"),
        ([FINDING, FINDING, SOFT], 1, 0, "2 untraceable and 1 silent findings in 1 file"),
        (
            [FINDING, SOFT, replace(SOFT, effect=Effect.BREAKS_LATER)],
            1,
            0,
            "1 untraceable, 1 silent and 1 breaks-later findings in 1 file",
        ),
    ],
)
def test_summary(findings: list[Finding], files: int, suppressed: int, expected: str) -> None:
    assert summary(tuple(findings), files, suppressed) == expected


def test_statistics() -> None:
    assert render_statistics([SOFT, FINDING, SOFT], PLAIN) == (
        "2  FX203  none-test     silent\n1  FX107  len-of-proxy  untraceable\n"
    )


REPORTS = [
    ModelReport("net.Net", Place("net.py", Span(1, 6, 1, 9)), ModelVerdict.UNTRACEABLE, (FINDING,) * 5, ("`f`",)),
    ModelReport("net.Ok", Place("net.py", Span(9, 6, 9, 8)), ModelVerdict.TRACEABLE, (), ()),
]


def test_models_text() -> None:
    text = render_models(REPORTS, PLAIN).splitlines()
    assert text[0] == "untraceable  net.Net  net.py:1:7"
    assert text[1] == "             a b/net.py:3:12: FX107 `len()` is asked of `x`"
    assert text[4] == "             and 2 more"
    assert text[5] == "traceable    net.Ok  net.py:9:7"
    assert "unresolved: `f`" in render_models(REPORTS, PLAIN, verbose=True)
    assert models_summary(REPORTS, 1) == "2 module classes in 1 file: 1 untraceable, 1 traceable"
    assert models_summary([], 3) == "no module classes in 3 files"


def test_models_json() -> None:
    first, second = json.loads(render_models_json(REPORTS))
    assert first == {
        "class": "net.Net",
        "filename": "net.py",
        "location": {"row": 1, "column": 7},
        "verdict": "untraceable",
        "sites": [{"code": "FX107", "filename": "a b/net.py", "location": {"row": 3, "column": 12}}] * 5,
        "unresolved": ["`f`"],
    }
    assert second.keys() == first.keys()
