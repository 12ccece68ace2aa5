"""The rules' pages are run: torch does what they say it does, and so does fxlint.

Each bad example is refused by the installed torch in the quoted words, or traces into the quoted graph, which then is
not the program in the stated aspect. Each good example traces and is the program in every aspect that
`torchtruth` knows. fxlint finds exactly the page's code in a bad example and nothing in a good one.
"""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import Path

import pytest

from fxlint.engine import check_sources
from fxlint.model.config import Config
from fxlint.model.finding import Effect, Finding
from fxlint.syntax.source import Source
from tests.rules.pages import Example, examples, page
from tests.torchtruth import PRELUDE, Program, Refusal, refusal_of

REFUSED = [example for example in examples(bad=True) if "differs" not in example.flags]
BAKED = [example for example in examples(bad=True) if "differs" in example.flags]
GOOD = examples(bad=False)
SEEN = [example for example in GOOD if "tracer" not in example.flags]


def text_of(example: Example) -> str:
    return PRELUDE + "\n\n" + example.source


def layout_free(text: str) -> str:
    return ast.unparse(ast.parse(text))


@pytest.mark.parametrize("example", REFUSED, ids=str)
def test_torch_refuses_a_bad_example_as_quoted(example: Example, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        refusal = refusal_of(text_of(example), tmp_path)
    assert refusal is not None, "the example traces"
    assert refusal.text.strip().splitlines()[0] in page(example.rule).quotations
    if example.rule.says is not None:
        assert re.search(example.rule.says, str(refusal.exception))


@pytest.mark.parametrize("example", BAKED, ids=str)
def test_torch_bakes_a_bad_example_as_shown(example: Example, tmp_path: Path) -> None:
    with Program(text_of(example), tmp_path) as program:
        graph = program.trace(program.net())
        assert layout_free(graph.code) == layout_free(page(example.rule).graphs[example.number])
        if example.flags["differs"] == "error":
            errors = [Refusal(error).text.strip().splitlines()[0] for error in program.errors(graph)]
            assert set(errors) & set(page(example.rule).quotations)
    with Program(text_of(example), tmp_path) as program:
        assert example.flags["differs"] in program.differences()


@pytest.mark.parametrize("example", GOOD, ids=str)
def test_a_good_example_traces_and_is_the_program(example: Example, tmp_path: Path) -> None:
    allowed = {"dce"} if "keeps-dead-code" in example.flags else set()
    with Program(text_of(example), tmp_path) as program:
        assert program.differences() <= allowed


@pytest.mark.parametrize("example", REFUSED + BAKED, ids=str)
def test_fxlint_finds_a_bad_example(example: Example) -> None:
    hard = "differs" not in example.flags
    found = {finding.code for finding in findings(example) if (finding.effect is Effect.UNTRACEABLE) is hard}
    assert found - set(example.flags.get("also", "").split(",")) == {example.rule.code}


@pytest.mark.parametrize("example", SEEN, ids=str)
def test_fxlint_is_silent_on_a_good_example(example: Example) -> None:
    allowed = set(example.flags.get("also", "").split(","))
    assert [finding for finding in findings(example) if finding.code not in allowed] == []


def findings(example: Example) -> tuple[Finding, ...]:
    """What fxlint finds, with the settings that the page gives it."""
    config = Config(
        concrete_args=tuple(filter(None, example.flags.get("concrete-args", "").split(","))),
        leaf_modules=tuple(filter(None, example.flags.get("leaf-modules", "").split(","))),
    )
    result = check_sources([Source("example.py", text_of(example))], config)
    assert not result.crashes
    return result.findings
