"""`in`: a Proxy in a sequence is compared with each element, in a set or dict hashed by identity and never found."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    FALSE,
    PROXY_CLASS,
    TRUE,
    Concrete,
    Const,
    Dict,
    External,
    Instance,
    List,
    Missing,
    Proxy,
    RealTensor,
    Tuple,
    Unknown,
    Value,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def contains(m: Machine, item: Value, container: Value, node: ast.expr) -> Value:
    """`item in container` for one alternative of each."""
    if isinstance(container, Proxy):
        m.emit(Hook.ITER, node, container, via="in")
        return Concrete("bool")
    if isinstance(container, Instance):
        method = attributes.find_in_class(m, container.cls, "__contains__")
        if method is not None and container.payload is None and nn_containers.keys(m, container) is None:
            answer = m.call(attributes.bind(m, method, container, node), [item], {}, node)
            return operators.negate(m, operators.negate(m, answer, node, via="in"), node, via="in")
        keys = nn_containers.keys(m, container)
        if keys is not None:
            return _among(m, item, keys.items, keys.tail is not None, node)
        if container.payload is not None:
            return contains(m, item, container.payload, node)
        return Concrete("bool")
    if isinstance(container, Const) and isinstance(container.value, str):
        if isinstance(item, Const) and isinstance(item.value, str):
            return Const(item.value in container.value)
        if isinstance(item, Proxy):
            m.emit(Hook.FOREIGN, node, item, via="in", error="TypeError")
        return Concrete("bool")
    if isinstance(container, Dict):
        return _in_dict(m, item, container, node)
    if isinstance(container, List) and container.type_name in ("set", "frozenset"):
        if isinstance(item, Proxy):
            if any(v is item for v in container.seq.every()):
                return TRUE
            m.emit(Hook.MEMBERSHIP, node, item, effect=Effect.SILENT)
            return Const(False, definite=True)
        return _among(m, item, container.seq.items, container.seq.tail is not None, node)
    if isinstance(container, (Tuple, List)):
        return _in_sequence(m, item, container, node)
    if isinstance(item, Proxy) and isinstance(container, RealTensor):
        return Concrete("bool")
    return container if isinstance(container, Unknown) else Concrete("bool")


def _in_dict(m: Machine, item: Value, container: Dict, node: ast.expr) -> Value:
    if isinstance(item, Proxy):
        if ("proxy", id(item)) in container.cells:
            return TRUE
        m.emit(Hook.MEMBERSHIP, node, item, effect=Effect.SILENT)
        return Const(False, definite=True)
    found = container.cells.get(builtin_types.key_of(item))
    if found is not None:
        return Concrete("bool") if any(isinstance(v, Missing) for v in members(found[1])) else TRUE
    if isinstance(item, External) and item.path == PROXY_CLASS:
        return Const(False, definite=True)
    if container.rest is not None or not builtin_types.is_exact_key(item):
        return Concrete("bool")
    return FALSE


def _in_sequence(m: Machine, item: Value, container: Tuple | List, node: ast.expr) -> Value:
    seq = container.seq
    if any(v is item for v in seq.items):
        return TRUE
    if isinstance(item, Proxy):
        if not seq.items and seq.tail is None:
            return FALSE
        others = list(seq.every())
        if all(isinstance(v, Concrete) and not v.hint for v in others):
            return Concrete("bool")
        m.emit(Hook.BOOLOP, node, item, via="in")
        return Concrete("bool")
    for value in seq.every():
        proxy = may_be_proxy(value)
        if proxy is not None:
            m.emit(Hook.BOOLOP, node, proxy, via="in")
            return Concrete("bool")
    return _among(m, item, seq.items, seq.tail is not None, node)


def _among(m: Machine, item: Value, candidates: tuple[Value, ...], more: bool, node: ast.expr) -> Value:
    undecided = more
    for value in candidates:
        answer = comparison.compare(m, ast.Eq(), item, value, node)
        if isinstance(answer, Const):
            if answer.value:
                return TRUE
        else:
            undecided = True
    return Concrete("bool") if undecided else FALSE


from fxlint.interp import attributes, builtin_types, comparison, nn_containers, operators  # noqa: E402
