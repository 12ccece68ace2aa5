"""Functions: definition, decorators, binding of arguments, and activation with call summaries.

A *summary* is what a call gave for one combination of argument kinds: the value, and the events inside. It is reused
while nothing has been written that the callee could have read, and kept only for calls that wrote to nothing older
than themselves. Twelve identical blocks cost one run.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from fxlint.interp import limits
from fxlint.interp.events import Hook
from fxlint.interp.frames import Emission, Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    Function,
    Generator,
    Instance,
    List,
    Missing,
    Mutable,
    Proxy,
    Scope,
    Seq,
    Tuple,
    Unknown,
    Value,
    holds_proxy,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


class Star(Value):
    """Among arguments: any number of further positional ones, each like `value`."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("star", self.value.kind)


REST = "**"
"""Among keyword arguments: the key under which an unknown mapping is passed on."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


# ---- definition


def make(m: Machine, node: Definition) -> Function:
    """The function object of a `def` or lambda, defaults evaluated now."""
    defaults = tuple(m.eval(d) for d in node.args.defaults)
    kw_defaults = {
        a.arg: m.eval(d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None
    }
    frame = m.frame
    name = getattr(node, "name", "<lambda>")
    symbol = f"{frame.symbol}.{name}" if frame.symbol else name
    return Function(node, frame.module, frame.scope, symbol, defaults, kw_defaults)


def decorated(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Value:
    """The function, passed through its decorators."""
    value: Value = make(m, node)
    for expression in reversed(node.decorator_list):
        value = decorators.apply(m, expression, value)
    return value


def is_generator(m: Machine, node: Definition) -> bool:
    """Whether the function's own body yields."""
    key = ("generator", id(node))
    known = m.facts.get(key)
    if known is None:
        known = _yields(node)
        m.facts[key] = known
        m.keep.append(node)
    return bool(known)


def _yields(node: Definition) -> bool:
    pending: list[ast.AST] = list(node.body) if isinstance(node.body, list) else [node.body]
    while pending:
        current = pending.pop()
        if isinstance(current, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending.extend(ast.iter_child_nodes(current))
    return False


# ---- binding


def bind(
    m: Machine, function: Function, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> dict[str, Value]:
    """Parameters to values, as Python would bind them; raises PathEnd for a wrong arity."""
    spec = function.node.args
    positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
    bound: dict[str, Value] = {}
    plain = [a for a in args if not isinstance(a, Star)]
    stars = [a.value for a in args if isinstance(a, Star)]
    rest = kwargs.get(REST)
    named = {k: v for k, v in kwargs.items() if k != REST}
    if stars:
        first = next(i for i, a in enumerate(args) if isinstance(a, Star))
        lead, more = list(args[:first]), join(*stars, *[a for a in args[first:] if not isinstance(a, Star)])
    else:
        lead, more = plain, None
    for name, value in zip(positional, lead, strict=False):
        bound[name] = value
    surplus = lead[len(positional) :]
    if surplus and spec.vararg is None:
        raise m.fail("TypeError", node, arity=True)
    if spec.vararg is not None:
        bound[spec.vararg.arg] = Tuple(surplus, more)
    extra: dict[str, Value] = {}
    only = {a.arg for a in spec.posonlyargs}
    known = {a.arg for a in (*spec.args, *spec.kwonlyargs)}
    for name, value in named.items():
        if name in known and name not in bound:
            bound[name] = value
        elif name in known and name not in only and spec.kwarg is None:
            if more is None:
                raise m.fail("TypeError", node, arity=True)
        elif spec.kwarg is None:
            raise m.fail("TypeError", node, arity=True)
        else:
            extra[name] = value
    defaults = dict(zip(positional[len(positional) - len(function.defaults) :], function.defaults, strict=True))
    defaults.update(function.kw_defaults)
    for name in (*positional, *[a.arg for a in spec.kwonlyargs]):
        if name in bound:
            continue
        candidates = [defaults[name]] if name in defaults else []
        if more is not None and name in positional:
            candidates.append(more)
        if rest is not None:
            candidates.append(_from_rest(rest, name))
        if not candidates:
            raise m.fail("TypeError", node, arity=True)
        bound[name] = join(*candidates)
    if spec.kwarg is not None:
        gathered = Dict()
        for name, value in extra.items():
            builtin_types.set_item(m, gathered, Const(name), value)
        if rest is not None:
            builtin_types.update_dict(m, gathered, rest)
        bound[spec.kwarg.arg] = gathered
    return bound


def _from_rest(rest: Value, name: str) -> Value:
    if isinstance(rest, Dict):
        found = builtin_types.get_item(rest, Const(name))
        return found if found is not None else UNKNOWN
    return CONCRETE if isinstance(rest, Concrete) else UNKNOWN


# ---- activation


def invoke(m: Machine, function: Function, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call a read function."""
    if (
        len(m.frames) > limits.DEPTH
        or sum(f.function is not None and f.function.node is function.node for f in m.frames) >= limits.RECURSION
    ):
        m.unresolved.add(f"calls nest too deep at `{function.qualname}`")
        return give_up(args, kwargs)
    dropped = function.attrs.get("<context>")
    if isinstance(dropped, Const):
        marks = getattr(function.node, "decorator_list", [])
        if m.tracing and function.module.checked and marks:
            m.emit_at(
                Hook.CONTEXT,
                m.span(marks[0], function.module),
                subject=str(dropped.value),
                effect=Effect.SILENT,
                via="decorator",
            )
        else:
            m.emit(Hook.CONTEXT, node, subject=str(dropped.value), effect=Effect.SILENT, via="decorator")
    bound = bind(m, function, args, kwargs, node)
    if is_generator(m, function.node):
        return Generator(lambda: _drain(m, function, bound, node))
    if isinstance(function.node, ast.AsyncFunctionDef):
        return Unknown("coroutine")
    key = _summary_key(m, function, bound)
    known = m.memo.get(key) if key is not None else None
    if known is not None:
        value, events = known
        m.replay(events, function, node)
        return thaw(value)
    return _run(m, function, bound, node, key)


def _run(m: Machine, function: Function, bound: dict[str, Value], node: ast.AST, key: Hashable | None) -> Value:
    start = Mutable().serial
    outer, m.heap.oldest = m.heap.oldest, start
    captured: list[Emission] = []
    m.captures.append((len(m.frames), captured))
    frame = new_frame(m, function, bound, node)
    try:
        with m.entered(frame):
            live = _execute(m, function, frame)
    finally:
        m.captures.pop()
        pure = m.heap.oldest >= start
        m.heap.oldest = min(outer, m.heap.oldest)
    if live:
        frame.returns.append(NONE)
    if frame.exits:
        m.heap.merge(frame.exits, include_current=live or len(frame.exits) < len(frame.returns))
    if not frame.returns:
        raise PathEnd(m.heap.error)
    value = join(*frame.returns)
    if key is not None and pure and not _fresh_identity(value, start):
        if len(m.memo) > limits.SUMMARIES:
            m.memo.clear()
        m.memo[key] = (value, captured)
        m.keep.append(function.node)
    return value


def _execute(m: Machine, function: Function, frame: Frame) -> bool:
    body = function.node.body
    if isinstance(body, list):
        return m.run(body)
    frame.returns.append(m.eval(body))
    return False


def new_frame(m: Machine, function: Function, bound: dict[str, Value], node: ast.AST) -> Frame:
    """An activation with its parameters bound."""
    scope = Scope(function.scope)
    scope.cells.update(bound)
    return Frame(
        scope, function.module, function.qualname, m.heap.depth, function, node, m.frames[-1] if m.frames else None
    )


def _drain(m: Machine, function: Function, bound: dict[str, Value], node: ast.AST) -> Seq:
    """Run a generator's body once; what an undecided path yields is a tail."""
    frame = new_frame(m, function, bound, node)
    frame.yields = []
    with m.entered(frame), contextlib.suppress(PathEnd):
        m.run(function.node.body if isinstance(function.node.body, list) else [])
    if frame.exits:
        m.heap.merge(frame.exits, include_current=True)
    return Seq(frame.yields)


def give_up(args: Sequence[Value], kwargs: dict[str, Value]) -> Value:
    """The result of a call that is not followed."""
    for value in (*args, *kwargs.values()):
        proxy = holds_proxy(value.value if isinstance(value, Star) else value)
        if proxy is not None:
            return Proxy("tensor", low=True)
    return UNKNOWN


# ---- summaries


def _summary_key(m: Machine, function: Function, bound: dict[str, Value]) -> Hashable | None:
    if isinstance(function.node, ast.Lambda) or not _closes_over_globals_only(function.scope):
        return None
    if any(isinstance(v, Instance) and not v.settled for v in bound.values()):
        return None
    try:
        kinds = tuple(v.kind for v in bound.values())
        key = (
            id(function.node),
            m.tracing,
            m.heap.epoch,
            tuple(h.catches for h in m.handlers),
            bool(m.definite),
            kinds,
        )
        hash(key)
    except (TypeError, RecursionError):
        return None
    return key


def _closes_over_globals_only(scope: Scope) -> bool:
    """Whether a definition's scope is the file, or a class in it: nothing else it reads can change between calls."""
    walk: Scope = scope
    while walk.parent is not None:
        if not walk.is_class:
            return False
        walk = walk.parent
    return True


def _fresh_identity(value: Value, start: int, depth: int = 4) -> bool:
    """Whether the value contains an object of the callee's own that must not be shared between calls."""
    for member in members(value):
        if isinstance(member, (Instance, Generator)) or (isinstance(member, Function) and member.scope.serial >= start):
            if not isinstance(member, Instance) or member.serial >= start:
                return True
        elif isinstance(member, (Tuple, List)):
            if depth <= 0 or any(_fresh_identity(v, start, depth - 1) for v in member.seq.every()):
                return True
        elif isinstance(member, Dict):
            if depth <= 0 or any(
                _fresh_identity(e[1], start, depth - 1) for e in member.cells.values() if e is not None
            ):
                return True
        elif (
            not isinstance(member, (Const, Concrete, Proxy, Unknown, Missing))
            and isinstance(member, Mutable)
            and member.serial >= start
        ):
            return True
    return False


def thaw(value: Value) -> Value:
    """A result with lists and dicts of its own, so that two hits of one summary share nothing."""
    if isinstance(value, Tuple):
        if any(isinstance(i, (List, Dict, Tuple)) for i in value.seq.every()):
            return Tuple(
                (thaw(i) for i in value.seq.items),
                thaw(value.seq.tail) if value.seq.tail is not None else None,
                value.cls,
            )
    elif isinstance(value, List):
        return List(
            (thaw(i) for i in value.seq.items),
            thaw(value.seq.tail) if value.seq.tail is not None else None,
            value.type_name,
        )
    elif isinstance(value, Dict):
        made = builtin_types.copy_dict(value)
        for cell, entry in made.cells.items():
            made.cells[cell] = (entry[0], thaw(entry[1]))
        return made
    return value


from fxlint.interp import builtin_types, decorators  # noqa: E402
