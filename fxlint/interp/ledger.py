"""The ledger: how an event is charged to checked code, with the chain of calls that led there.

An event inside a library is charged to the innermost checked call that led to it; every running call summary is told,
so that a call that is not entered again can emit the same. Of two events of one hook at one place, the one with the
weaker condition and the shorter chain is kept.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fxlint.interp import limits
from fxlint.interp.events import Event, Hook, RawSpan, RawStep
from fxlint.interp.frames import Emission, Frame, Handler
from fxlint.interp.heap import Heap, PathEnd
from fxlint.interp.values import Function, Proxy, Value
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile

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


class Ledger:
    """The events of the root that is running, and the frames that they are charged to."""

    heap: Heap
    frames: list[Frame]
    handlers: list[Handler]
    definite: list[int]
    conditions: list[tuple[ast.AST | str, ModuleFile]]
    tracing: bool
    root_name: str
    events: dict[tuple[Hook, RawSpan], Event]
    captures: list[tuple[int, list[Emission]]]
    misuses: list[Event]

    @property
    def frame(self) -> Frame:
        """The innermost activation."""
        return self.frames[-1]

    @property
    def condition(self) -> str | None:
        """Text of the innermost undecided test."""
        if not self.conditions:
            return None
        test, module = self.conditions[-1]
        return test if isinstance(test, str) else self.text(test, module)

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

        `explicit`: a raise or assert of the program; `arity`: a call that cannot bind. Other failures may be the
        analysis's own.
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
