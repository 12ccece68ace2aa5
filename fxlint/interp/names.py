"""Names: where Python looks for them, with a file's globals evaluated when they are first read."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    UNKNOWN,
    Const,
    External,
    Lazy,
    Missing,
    Scope,
    Union,
    Unknown,
    Value,
    without,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    import ast

    from fxlint.interp.machine import Machine

_BUILTINS = frozenset(dir(builtins))


def lookup(m: Machine, name: str, node: ast.AST) -> Value:
    """Value of a name in the current frame; raises PathEnd when nothing binds it."""
    here = m.frames[-1].scope
    scope: Scope | None = here
    if here.declared and here.declared.get(name) == "global":
        scope = module_scope(m)
    while scope is not None:
        if scope is here or not scope.is_class:
            value = scope.cells.get(name)
            if value is not None:
                if isinstance(value, (Union, Lazy, Missing)):
                    value = force(m, scope, name, value)
                if not isinstance(value, Missing):
                    if m.tracing and scope.parent is None:
                        _note_rebound(m, name, node)
                    return value
        scope = scope.parent
    found_star = modules.star_lookup(m, m.frame.module, name)
    if found_star is not None:
        return found_star
    if name in _BUILTINS:
        return _builtin(name)
    if name == "__class__" and m.frame.function is not None and m.frame.function.cls is not None:
        return m.frame.function.cls
    return Unknown(f"name `{name}`")


def _builtin(name: str) -> Value:
    if name == "__debug__":
        return Const(True)
    if name in ("__file__", "__doc__"):
        return Const("")
    return External(f"builtins.{name}")


def force(m: Machine, scope: Scope, name: str, value: Value) -> Value:
    """The value of a cell, computed now if it is lazy."""
    if isinstance(value, Lazy):
        scope.cells[name] = UNKNOWN
        value = value.compute()
        scope.cells[name] = value
    if isinstance(value, Union):
        return without(value, _is_missing) or value
    return value


def _note_rebound(m: Machine, name: str, node: ast.AST) -> None:
    """A global that some function of the file rebinds is read while tracing: its present value is baked."""
    module = m.frame.module
    key = ("rebound", module.full_path)
    rebound = m.facts.get(key)
    if rebound is None:
        rebound = m.project.symbols(module).rebound
        m.facts[key] = rebound
    if isinstance(rebound, (set, frozenset, tuple, dict)) and name in rebound:
        m.emit(Hook.GLOBAL_READ, node, subject=name, effect=Effect.SILENT)


def _is_missing(value: Value) -> bool:
    return isinstance(value, Missing)


def module_scope(m: Machine) -> Scope:
    """Globals of the current frame's file."""
    scope = m.frame.scope
    while scope.parent is not None:
        scope = scope.parent
    return scope


def assign(m: Machine, name: str, value: Value, node: ast.AST) -> None:
    """Bind a name in the scope that owns it."""
    scope = m.frame.scope
    declared = scope.declared.get(name)
    if declared == "global":
        scope = module_scope(m)
        if m.tracing:
            m.emit(Hook.STATE, node, subject=name, via="global", effect=Effect.SILENT)
    elif declared == "nonlocal":
        walk = scope.parent
        while walk is not None and (walk.is_class or name not in walk.cells):
            walk = walk.parent
        scope = walk or scope
    m.heap.write(scope, name, value)


def find_cell(m: Machine, name: str) -> Scope | None:
    """The scope in which the current frame would find the name."""
    scope: Scope | None = m.frame.scope
    first = True
    while scope is not None:
        if name in scope.cells and (first or not scope.is_class):
            return scope
        first = False
        scope = scope.parent
    return None


from fxlint.interp import modules  # noqa: E402
