"""Builtin functions that want a number or give one: a Proxy has none, so most of them are events."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.library import Model, argument
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Instance,
    List,
    Missing,
    Proxy,
    RealTensor,
    Seq,
    Tuple,
    Value,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _len(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    results = [_length(m, v, node) for v in members(args[0]) if not isinstance(v, Missing)]
    return join(*[r for r in results if r is not None]) if any(r is not None for r in results) else Concrete("int")


def _length(m: Machine, value: Value, node: ast.AST) -> Value | None:
    if isinstance(value, Proxy):
        m.emit(Hook.LEN, node, value, subject=argument(node))
        return Concrete("int")
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    if isinstance(value, Const):
        return None
    if isinstance(value, (Tuple, List)):
        return Const(len(value.seq.items)) if value.seq.tail is None else Concrete("int")
    if isinstance(value, Dict):
        exact = value.rest is None and not any(
            isinstance(v, Missing) for _, c in value.entries.values() for v in members(c)
        )
        return Const(len(value.entries)) if exact else Concrete("int")
    if isinstance(value, Instance):
        method = attributes.find_in_class(m, value.cls, "__len__")
        if method is not None and not isinstance(method, External):
            return m.call(attributes.bind(m, method, value, node), [], {}, node)
        children = nn_containers.children(m, value)
        if children is not None:
            return Const(len(children.items)) if children.tail is None else Concrete("int")
        if value.payload is not None:
            return _length(m, value.payload, node)
    if isinstance(value, Class):
        return Concrete("int")
    return Concrete("int")


def _number(name: str, host: Callable[..., Any]) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args:
            return Const(host())
        results: list[Value] = []
        for value in members(args[0]):
            if isinstance(value, Proxy):
                m.emit(Hook.NUMBER, node, value, subject=argument(node), via=f"{name}()")
                results.append(Concrete(name if name in ("int", "float") else "float"))
            elif isinstance(value, Const) and len(args) == 1:
                try:
                    results.append(Const(host(value.value)))
                except Exception:
                    continue
            elif isinstance(value, Instance) and name in ("int", "float"):
                method = attributes.find_in_class(m, value.cls, f"__{name}__")
                results.append(
                    m.call(attributes.bind(m, method, value, node), [], {}, node)
                    if method is not None and not isinstance(method, External)
                    else Concrete(name)
                )
            else:
                if isinstance(value, RealTensor):
                    m.emit(
                        Hook.BUFFER_FOLDED, node, value, subject=argument(node), effect=Effect.SILENT
                    ) if value.tag in ("buffer", "derived") else None
                results.append(Concrete(name if name in ("int", "float") else ""))
        if not results:
            raise m.fail("TypeError", node)
        return join(*results)

    return run


def _round(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.NUMBER, node, proxy, subject=argument(node), via="round()")
        return Concrete("int")
    hosts = [builtin_types.to_host(a) for a in args]
    if hosts and builtin_types.NOT_CONSTANT not in hosts:
        try:
            return Const(round(*hosts))
        except Exception:
            return CONCRETE
    return args[0] if args and isinstance(args[0], RealTensor) else Concrete("int" if len(args) == 1 else "float")


def _divmod(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if proxy is not None:
        m.emit(Hook.NUMBER, node, proxy, via="divmod()")
        return Tuple((Proxy("int"), Proxy("int")))
    if len(args) == 2:
        return Tuple(
            (
                operators.binary(m, ast.FloorDiv(), args[0], args[1], node),
                operators.binary(m, ast.Mod(), args[0], args[1], node),
            )
        )
    return UNKNOWN


def _abs(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
        return Const(abs(value.value))
    return value if isinstance(value, (Proxy, RealTensor, Concrete)) else UNKNOWN


def _pow(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return operators.binary(m, ast.Pow(), args[0], args[1], node) if len(args) == 2 else UNKNOWN


def _bool(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return FALSE
    answer = m.truth(args[0], node, Hook.BOOL_CALL, "bool()")
    return Concrete("bool") if answer is None else Const(answer, operators.is_definite(args[0]))


def _any_all(name: str) -> Model:
    stop = name == "any"

    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seq = m.iterate(args[0], node, via=f"{name}()") if args else Seq()
        undecided = seq.tail is not None
        definite = False
        for value in seq.every():
            answer = m.truth(value, node, Hook.BOOL_CALL, f"{name}()")
            definite = definite or operators.is_definite(value)
            if answer is None:
                undecided = True
            elif answer is stop and (seq.tail is None or value is not seq.tail):
                return Const(stop, operators.is_definite(value)) if not undecided else Concrete("bool")
        return Concrete("bool") if undecided else Const(not stop, definite)

    return run


def _extreme(name: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        key = kwargs.get("key")
        seq = m.iterate(args[0], node, via=f"{name}()") if len(args) == 1 else Seq(args)
        values = list(seq.every())
        several = len(args) != 1 or len(values) > 1 or seq.tail is not None
        compared = (
            [m.call(key, [v], {}, node) for v in values]
            if key is not None and not (isinstance(key, Const) and key.value is None)
            else values
        )
        proxy = next((p for p in map(may_be_proxy, compared) if p), None)
        if proxy is not None and several:
            m.emit(Hook.BOOL_CALL, node, proxy, via=f"{name}()")
            return join(*values)
        hosts = [builtin_types.to_host(v) for v in values]
        if values and compared is values and builtin_types.NOT_CONSTANT not in hosts and seq.tail is None:
            try:
                return builtin_types.from_host((min if name == "min" else max)(hosts))
            except (TypeError, ValueError):
                return UNKNOWN
        if not values:
            return kwargs.get("default", UNKNOWN)
        if all(isinstance(v, (Const, Concrete)) for v in values):
            hints = {
                type(v.value).__name__ if isinstance(v, Const) else v.hint
                for v in values
                if isinstance(v, (Const, Concrete))
            }
            return Concrete(hints.pop()) if len(hints) == 1 else CONCRETE
        return join(*values)

    return run


def _sum(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="sum()") if args else Seq()
    total: Value = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    for value in seq.items:
        total = operators.binary(m, ast.Add(), total, value, node)
    if seq.tail is not None:
        total = join(total, operators.binary(m, ast.Add(), total, seq.tail, node))
    return total


def _range(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    for value in args:
        proxy = may_be_proxy(value)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via="range()")
            return List((), Concrete("int"))
    hosts = [builtin_types.to_host(a) for a in args]
    if all(isinstance(h, int) for h in hosts) and hosts:
        try:
            return builtin_types.from_host(range(*hosts))
        except (ValueError, TypeError):
            raise m.fail("ValueError", node) from None
    return List((), Concrete("int"))


TABLE: dict[str, Model] = {
    "len": _len,
    "int": _number("int", int),
    "float": _number("float", float),
    "round": _round,
    "divmod": _divmod,
    "abs": _abs,
    "pow": _pow,
    "bool": _bool,
    "any": _any_all("any"),
    "all": _any_all("all"),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "sum": _sum,
    "range": _range,
}


from fxlint.interp import attributes, builtin_types, nn_containers, operators  # noqa: E402
