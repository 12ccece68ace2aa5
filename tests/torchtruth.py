"""What torch itself does with a program: load it, trace it, and compare the graph module with eager.

fxlint's claims are claims about torch, so tests ask torch. A program is a source text that defines a module class `Net`
without constructor arguments, and perhaps:

    def inputs() -> list of argument tuples        (default: three matrices of 2, 5 and 1 rows, 4 columns)
    def trace(net) -> GraphModule                  (default: torch.fx.symbolic_trace)

`differences` says in which aspects the graph module is not the program:

    output      another value, shape, dtype, type or requires_grad
    error       the graph raises, eager does not
    lost-error  eager raises, the graph does not
    input       an argument is left in another state
    state       buffers or plain attributes are left in another state
    printed     other text goes to stdout
    grad        other gradients at the inputs
    saved       another number of tensors is kept for backward
    mode        another output after eval()
    reload      another output after new weights
    dce         another output after eliminate_dead_code()
    retrace     a second trace in the process raises (then no other aspect is looked at)
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import random
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
import torch.fx

PRELUDE = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
"""What examples may use without importing it."""

ROOT = "Net"


@contextlib.contextmanager
def unpoisoned() -> Iterator[None]:
    """Undo what the body registers with `torch.fx.wrap`, which is global to the process."""
    from torch.fx import _symbolic_trace

    functions = dict(_symbolic_trace._wrapped_fns_to_patch)
    methods = list(_symbolic_trace._wrapped_methods_to_patch)
    try:
        yield
    finally:
        _symbolic_trace._wrapped_fns_to_patch.clear()
        _symbolic_trace._wrapped_fns_to_patch.update(functions)
        _symbolic_trace._wrapped_methods_to_patch[:] = methods


@dataclass(frozen=True)
class Refusal:
    """The exception that tracing raised."""

    exception: BaseException

    @property
    def text(self) -> str:
        """The exception as a traceback's last line prints it, without the module of its class."""
        return f"{type(self.exception).__name__}: {self.exception}"


class Program:
    """A loaded source. Use as a context, so that nothing of it stays in the process."""

    def __init__(self, source: str, folder: Path, name: str = "program") -> None:
        self.path = folder / f"{name}.py"
        self.path.write_text(source, encoding="utf-8")
        self.module: ModuleType
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Program:
        self._stack.enter_context(unpoisoned())
        name = self.path.stem
        self.module = ModuleType(name)
        self.module.__file__ = str(self.path)
        sys.modules[name] = self.module
        self._stack.callback(sys.modules.pop, name, None)
        try:
            exec(compile(self.path.read_text(encoding="utf-8"), self.path, "exec"), vars(self.module))
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    def net(self) -> Any:
        """A fresh root; every one has the same weights."""
        seed(0)
        return getattr(self.module, ROOT)()

    def inputs(self) -> Iterable[tuple[Any, ...]]:
        """The argument tuples to call with, one after the other: a generator may change globals between calls."""
        seed(1)
        make: Callable[[], Iterable[tuple[Any, ...]]] | None = getattr(self.module, "inputs", None)
        if make is not None:
            return make()
        return [(torch.randn(rows, 4),) for rows in (2, 5, 1)]

    def trace(self, net: Any) -> Any:
        """The graph module of a root; raises what torch raises."""
        how: Callable[[Any], Any] = getattr(self.module, "trace", torch.fx.symbolic_trace)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            seed(2)
            return how(net)

    def refusal(self) -> Refusal | None:
        """The exception of tracing a fresh root, or None when it traces."""
        net = self.net()
        try:
            self.trace(net)
        except Exception as error:
            return Refusal(error)
        return None

    def errors(self, graph: Any) -> list[BaseException]:
        """What a graph module raises when it is called."""
        outcomes = [_call(graph, args, number) for number, args in enumerate(self.inputs())]
        return [outcome.error for outcome in outcomes if outcome.error is not None]

    def differences(self) -> set[str]:
        """The aspects in which the graph module is not the program."""
        net = self.net()
        eager = copy.deepcopy(net)
        graph = self.trace(net)
        if self.refusal() is not None:
            return {"retrace"}
        found = _calls(eager, graph, self.inputs())
        found |= _gradients(self._twins(), self.inputs())
        found |= self._later("mode", lambda module: module.eval())
        found |= self._later("dce", _without_dead_code)
        found |= self._later("reload", _reloaded(self.net()))
        return found

    def _twins(self) -> tuple[Any, Any]:
        return copy.deepcopy(self.net()), self.trace(self.net())

    def _later(self, aspect: str, change: Callable[[Any], Any]) -> set[str]:
        eager, graph = self._twins()
        if _calls(eager, graph, self.inputs()) & {"output", "error"}:
            return set()
        eager, graph = self._twins()
        change(eager)
        change(graph)
        return {aspect} if _calls(eager, graph, self.inputs()) & {"output", "error"} else set()


def refusal_of(source: str, folder: Path) -> Refusal | None:
    """The exception of loading and tracing a source, or None when it traces."""
    try:
        with Program(source, folder) as program:
            return program.refusal()
    except Exception as error:
        return Refusal(error)


def seed(number: int) -> None:
    """Set every source of random numbers that a program may use."""
    torch.manual_seed(number)
    random.seed(number)
    np.random.seed(number)


def _without_dead_code(module: Any) -> None:
    if isinstance(module, torch.fx.GraphModule):
        module.graph.eliminate_dead_code()
        module.recompile()


def _reloaded(net: Any) -> Callable[[Any], None]:
    seed(3)
    state = {}
    for name, value in net.state_dict().items():
        if value.dtype is torch.bool:
            state[name] = ~value
        else:
            state[name] = value + torch.rand(value.shape).to(value.dtype) + (0 if value.is_floating_point() else 1)
    return lambda module: module.load_state_dict(
        {name: value for name, value in state.items() if name in module.state_dict()}, strict=False
    )


@dataclass
class _Outcome:
    value: Any
    error: BaseException | None
    printed: str


def _call(module: Any, args: Sequence[Any], number: int) -> _Outcome:
    seed(100 + number)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = module(*args)
        except Exception as error:
            return _Outcome(None, error, out.getvalue())
    return _Outcome(value, None, out.getvalue())


def _calls(eager: Any, graph: Any, inputs: Iterable[tuple[Any, ...]]) -> set[str]:
    """Call both with the same arguments in turn, and compare all that can be seen."""
    found: set[str] = set()
    start = {name: value.clone() for name, value in eager.state_dict().items()}
    plain = _attributes(eager)
    for number, args in enumerate(inputs):
        ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
        one, other = _call(eager, ours, number), _call(graph, theirs, number)
        if (one.error is None) != (other.error is None):
            found.add("error" if one.error is None else "lost-error")
            continue
        if not same(one.value, other.value):
            found.add("output")
        if not same(ours, theirs):
            found.add("input")
        if one.printed != other.printed:
            found.add("printed")
    state = graph.state_dict()
    for name, value in eager.state_dict().items():
        now = state.get(name, start[name])
        if not same(value, now, grads=False):
            found.add("state")
    if _attributes(eager) != plain:
        found.add("state")
    return found


def _attributes(module: Any) -> str:
    """The plain attributes of a module and its submodules, as text."""
    texts = []
    for name, each in module.named_modules():
        if isinstance(each, torch.jit.ScriptModule):
            continue
        for key, value in sorted(vars(each).items()):
            if not key.startswith("_") and key != "training":
                texts.append(f"{name}.{key}={value!r}")
    return "\n".join(texts)


def _gradients(twins: tuple[Any, Any], inputs: Iterable[tuple[Any, ...]]) -> set[str]:
    found: set[str] = set()
    for number, args in enumerate(inputs):
        seen = []
        for module in twins:
            kept: list[Any] = []

            def keep(tensor: Any, kept: list[Any] = kept) -> Any:
                kept.append(tensor)
                return tensor

            leaves: list[Any] = []
            mine = _map(copy.deepcopy(args), lambda tensor: _leaf(tensor, leaves))  # noqa: B023 - used within the turn
            with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
                outcome = _call(module, mine, number)
            total = _total(outcome.value)
            try:
                if total is None or outcome.error is not None or not leaves:
                    raise RuntimeError("nothing to differentiate")
                grads = torch.autograd.grad(total, leaves, allow_unused=True)
            except RuntimeError:
                seen.append((None, 0))
            else:
                seen.append((grads, len(kept)))
        (one, kept_by_eager), (other, kept_by_graph) = seen
        if one is not None and other is not None:
            if not same(one, other):
                found.add("grad")
            if kept_by_eager != kept_by_graph:
                found.add("saved")
    return found


def _leaf(tensor: Any, leaves: list[Any]) -> Any:
    if not tensor.is_floating_point():
        return tensor
    leaf = tensor.detach().clone().requires_grad_()
    leaves.append(leaf)
    return leaf * 1  # not a leaf itself, so that in-place operations on it are allowed


def _total(value: Any) -> Any:
    tensors: list[Any] = []
    _map(value, lambda tensor: tensors.append(tensor) or tensor)  # type: ignore[func-returns-value]
    kept = [tensor.sum() for tensor in tensors if tensor.requires_grad and tensor.is_floating_point()]
    return sum(kept[1:], kept[0]) if kept else None


def _map(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_map(item, change) for item in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_map(item, change) for item in value)
    if isinstance(value, dict):
        return {key: _map(item, change) for key, item in value.items()}
    return value


def same(one: Any, other: Any, *, grads: bool = True) -> bool:
    """Whether two results are equal in type, shape, dtype, values and (unless told otherwise) in requires_grad."""
    if isinstance(one, torch.Tensor) or isinstance(other, torch.Tensor):
        return (
            isinstance(one, torch.Tensor)
            and isinstance(other, torch.Tensor)
            and one.shape == other.shape
            and one.dtype == other.dtype
            and (not grads or one.requires_grad == other.requires_grad)
            and torch.allclose(one.detach(), other.detach(), equal_nan=True)
        )
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return (
            type(one) is type(other)
            and len(one) == len(other)
            and all(same(a, b, grads=grads) for a, b in zip(one, other, strict=True))
        )
    if dataclasses.is_dataclass(one) and type(one) is type(other):
        return all(
            same(getattr(one, field.name), getattr(other, field.name), grads=grads) for field in dataclasses.fields(one)
        )
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key], grads=grads) for key in one)
    return type(one) is type(other) and bool(one == other)
