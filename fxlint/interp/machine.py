"""The machine: the state of one abstract run, and the protocol through which its parts call each other.

    m.eval(node)             an expression's value
    m.truth(value, node)     True, False or None (undecided); asking a Proxy is an event
    m.iterate(value, node)   what a loop over it gives
    m.call(f, args, kwargs)  a call
    m.emit(hook, node)       a Proxy met a hook here

The parts are modules of plain functions that take the machine first. Control that leaves a path early travels as
`PathEnd`; control that stops the whole root travels as `Exhausted`.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fxlint.index.resolve import Resolver
from fxlint.interp import limits
from fxlint.interp.events import Event, Hook, RawSpan, RawStep
from fxlint.interp.heap import Delta, Heap, PathEnd
from fxlint.interp.values import Function, Instance, ModuleValue, Proxy, Scope, Seq, Unknown, Value
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile, Project
    from fxlint.interp.torch_model import TorchModel
    from fxlint.model.config import Config


class Exhausted(Exception):  # noqa: N818  (no error: the end of a root's budget)
    """A limit of the whole root was reached."""


@dataclass(slots=True)
class Handler:
    """A `try` that is running: the exception names it catches ("*" for all), and the paths that raised inside it."""

    catches: frozenset[str]
    depth: int
    deltas: list[Delta] = field(default_factory=list)
    raised: bool = False


@dataclass(slots=True)
class Loop:
    """A loop that is running: the paths that left its body early."""

    depth: int
    breaks: list[Delta] = field(default_factory=list)
    continues: list[Delta] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """One activation: of a function, a class body, or a file's top level. `call` is the calling node, in `caller`'s file."""

    scope: Scope
    module: ModuleFile
    symbol: str
    depth: int
    function: Function | None = None
    call: ast.AST | None = None
    caller: Frame | None = None
    receiver: Value | None = None
    returns: list[Value] = field(default_factory=list)
    exits: list[Delta] = field(default_factory=list)
    yields: list[Value] | None = None
    loops: list[Loop] = field(default_factory=list)
    index: int = 0


@dataclass(frozen=True, slots=True)
class Emission:
    """An event as a call summary keeps it: seen from the callee.

    `settled`: it lies in checked code at or below the callee, reached there through `steps`; otherwise whoever calls is charged.
    """

    event: Event
    steps: tuple[RawStep, ...]
    settled: bool


# What torch or Python raises at a hook, where it is not the TraceError (a ValueError) of most.
_RAISES: dict[Hook, str] = {
    Hook.LEN: "RuntimeError",
    Hook.TENSOR_DATA: "RuntimeError",
    Hook.API: "RuntimeError",
    Hook.COMPILED: "RuntimeError",
    Hook.NUMBER: "TypeError",
    Hook.INDEX: "TypeError",
    Hook.FORMAT: "TypeError",
    Hook.SLICE_REAL: "TypeError",
    Hook.SIZE_ARG: "TypeError",
    Hook.SETITEM: "TypeError",
    Hook.DELITEM: "TypeError",
    Hook.FOREIGN: "TypeError",
    Hook.DICT_KEY: "KeyError",
    Hook.UNREGISTERED_MODULE: "NameError",
    Hook.UNREGISTERED_PARAMETER: "NameError",
    Hook.ARGUMENT: "NotImplementedError",
}


class Machine:
    """State of one analysis: heap, frames, loaded modules, and the events of the root that is running."""

    def __init__(
        self,
        project: Project,
        torch: TorchModel,
        config: Config,
        *,
        constant_arguments: bool = False,
        resolver: Resolver | None = None,
    ) -> None:
        large = sum(len(module.source.text) for module in project.checked) > limits.LOADED
        self.resolver = resolver or Resolver(project, forget=large)
        self.project = project
        self.torch = torch
        self.config = config
        self.constant_arguments = constant_arguments
        self.heap = Heap()
        self.frames: list[Frame] = []
        self.handlers: list[Handler] = []
        self.definite: list[int] = []
        self.conditions: list[tuple[ast.AST | str, ModuleFile]] = []
        self.modules: dict[str, ModuleValue] = {}
        self.tracing = False
        self.root: Instance | None = None
        self.root_name = ""
        self.events: dict[tuple[Hook, RawSpan], Event] = {}
        self.captures: list[tuple[int, list[Emission]]] = []
        self.unresolved: set[str] = set()
        self.reads: set[str] = set()
        self.reached: set[str] = set()
        self.steps = 0
        self.budget = limits.STEPS_PER_MODULE
        self.root_budget = limits.STEPS_PER_ROOT
        self.memo: dict[object, tuple[Value, list[Emission]]] = {}
        self.alike: dict[Hashable, list[Instance]] = {}
        self.facts: dict[object, object] = {}
        self.keep: list[object] = []
        self.wrapped: set[tuple[str, str]] = set()
        self.tree: set[int] = set()
        self.misuses: list[Event] = []
        self.discarded: ast.AST | None = None
        self.loaded = 0

    def renewed(self) -> Machine:
        """A machine that knows what this one found, and holds none of its trees, values and summaries."""
        fresh = Machine(
            self.project,
            self.torch,
            self.config,
            constant_arguments=self.constant_arguments,
            resolver=self.resolver,
        )
        fresh.reached, fresh.misuses, fresh.root_budget = self.reached, self.misuses, self.root_budget
        for loaded in self.modules.values():
            loaded.module.forget()
        return fresh

    # ---- frames

    @property
    def frame(self) -> Frame:
        """The innermost activation."""
        return self.frames[-1]

    @contextlib.contextmanager
    def entered(self, frame: Frame) -> Iterator[Frame]:
        """Run with `frame` innermost."""
        frame.index = len(self.frames)
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()

    @contextlib.contextmanager
    def detached(self) -> Iterator[None]:
        """Run code of a file's top level: outside every branch, handler, condition and trace."""
        saved = (self.heap.journals, self.handlers, self.definite, self.conditions, self.tracing, self.captures)
        steps, budget = self.steps, self.budget
        self.heap.journals, self.handlers, self.definite, self.conditions = [], [], [], []
        self.tracing, self.captures = False, []
        self.steps, self.budget = 0, limits.STEPS_PER_MODULE
        try:
            yield
        finally:
            self.heap.journals, self.handlers, self.definite, self.conditions, self.tracing, self.captures = saved
            self.steps, self.budget = steps, budget

    @contextlib.contextmanager
    def under(self, condition: ast.AST | str) -> Iterator[None]:
        """Run a side of an undecided test; its text is made when an event wants it."""
        self.conditions.append((condition, self.frame.module))
        try:
            yield
        finally:
            self.conditions.pop()

    @property
    def condition(self) -> str | None:
        """Text of the innermost undecided test."""
        if not self.conditions:
            return None
        test, module = self.conditions[-1]
        return test if isinstance(test, str) else self.text(test, module)

    # ---- the protocol; each verb lives in a module of its own

    def eval(self, node: ast.expr) -> Value:
        """Value of an expression."""
        self.steps += 1
        if self.steps > self.budget:
            raise Exhausted
        return EVALUATE[type(node)](self, node)

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Execute statements; False when the path does not arrive at the end."""
        for statement in body:
            self.steps += 1
            if self.steps > self.budget:
                raise Exhausted
            try:
                if not EXECUTE[type(statement)](self, statement):
                    return False
            except PathEnd as end:
                if (end.believed and self.definite) or not self._forgives(statement):
                    raise
                self._bind_unknown(statement)
                if isinstance(statement, ast.Return):
                    self.frame.returns.append(Unknown("a value whose computation seems to fail"))
                    return False
        return True

    def _forgives(self, statement: ast.stmt) -> bool:
        """Whether to go on behind a statement that seems to fail although nothing of fx decided it.

        The code runs in eager mode, so what seems to fail for certain is an error of the analysis: what the statement would
        have bound stays as it was. An explicit `raise` is believed, and so is all that a handler may be waiting for.
        """
        function = self.frames[-1].function
        if self.handlers or isinstance(statement, (ast.Raise, ast.Assert)) or function is None:
            return False
        if not self.tracing and function.name != "__init__":
            return False
        self.unresolved.add(f"a statement of `{function.qualname}`")
        return True

    def _bind_unknown(self, statement: ast.stmt) -> None:
        """What a forgiven assignment would have bound is not known."""
        written = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
            written = [statement.target]
        for target in written:
            with contextlib.suppress(PathEnd):
                targets.assign(self, target, Unknown("a value whose computation seems to fail"))

    def truth(self, value: Value, node: ast.AST, hook: Hook = Hook.BRANCH, via: str = "if") -> bool | None:
        """Python's bool() of a value; None when undecided."""
        return operators.truth(self, value, node, hook, via)

    def iterate(self, value: Value, node: ast.AST, hook: Hook = Hook.ITER, via: str = "for") -> Seq:
        """Python's iter() of a value."""
        return iteration.iterate(self, value, node, hook, via)

    def getattr(self, value: Value, name: str, node: ast.AST) -> Value:
        """Attribute read; raises PathEnd when it certainly fails."""
        return attributes.read(self, value, name, node)

    def call(self, function: Value, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """Call a value. A `Star` among the arguments stands for any number of further ones."""
        return calls.call(self, function, args, kwargs, node)

    # ---- events

    def span(self, node: ast.AST, module: ModuleFile) -> RawSpan:
        """Place of a node."""
        line = getattr(node, "lineno", 1)
        col = getattr(node, "col_offset", 0)
        return RawSpan(
            module.path,
            line,
            col,
            getattr(node, "end_lineno", None) or line,
            getattr(node, "end_col_offset", None) or col,
        )

    def text(self, node: ast.AST, module: ModuleFile | None = None) -> str:
        """Source text of a node, on one line and not too long."""
        module = module or self.frame.module
        short = " ".join(module.source.segment(node).split())
        return short if len(short) <= 80 else short[:77] + "..."

    def emit(
        self,
        hook: Hook,
        node: ast.AST,
        value: Value | None = None,
        *,
        subject: ast.AST | str | None = None,
        via: str = "",
        effect: Effect = Effect.UNTRACEABLE,
        detail: str = "",
        error: str = "",
    ) -> None:
        """Record that `value` met `hook` at `node` in the current frame."""
        if not self.tracing or len(self.events) > limits.EVENTS_PER_ROOT:
            return
        frame = self.frame
        shown = self._shown(frame, node)
        proxy = value if isinstance(value, Proxy) else None
        text = subject if isinstance(subject, str) else self.text(subject or node, frame.module)
        if effect is Effect.UNTRACEABLE and self._caught(error or _RAISES.get(hook, "ValueError")):
            detail = f"{via or hook.value} of `{text}`"
            hook, effect = Hook.SWALLOWED, Effect.SILENT
        event = Event(
            hook=hook,
            effect=effect,
            at=self.span(node, frame.module),
            subject=text,
            via=via,
            flavour=proxy.flavour if proxy else "tensor",
            detail=detail,
            condition=self.condition,
            root=self.root_name,
            param=proxy.param if proxy else "",
            low_confidence=proxy.low if proxy else False,
        )
        self._record(event, shown, self._steps(frame), proxy.origin if proxy else None)

    def emit_at(
        self,
        hook: Hook,
        at: RawSpan,
        *,
        subject: str,
        via: str = "",
        detail: str = "",
        symbol: str = "",
        effect: Effect = Effect.UNTRACEABLE,
    ) -> None:
        """Record an event of the root itself at a known place."""
        event = Event(
            hook,
            effect,
            at,
            subject,
            via,
            detail=detail,
            condition=self.condition,
            symbol=symbol or self.root_name,
            root=self.root_name,
        )
        self.keep_event(event)
        for _, captured in self.captures:
            captured.append(Emission(event, (), True))

    def misuse(self, hook: Hook, node: ast.AST, *, subject: ast.AST | str, via: str, effect: Effect) -> None:
        """Record a mistake that stands in a file whatever root is traced."""
        module = self.frame.module
        if not module.checked:
            return
        text = subject if isinstance(subject, str) else self.text(subject)
        symbol = f"{module.name}.{self.frame.symbol}" if self.frame.symbol else module.name
        event = Event(hook, effect, self.span(node, module), text, via, symbol=symbol)
        if event not in self.misuses:
            self.misuses.append(event)

    # ---- the torch model

    def is_torch_module(self, path: str) -> bool:
        """Whether a dotted name is one of torch's module classes."""
        return torch_facts.is_module_class(self, path)

    def torch_derives(self, path: str, other: str) -> bool:
        """issubclass for two library classes."""
        return torch_facts.derives(self, path, other)

    def torch_tensor_has(self, name: str) -> bool:
        """Whether every Tensor has the attribute."""
        return torch_facts.tensor_has(self, name)

    # ---- events and the frames that they are charged to

    def _shown(self, frame: Frame, node: ast.AST) -> tuple[Frame, ast.AST] | None:
        """The innermost activation of checked code that leads to a node of `frame`, with the node in it."""
        walk: Frame | None = frame
        while walk is not None and not walk.module.checked:
            if walk.call is None:
                return None
            node, walk = walk.call, walk.caller
        return (walk, node) if walk is not None else None

    def _steps(self, frame: Frame) -> list[tuple[int, RawStep]]:
        """The calls in checked code that lead to a frame, outermost first, with the depth of the frame each entered."""
        steps: list[tuple[int, RawStep]] = []
        walk: Frame | None = frame
        while walk is not None and walk.caller is not None and walk.call is not None:
            if walk.caller.module.checked and walk.function is not None:
                steps.append((walk.index, self._step(walk.call, walk.caller.module, walk.symbol)))
            walk = walk.caller
        steps.reverse()
        return steps

    def _step(self, call: ast.AST, module: ModuleFile, symbol: str) -> RawStep:
        return RawStep(self.span(call, module), f"through `{symbol}`, called here")

    def _record(
        self,
        event: Event,
        shown: tuple[Frame, ast.AST] | None,
        steps: list[tuple[int, RawStep]],
        origin: RawStep | None,
    ) -> None:
        """Charge an event to checked code, keep it, and tell the summaries that are being made."""
        index = shown[0].index if shown is not None else -1
        for base, captured in self.captures:
            if index >= base:
                captured.append(Emission(event, tuple(step for depth, step in steps if depth > base), True))
            else:
                captured.append(Emission(event, (), False))
        if shown is None:
            return
        frame, node = shown
        chain = tuple(step for _, step in steps)
        if not self._is_own(event, frame):
            chain = (*chain, RawStep(event.at, "inside the library, where the Proxy is asked"))
            event = replace(event, at=self.span(node, frame.module))
        symbol = f"{frame.module.name}.{frame.symbol}" if frame.symbol else frame.module.name
        self.keep_event(replace(event, symbol=symbol, chain=(origin, *chain) if origin is not None else chain))

    def _is_own(self, event: Event, frame: Frame) -> bool:
        return event.at.path == frame.module.path

    def keep_event(self, event: Event) -> None:
        """Keep the event, or the variant of it with the weaker condition and the shorter chain."""
        key = (event.hook, event.at)
        old = self.events.get(key)
        if old is None or _rank(event) < _rank(old):
            self.events[key] = event

    def replay(self, emissions: Sequence[Emission], function: Function, node: ast.AST) -> None:
        """Record again what a summarised call of `function` at `node` emitted, as seen from here."""
        if not self.tracing or not emissions:
            return
        caller = self.frame
        before = self._steps(caller)
        index = len(self.frames)
        entered = (
            [*before, (index, self._step(node, caller.module, function.qualname))] if caller.module.checked else before
        )
        stand_in = Frame(function.scope, function.module, function.qualname, 0, function, node, caller)
        stand_in.index = index
        for emission in emissions:
            event = replace(emission.event, root=self.root_name, condition=emission.event.condition or self.condition)
            if emission.settled:
                self._replay_settled(event, [*entered, *((index + 1, step) for step in emission.steps)], index)
            else:
                self._record(event, self._shown(stand_in, node), before, None)

    def _replay_settled(self, event: Event, steps: list[tuple[int, RawStep]], index: int) -> None:
        for base, captured in self.captures:
            captured.append(Emission(event, tuple(step for depth, step in steps if depth > base), True))
        self.keep_event(replace(event, chain=tuple(step for _, step in steps)))

    def _caught(self, error: str) -> bool:
        for handler in reversed(self.handlers):
            if catches(handler.catches, error):
                handler.raised = True
                return True
        return False

    def fail(self, error: str, node: ast.AST, arity: bool = False, explicit: bool = False) -> PathEnd:
        """The path certainly raises `error` here: tell the handler, report it when a definite answer decided it.

        `explicit`: a raise or assert of the program; `arity`: a call that cannot bind. Other failures may be the analysis's own.
        """
        caught = self._caught(error)
        if caught:
            for handler in reversed(self.handlers):
                if catches(handler.catches, error):
                    handler.deltas.append(self.heap.snapshot(handler.depth))
                    break
        elif self.definite and (explicit or arity):
            self.emit(Hook.RAISE, node, via="arity" if arity else "raise", error=error)
        return PathEnd(error, believed=explicit or arity)


def _rank(event: Event) -> tuple[bool, bool, int]:
    return (event.low_confidence, event.condition is not None, len(event.chain))


def catches(names: frozenset[str], error: str) -> bool:
    """Whether an `except` clause with these class names catches `error`."""
    if "*" in names or error in names:
        return True
    found = getattr(__import__("builtins"), error, None)
    if not isinstance(found, type):
        return "Exception" in names or "BaseException" in names
    return any(base.__name__ in names for base in found.__mro__)


from fxlint.interp import attributes, calls, iteration, operators, targets, torch_facts  # noqa: E402  (the parts need Machine)
from fxlint.interp.expressions import EVALUATE  # noqa: E402
from fxlint.interp.statements import EXECUTE  # noqa: E402
