"""How often a loop's body is run: each known element up to a bound, then the join of the rest."""

from __future__ import annotations

from collections.abc import Iterator

from fxlint.interp import limits
from fxlint.interp.values import Seq, Value, join


def rounds(seq: Seq) -> Iterator[tuple[Value, bool]]:
    """Elements to run the body with, and whether that round surely happens exactly once."""
    yield from ((item, True) for item in seq.items[: limits.UNROLL])
    rest = list(seq.items[limits.UNROLL :])
    if seq.tail is not None:
        rest.append(seq.tail)
    if rest:
        yield join(*rest), False
