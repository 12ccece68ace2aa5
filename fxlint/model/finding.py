"""A finding: one place, one rule, and everything a person or an editor needs to act on it.

Every output (terminal, JSON, SARIF, editor) is a view of this one class, so nothing about a finding is computed twice.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from fxlint.model.span import Place, Span


class Effect(enum.Enum):
    """What happens to a program at a finding (the JSON contract prints the values)."""

    UNTRACEABLE = "untraceable"
    SILENT = "silent"
    BREAKS_LATER = "breaks-later"
    PRACTICE = "practice"


class Severity(enum.Enum):
    """How loud a finding is: `error`: tracing refuses; `info`: only a change of mode or a reload shows it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Safety(enum.Enum):
    """How far a fix may be trusted; `DISPLAY` is shown and never applied."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A rewrite as text edits of one file: sorted and disjoint."""

    title: str
    safety: Safety
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One link of the chain that explains a finding: a place, and what happens to the value there."""

    place: Place
    message: str


class VerdictStatus(enum.Enum):
    """What the worker says of a finding after running it."""

    NOT_RUN = "not-run"
    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_REACHED = "not-reached"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The worker's word on a finding, and why."""

    status: VerdictStatus = VerdictStatus.NOT_RUN
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """An event that a rule has named.

    `message` says what happens here, `because` how the value came here (nearest cause last), `why` what torch.fx cannot
    do, `help` what to do. `symbol` is the dotted name of the enclosing definition, `roots` the traced classes that
    lead here, `condition` the undecided test under which it happens. `noqa_line` is the line on which a suppression
    comment counts.
    """

    code: str
    name: str
    message: str
    place: Place
    severity: Severity
    effect: Effect
    why: str
    help: tuple[str, ...]
    because: tuple[Step, ...] = ()
    symbol: str = ""
    roots: tuple[str, ...] = ()
    condition: str | None = None
    noqa_line: int = 0
    fix: Fix | None = None
    verdict: Verdict = field(default_factory=Verdict)
    fingerprint: str = ""
    confidence: str = "high"


class ModelVerdict(enum.Enum):
    """What `fxlint models` says of a module class."""

    UNTRACEABLE = "untraceable"
    CONDITIONAL = "conditional"
    SPECIALISES = "specialises"
    TRACEABLE = "traceable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ModelReport:
    """One module class as shipped (constructor defaults as constants): its verdict, sites, what stayed unresolved."""

    name: str
    place: Place
    verdict: ModelVerdict
    sites: tuple[Finding, ...]
    unresolved: tuple[str, ...]
