"""What torch does with a generated program: the verdict of record, the failing lines, and the lines that ran.

truth = ask(program.text)      None: not valid in eager mode
truth.traced                   whether torch.fx.symbolic_trace returned for the model in eval mode
truth.refusals                 the refusals in eval mode and in training mode
truth.executed                 the lines that ran while tracing, in either mode
"""

from __future__ import annotations

import contextlib
import io
import linecache
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

import torch
import torch.fx
from torch.fx import _symbolic_trace

NAME = "<generated program>"
SECONDS = 10.0


@dataclass(frozen=True)
class Refusal:
    """What stopped a trace: the last line of the program in the traceback (None: no line of it), and the exception.

    `around` are the other lines of the program that were at work: its callers, and the same of exceptions during whose
    handling this one was raised.
    """

    training: bool
    line: int | None
    error: str
    around: frozenset[int]


@dataclass(frozen=True)
class Truth:
    """Real traces of one program in both modes."""

    traced: bool
    refusals: tuple[Refusal, ...]
    executed: frozenset[int]


def ask(text: str) -> Truth | None:
    """Run the program in eager mode, then trace fresh models of it."""
    functions = dict(_symbolic_trace._wrapped_fns_to_patch)
    methods = list(_symbolic_trace._wrapped_methods_to_patch)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return _ask(text)
    finally:
        _symbolic_trace._wrapped_fns_to_patch.clear()
        _symbolic_trace._wrapped_fns_to_patch.update(functions)
        _symbolic_trace._wrapped_methods_to_patch[:] = methods


def _ask(text: str) -> Truth | None:
    # dataclasses and NamedTuple look their module up.
    module = type(sys)("_generated_program")
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, NAME, "exec"), module.__dict__)
        torch.manual_seed(0)
        make_model = module.__dict__["make_model"]
        try:
            with torch.no_grad(), _deadline():
                make_model().eval()(*module.__dict__["example_inputs"]())
        except Exception:
            return None
        executed: set[int] = set()
        first = trace(make_model().eval(), NAME, executed)
        second = trace(make_model().train(), NAME, executed)
        refusals = tuple(refusal for refusal in (first, second) if refusal is not None)
        return Truth(first is None, refusals, frozenset(executed))
    finally:
        del sys.modules[module.__name__]


@contextlib.contextmanager
def _deadline() -> Iterator[None]:
    """Interrupt a program that does not end, such as one that was cut to pieces by the shrinker."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def trace(model: torch.nn.Module, name: str, executed: set[int]) -> Refusal | None:
    """Trace a model whose code was compiled under the file name `name`, and note its lines that run."""
    with _watched(name, executed):
        try:
            torch.fx.symbolic_trace(model)
        except Exception as error:
            lines = _lines(error, name)
            text = f"{type(error).__name__}: {error}"
            around = frozenset(lines).union(*(_lines(each, name) for each in _contexts(error)))
            return Refusal(model.training, lines[-1] if lines else None, text, around)
    return None


def _contexts(error: BaseException) -> Iterator[BaseException]:
    before = error.__context__
    while before is not None:
        yield before
        before = before.__context__


def _lines(error: BaseException, name: str) -> list[int]:
    """The lines of the file in the traceback."""
    return [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == name]


@contextlib.contextmanager
def _watched(name: str, executed: set[int]) -> Any:
    def local(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        if event == "line":
            executed.add(frame.f_lineno)
        return local

    def enter(frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        return local if frame.f_code.co_filename == name else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        yield
    finally:
        sys.settrace(before)
        linecache.clearcache()
