"""Modules: loading a file's top level, and imports.

A file's top level runs once, in order, but lazily: definitions, imports and plain assignments become `Lazy` cells that
are evaluated when first read; statements that act (calls, item and attribute assignments, loops, decorators of read
code) run at once. So a registry filled by decorators is full when somebody looks, and an unused table costs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fxlint.index.resolve import Definition as Found
from fxlint.index.resolve import Whole
from fxlint.interp.frames import Exhausted, Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    External,
    Function,
    Lazy,
    ModuleValue,
    Scope,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile
    from fxlint.interp.machine import Machine

STARS = "<stars>"


def load(m: Machine, module: ModuleFile) -> ModuleValue:
    """The module object of a file, its top level run."""
    known = m.modules.get(module.full_path)
    if known is not None:
        return known
    scope = Scope()
    made = ModuleValue(module, scope)
    m.modules[module.full_path] = made
    m.reads.add(module.path)
    m.loaded += len(module.source.text)
    scope.cells["__name__"] = Const(module.name)
    scope.cells["__package__"] = Const(module.package)
    scope.cells["__file__"] = Concrete("str")
    if module.is_package:
        scope.cells["__path__"] = CONCRETE
    frame = Frame(scope, module, "", 0)
    with m.detached(), m.entered(frame):
        for statement in module.tree.body:
            try:
                _top_level(m, statement, scope, frame)
            except (PathEnd, Exhausted):
                continue
    return made


def type_checking_test(test: ast.expr) -> bool:
    """`if TYPE_CHECKING:` — its imports name what the file re-exports."""
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _top_level(m: Machine, statement: ast.stmt, scope: Scope, frame: Frame) -> None:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        if any(_may_register(m, statement, d) for d in statement.decorator_list):
            m.run([statement])
        else:
            build: Callable[[Machine, Any], Value] = (
                classes.build if isinstance(statement, ast.ClassDef) else functions.decorated
            )
            scope.cells[statement.name] = _lazily(m, frame, lambda: build(m, statement))
    elif (
        isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    ):
        _bind(m, statement.targets[0].id, statement.value, scope, frame)
    elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        if statement.value is not None:
            _bind(m, statement.target.id, statement.value, scope, frame)
    elif isinstance(statement, ast.Expr) and not isinstance(statement.value, (ast.Call, ast.ListComp)):
        return
    else:
        m.run([statement])


def _bind(m: Machine, name: str, expression: ast.expr, scope: Scope, frame: Frame) -> None:
    if name in scope.cells and any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(expression)):
        scope.cells[name] = m.eval(expression)
    else:
        scope.cells[name] = _lazily(m, frame, lambda: m.eval(expression))


def _may_register(m: Machine, statement: ast.stmt, decorator: ast.expr) -> bool:
    """Whether a decorator may write to a table that this file or its classes' users read.

    Decorators of functions that come from another file are put off: a registry of entry points is not read by forward.
    """
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(node, ast.Attribute):
        node = node.value
    if not isinstance(node, ast.Name):
        return True
    found = m.frame.scope.cells.get(node.id)
    if found is None:
        return False
    try:
        value = names.force(m, m.frame.scope, node.id, found) if isinstance(found, Value) else UNKNOWN
    except PathEnd:
        return False
    if isinstance(value, External):
        return value.path.startswith("torch.fx")
    home = value.module if isinstance(value, (Function, Class)) else None
    return isinstance(statement, ast.ClassDef) or home is None or home is m.frame.module


def _lazily(m: Machine, frame: Frame, compute: Callable[[], Value]) -> Lazy:
    """A cell computed later, in the file's own frame and outside any branch."""

    def run() -> Value:
        home = Frame(frame.scope, frame.module, "", 0)
        with m.detached(), m.entered(home):
            try:
                return compute()
            except (PathEnd, Exhausted, RecursionError):
                return Unknown("module level")

    return Lazy(run)


# ---- imports


def bind_import(m: Machine, node: ast.Import | ast.ImportFrom) -> None:
    """Bind the names of an import statement, lazily."""
    frame = m.frame
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.asname:
                _set(m, alias.asname, _later(m, lambda alias=alias: import_module(m, alias.name, frame.module)))  # type: ignore[misc]
            else:
                top = alias.name.partition(".")[0]
                dotted = alias.name
                _set(m, top, _later(m, lambda top=top, dotted=dotted: _import_top(m, top, dotted, frame.module)))  # type: ignore[misc]
        return
    target = m.project.resolve_relative(frame.module, node.level, node.module)
    for alias in node.names:
        if alias.name == "*":
            stars = frame.scope.cells.setdefault(STARS, [])
            stars.insert(0, target)
        else:
            name = alias.name
            _set(m, alias.asname or name, _later(m, lambda name=name: import_from(m, target, name, frame.module)))  # type: ignore[misc]


def _set(m: Machine, name: str, value: Value) -> None:
    if m.frame.function is not None:
        names.assign(m, name, value.compute() if isinstance(value, Lazy) else value, m.frame.module.tree)
    else:
        m.heap.write(m.frame.scope, name, value)


def _later(m: Machine, compute: Callable[[], Value]) -> Lazy:
    return _lazily(m, m.frame, compute)


def _import_top(m: Machine, top: str, dotted: str, origin: ModuleFile) -> Value:
    if dotted != top:
        import_module(m, dotted, origin)
    return import_module(m, top, origin)


def import_module(m: Machine, dotted: str, origin: ModuleFile) -> Value:
    """The module that an absolute name means in `origin`."""
    if not dotted:
        return Unknown("relative import beyond the top")
    if m.project.is_opaque(dotted, origin):
        return External(dotted)
    found = m.project.find(dotted, origin)
    if found is not None:
        return load(m, found)
    if m.project.is_namespace(dotted, origin):
        return External(dotted)
    m.unresolved.add(f"module `{dotted}`")
    return Unknown(f"module `{dotted}`")


def import_from(m: Machine, dotted: str, name: str, origin: ModuleFile) -> Value:
    """`from dotted import name`."""
    owner = import_module(m, dotted, origin)
    if isinstance(owner, ModuleValue):
        return member(m, owner, name)
    if isinstance(owner, External):
        if not m.project.is_opaque(dotted, origin):
            return import_module(m, f"{dotted}.{name}", origin)
        return externals.canonical(m, f"{owner.path}.{name}")
    return owner


def member(m: Machine, owner: ModuleValue, name: str, seen: frozenset[str] = frozenset()) -> Value:
    """A global of a module, or its submodule."""
    found = find_member(m, owner, name, seen)
    if found is not None:
        return found
    custom = owner.scope.cells.get("__getattr__")
    if custom is not None and not name.startswith("__"):
        try:
            return m.call(names.force(m, owner.scope, "__getattr__", custom), [Const(name)], {}, owner.module.tree)
        except PathEnd:
            pass
    m.unresolved.add(f"`{owner.module.name}.{name}`")
    return Unknown(f"`{owner.module.name}.{name}`")


def find_member(m: Machine, owner: ModuleValue, name: str, seen: frozenset[str] = frozenset()) -> Value | None:
    """A global of a module, through star imports; None when there is none."""
    value = owner.scope.cells.get(name)
    if isinstance(value, Value):
        value = names.force(m, owner.scope, name, value)
        if not (isinstance(value, Unknown) and owner.module.is_package):
            return value
    key = owner.module.full_path
    if key not in seen and STARS in owner.scope.cells and not name.startswith("_"):
        found = _starred(m, owner.module, name, seen | {key})
        if found is not None:
            return found
    if owner.module.is_package:
        inner = m.project.find(f"{owner.module.name}.{name}", owner.module)
        if inner is not None:
            return load(m, inner)
    return value if isinstance(value, Value) else None


def _starred(m: Machine, module: ModuleFile, name: str, seen: frozenset[str]) -> Value | None:
    """What the star imports of a file bind a name to: the index knows without loading their sources."""
    for target in m.resolver.lookup(module, name):
        if isinstance(target, Whole):
            return load(m, target.module)
        if isinstance(target, Found):
            if target.module.full_path in seen or target.rest:
                continue
            found = find_member(m, load(m, target.module), target.name, seen)
            if found is not None:
                return found
        elif target.found:
            return externals.canonical(m, target.dotted)
    owner = m.modules.get(module.full_path)
    for source in owner.scope.cells.get(STARS, ()) if owner is not None else ():
        if m.project.is_opaque(source, module) and externals.exists(m, f"{source}.{name}"):
            return externals.canonical(m, f"{source}.{name}")
    return None


def star_lookup(m: Machine, module: ModuleFile, name: str) -> Value | None:
    """A global that a star import of this file brings."""
    owner = m.modules.get(module.full_path)
    if owner is None or STARS not in owner.scope.cells or name.startswith("_"):
        return None
    return _starred(m, module, name, frozenset({module.full_path}))


from fxlint.interp import classes, externals, functions, names  # noqa: E402
