"""Whether fxlint and torch agree on random programs: `python -m tests.differential.compare --count 20000 --seed 1`.

torch is asked with a real trace. Where it refuses at a line, an untraceable finding must cover that line; where it
traces, no untraceable finding may claim otherwise. Two views of fxlint are held against it:

    check    constructor arguments are open, so a program that has some is held against what `check` misses only; a
             finding with a condition claims nothing about a trace in which the condition may not hold
    models   constructor defaults are constants, `make_model()` uses just them, and the model is in eval mode, so that
             the verdict is exact

Kinds of disagreement:

    missed         torch refuses at a line that no finding covers
    false          a finding without a condition is on a line that ran without refusing, or that never ran though the
                   trace went through
    models missed  torch refuses at a line that no site of the model covers
    models false   the verdict is "untraceable" of a program that torch traces
    crash          fxlint failed
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from fxlint import engine
from fxlint.model.finding import Effect, Finding, ModelVerdict

from .generate import Program, generate
from .shrink import shrink
from .truth import Truth, ask

BATCH = 100
ROOT = "Net"


@dataclass(frozen=True)
class Disagreement:
    """One program on which fxlint and torch do not say the same; `group` names what looks like the same cause."""

    seed: int
    kind: str
    group: str
    line: int | None
    text: str


@dataclass
class Tally:
    """What a run has seen."""

    programs: int = 0
    invalid: int = 0
    traced: int = 0
    undecided: int = 0
    found: list[Disagreement] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.programs += other.programs
        self.invalid += other.invalid
        self.traced += other.traced
        self.undecided += other.undecided
        self.found += other.found

    @property
    def disagreeing(self) -> int:
        """How many programs, whatever the number of ways."""
        return len({one.seed for one in self.found})

    @property
    def share(self) -> float:
        return self.disagreeing / max(self.programs, 1)


@dataclass(frozen=True)
class Said:
    """What fxlint says of one program."""

    findings: tuple[Finding, ...]
    verdict: ModelVerdict | None
    sites: tuple[Finding, ...]
    crash: str = ""


def lint(texts: Sequence[str]) -> list[Said]:
    """fxlint's word on many programs in one run."""
    with tempfile.TemporaryDirectory(prefix="fxlint-differential-") as folder:
        paths = [Path(folder) / f"program_{index}.py" for index in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        checked = engine.check([folder])
        shipped = engine.models([folder])
    crashes = [crash.detail for crash in (*checked.crashes, *shipped.crashes)]
    findings: dict[str, list[Finding]] = {path.stem: [] for path in paths}
    for finding in checked.findings:
        if finding.effect is Effect.UNTRACEABLE and any(root.rpartition(".")[2] == ROOT for root in finding.roots):
            findings[Path(finding.place.path).stem].append(finding)
    reports = {
        Path(report.place.path).stem: report for report in shipped.reports if report.name.rpartition(".")[2] == ROOT
    }
    said = []
    for path in paths:
        report = reports.get(path.stem)
        sites = tuple(site for site in report.sites if site.effect is Effect.UNTRACEABLE) if report else ()
        said.append(
            Said(tuple(findings[path.stem]), report.verdict if report else None, sites, crashes[0] if crashes else "")
        )
    return said


def judge(program: Program, truth: Truth, said: Said) -> Iterator[Disagreement]:
    """In which ways fxlint and torch differ on one program."""
    lines = program.text.splitlines()

    def differ(kind: str, group: str, line: int | None) -> Disagreement:
        return Disagreement(program.seed, kind, group, line, program.text)

    if said.crash:
        yield differ("crash", said.crash.strip().splitlines()[-1], None)
        return
    for refusal in truth.refusals:
        source = lines[refusal.line - 1].strip() if refusal.line else ""
        group = f"{_normal(refusal.error)} | {_shape_of(source)}"
        if not _covers(said.findings, refusal.line):
            yield differ("missed", group, refusal.line)
        if not refusal.training and not _covers(said.sites, refusal.line):
            yield differ("models missed", group, refusal.line)
    if truth.traced and said.verdict is ModelVerdict.UNTRACEABLE:
        certain = [site for site in said.sites if site.condition is None]
        yield differ("models false", certain[0].code, certain[0].place.span.line)
    if program.exact:
        yield from _false(program, truth, said, differ)


def _false(
    program: Program, truth: Truth, said: Said, differ: Callable[[str, str, int | None], Disagreement]
) -> Iterator[Disagreement]:
    """Findings that the real traces deny."""
    steady = _run_once(program.text)
    refused = {line for refusal in truth.refusals for line in refusal.around}
    for finding in said.findings:
        span = finding.place.span
        if finding.condition is not None or any(span.covers(line) for line in refused):
            continue
        if span.line not in truth.executed:
            if not refused:
                yield differ("false", f"{finding.code} without a condition on a line that did not run", span.line)
        elif not refused or span.line in steady:
            # Where the trace stopped early, a line that may run again could still have refused.
            yield differ("false", f"{finding.code} on a line that ran", span.line)


def _covers(findings: Sequence[Finding], line: int | None) -> bool:
    return any(line is None or finding.place.span.covers(line) for finding in findings)


def _normal(error: str) -> str:
    return re.sub(r"\d+", "N", error.splitlines()[0])[:90]


def _shape_of(source: str) -> str:
    """The construct of a line, for grouping."""
    word = re.match(r"(if|elif|while|for|assert|return|raise|def|with)\b", source)
    return word[0] if word else "statement"


def _run_once(text: str) -> frozenset[int]:
    """Lines of the root's forward that run at most once: outside loops, comprehensions and nested functions."""
    found: set[int] = set()

    def visit(statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if isinstance(statement, (ast.For, ast.While, ast.FunctionDef)):
                continue
            found.add(statement.lineno)
            if any(isinstance(node, (ast.comprehension, ast.Lambda)) for node in ast.walk(statement)):
                found.discard(statement.lineno)
            for name in ("body", "orelse", "finalbody"):
                visit(getattr(statement, name, ()))

    for node in ast.parse(text).body:
        if isinstance(node, ast.ClassDef) and node.name == ROOT:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    visit(method.body)
    return frozenset(found)


def compare(seeds: Sequence[int]) -> Tally:
    """Judge the programs of some seeds."""
    torch.set_num_threads(1)
    tally = Tally()
    programs = [generate(seed) for seed in seeds]
    truths = [ask(program.text) for program in programs]
    valid = [(program, truth) for program, truth in zip(programs, truths, strict=True) if truth is not None]
    tally.invalid = len(programs) - len(valid)
    for (program, truth), said in zip(valid, lint([program.text for program, _ in valid]), strict=True):
        tally.programs += 1
        tally.traced += truth.traced
        tally.undecided += said.verdict in (ModelVerdict.UNKNOWN, ModelVerdict.CONDITIONAL)
        tally.found += judge(program, truth, said)
    return tally


def smaller(one: Disagreement) -> Disagreement:
    """The same disagreement on a smaller program."""

    def still(text: str) -> bool:
        try:
            truth = ask(text)
        except Exception:
            return False
        if truth is None:
            return False
        program = Program(one.seed, text, exact=True)
        return any(
            (other.kind, other.group) == (one.kind, one.group) for other in judge(program, truth, lint([text])[0])
        )

    text = shrink(one.text, still)
    truth = ask(text)
    assert truth is not None
    program = Program(one.seed, text, exact=True)
    for other in judge(program, truth, lint([text])[0]):
        if (other.kind, other.group) == (one.kind, one.group):
            return other
    return one


def groups(tally: Tally) -> list[list[Disagreement]]:
    """The disagreements that look alike, the commonest kind first."""
    alike: dict[tuple[str, str], list[Disagreement]] = {}
    for one in tally.found:
        alike.setdefault((one.kind, one.group), []).append(one)
    return sorted(alike.values(), key=len, reverse=True)


def summary(tally: Tally) -> str:
    """The figures, and the seeds of each kind of disagreement."""
    lines = [
        f"{tally.programs} programs ({tally.invalid} more not valid in eager mode), {tally.traced} trace; "
        f"models left {tally.undecided} undecided; {tally.disagreeing} disagree ({tally.share:.2%})"
    ]
    for alike in groups(tally):
        seeds = " ".join(str(one.seed) for one in alike[:8])
        lines.append(f"{len(alike):4} x {alike[0].kind}: {alike[0].group} (seeds {seeds})")
    return "\n".join(lines)


def shown(one: Disagreement) -> str:
    """The program of a disagreement, with its line marked."""
    lines = [f"== {one.kind}: {one.group} (seed {one.seed})"]
    for number, text in enumerate(one.text.splitlines(), 1):
        lines.append(f" {'>' if number == one.line else ' '} {text}")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.compare", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="number of programs")
    parser.add_argument("--seed", type=int, default=1, help="the first program's seed")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--examples", type=int, default=1, help="small programs to show for each cause")
    parser.add_argument("--limit", type=float, default=0.005, help="the share of disagreements that is a failure")
    options = parser.parse_args(argv)
    seeds = range(options.seed, options.seed + options.count)
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    tally = Tally()
    started = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for part in pool.imap_unordered(compare, batches):
            tally.add(part)
            print(f"\r{tally.programs} programs, {tally.disagreeing} disagree", end="", file=sys.stderr, flush=True)
    print(f"\r{time.perf_counter() - started:.0f} s", file=sys.stderr)
    tally.found.sort(key=lambda one: one.seed)
    print(summary(tally), flush=True)
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        first = [one for alike in groups(tally) for one in alike[: options.examples]]
        for one in pool.imap(smaller, first):
            print("\n" + shown(one), flush=True)
    return int(tally.share > options.limit)


if __name__ == "__main__":
    sys.exit(main())
