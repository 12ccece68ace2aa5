"""The rules' pages as data: headings, examples and quotations, read from `docs/FXnnn.md`.

A fenced block is an example when its first word is `python`. The rest of its info string is for the tests:

    differs=ASPECT      tracing succeeds; the graph module differs in that aspect (see torchtruth)
    also=FXnnn          fxlint finds that code too
    concrete-args=NAME  fxlint's setting of that name, as is leaf-modules=NAME
    keeps-dead-code     a good example that dead-code elimination would break
    tracer              a good example for whoever traces: fxlint, which sees the module, still reports it
    graph               no example: the code of the graph module of the bad example at the same position
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from fxlint.rules.define import Rule
from fxlint.rules.registry import all_rules

HEADINGS = (
    "What it does",
    "Why is this bad?",
    "Example",
    "torch says",
    "Use instead",
    "Fix safety",
    "References",
)

_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A program of a page: `bad` ones stand under Example, good ones under Use instead."""

    rule: Rule
    bad: bool
    number: int
    source: str
    flags: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.rule.code}-{'bad' if self.bad else 'good'}{self.number}"


@dataclass(frozen=True)
class Page:
    """A rule's page."""

    rule: Rule
    text: str

    @cached_property
    def title(self) -> str:
        return self.text.split("\n", 1)[0]

    @cached_property
    def headings(self) -> tuple[str, ...]:
        outside = _FENCE.sub("", self.text)
        return tuple(re.findall(r"^## (.+)$", outside, re.MULTILINE))

    def section(self, heading: str) -> str:
        """The text under a heading."""
        parts = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))[heading]

    def examples(self, heading: str) -> list[Example]:
        """The programs under a heading."""
        found: list[Example] = []
        for match in _FENCE.finditer(self.section(heading)):
            word, *rest = match["info"].split() or [""]
            if word == "python" and "graph" not in rest:
                flags = {key: value for key, _, value in (item.partition("=") for item in rest)}
                found.append(Example(self.rule, heading == "Example", len(found), match["body"], flags))
        return found

    @cached_property
    def quotations(self) -> list[str]:
        """What torch says: the first lines of exceptions."""
        return [
            match["body"].strip() for match in _FENCE.finditer(self.section("torch says")) if match["info"] == "text"
        ]

    @cached_property
    def graphs(self) -> list[str]:
        """The generated code that the page shows, one for each bad example that traces."""
        fences = _FENCE.finditer(self.section("torch says"))
        return [match["body"].strip() for match in fences if match["info"] == "python graph"]


def page(rule: Rule) -> Page:
    """The page of a rule."""
    return Page(rule, rule.documentation())


def event_rules() -> list[Rule]:
    """The rules about programs, without those about fxlint's own comments and files."""
    return [rule for rule in all_rules() if rule.hooks]


def examples(bad: bool) -> list[Example]:
    """All bad, or all good, examples of all pages."""
    heading = "Example" if bad else "Use instead"
    return [example for rule in event_rules() for example in page(rule).examples(heading)]
