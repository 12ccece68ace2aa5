"""What a Proxy answers where Python and the standard library ask it something.

Every question is an expression or a few statements in source form, run with `p` bound to a Proxy: the text is the key,
so that whoever reads the data sees exactly what was asked. The questions lie in a text file beside this one; the result
is the value of `r` after the statements.
"""

from __future__ import annotations

import contextlib
import io
import textwrap
from pathlib import Path
from typing import Any

import torch

from .ask import Question, ask

QUESTIONS = Path(__file__).with_name("questions.txt")
"""Expressions, one a line; then statements, separated by lines of dashes."""

PRELUDE = """
import abc, bisect, cmath, collections, contextlib, copy, dataclasses, decimal, enum, fractions, functools, heapq
import itertools, json, logging, math, numbers, operator, pickle, random, statistics, string, types, typing, warnings
import weakref
from math import ceil, floor, prod, sqrt
import math as m
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
"""


def python_facts() -> dict[str, str]:
    """The answers, in the order of the questions."""

    expressions, statements = QUESTIONS.read_text(encoding="utf-8").strip().split("\n===\n")
    sources = expressions.splitlines()
    questions = [_question(f"r = {source}", source) for source in sources]
    questions += [_question(source, source) for source in (part.strip() for part in statements.split("\n---\n"))]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return {question.pattern: ask([question])[question.pattern] for question in questions}


def _question(source: str, key: str) -> Question:
    # The statements are a function's body, as they are in a forward; `r` is what they leave.
    body = textwrap.indent(source, "    ")
    code = compile(f"{PRELUDE}\ndef asked(p):\n    r = None\n{body}\n    return r\n", "<question>", "exec")

    def run(p: Any) -> Any:
        scope: dict[str, Any] = {"__name__": "question", "torch": torch}
        exec(code, scope)
        return scope["asked"](p)

    return Question(key, run)
