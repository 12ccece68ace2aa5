"""fxlint and torch agree on random programs (a bounded run; the long one is `python -m tests.differential.compare`)."""

from __future__ import annotations

import time

from . import compare
from .generate import generate
from .truth import ask

FIRST_SEED = 1
COUNT = 500
LIMIT = 0.005
SECONDS = 30.0


def test_programs_are_mostly_valid_and_about_half_of_them_trace() -> None:
    truths = [ask(generate(seed).text) for seed in range(150)]
    valid = [truth for truth in truths if truth is not None]
    assert len(valid) > 0.95 * len(truths)
    assert 0.3 < sum(truth.traced for truth in valid) / len(valid) < 0.7


def test_a_seed_gives_one_program() -> None:
    assert generate(7) == generate(7)


def test_fxlint_and_torch_agree() -> None:
    tally = compare.Tally()
    started = time.process_time()
    for start in range(FIRST_SEED, FIRST_SEED + COUNT, compare.BATCH):
        tally.add(compare.compare(range(start, start + compare.BATCH)))
        if time.process_time() - started > SECONDS:
            break
    assert tally.programs >= compare.BATCH // 2
    assert tally.share <= LIMIT, compare.summary(tally)
