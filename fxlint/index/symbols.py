"""What one file binds at its top level: names, imports, exports, and what is done to them later.

One pass over the statements that run when the module is imported, into `if`, `try`, `with` and loops, never into
functions. The syntax alone says nothing of values, so a name has *all* statements that may bind it, in order:

    try:
        from torch.nn import RMSNorm         # RMSNorm: this import …
    except ImportError:
        class RMSNorm(nn.Module): ...        # … or this class
    if TYPE_CHECKING:
        from .config import Config           # an import with `typing_only`

A `Symbols` holds nodes of the tree it was made from and goes when the tree goes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

_GLOBAL = re.compile(r"^[ \t]*global[ \t]", re.MULTILINE)

Relative = Callable[[int, "str | None"], str]


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name: the absolute `module`, and the `name` taken from it (none: the module itself, "*": all)."""

    module: str
    name: str | None = None
    typing_only: bool = False

    @property
    def target(self) -> str:
        """The absolute dotted name that the local name stands for."""
        return self.module if self.name is None else f"{self.module}.{self.name}" if self.module else self.name


@dataclass(frozen=True, slots=True)
class Symbols:
    """The top level of one file.

    `bindings` has every statement that may bind a name. `imports` has the imports among them, `stars` the modules that
    are imported whole, `exports` the literal `__all__` (none when it is absent or computed). `touched` has the
    statements at top level that assign to an attribute or item of a name, or call a method of it. `rebound` are names
    that some function declares `global`; `wrapped` are names given to `torch.fx.wrap` at the top level of this file.
    """

    bindings: Mapping[str, tuple[ast.stmt, ...]]
    imports: Mapping[str, tuple[Import, ...]]
    stars: tuple[Import, ...]
    exports: tuple[str, ...] | None
    touched: Mapping[str, tuple[ast.stmt, ...]]
    rebound: frozenset[str]
    wrapped: frozenset[str]

    def defined(self, name: str) -> ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The last class or function statement of that name, which is what the name means unless a branch decides."""
        for statement in reversed(self.bindings.get(name, ())):
            if isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                return statement
        return None

    def public(self) -> Iterator[str]:
        """The names that `from m import *` takes, those of further star imports not counted."""
        if self.exports is not None:
            yield from self.exports
        else:
            yield from (name for name in self.bindings if not name.startswith("_"))


def collect(tree: ast.Module, text: str, relative: Relative) -> Symbols:
    """The symbols of a parsed file; `relative` makes the module part of an import absolute (see `Project`)."""
    scan = _Scan(relative, walrus=":=" in text)
    scan.block(tree.body, typing_only=False)
    rebound: set[str] = set()
    if _GLOBAL.search(text):
        for node in ast.walk(tree):
            if isinstance(node, ast.Global):
                rebound.update(node.names)
    return Symbols(
        bindings={name: tuple(statements) for name, statements in scan.bindings.items()},
        imports={name: tuple(imports) for name, imports in scan.imports.items()},
        stars=tuple(scan.stars),
        exports=scan.exported(),
        touched={name: tuple(statements) for name, statements in scan.touched.items()},
        rebound=frozenset(rebound),
        wrapped=frozenset(scan.wrapped()),
    )


def imported(statement: ast.Import | ast.ImportFrom, relative: Relative) -> Iterator[tuple[str, Import]]:
    """The local names that an import statement binds, at any depth of the file; a star binds "*"."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            if alias.asname is not None:
                yield alias.asname, Import(alias.name)
            else:
                top = alias.name.partition(".")[0]
                yield top, Import(top)
        return
    module = relative(statement.level, statement.module)
    for alias in statement.names:
        yield alias.asname or alias.name, Import(module, alias.name)


def is_type_checking(test: ast.expr) -> bool:
    """Whether a test is `TYPE_CHECKING` or `typing.TYPE_CHECKING`."""
    name = test.attr if isinstance(test, ast.Attribute) else test.id if isinstance(test, ast.Name) else ""
    return name == "TYPE_CHECKING"


def chain(node: ast.expr) -> str:
    """The dotted text of a name or an attribute chain on a name; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))


def stored(target: ast.AST) -> Iterator[str]:
    """The names that an assignment target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from stored(element)
    elif isinstance(target, ast.Starred):
        yield from stored(target.value)


class _Scan:
    def __init__(self, relative: Relative, *, walrus: bool) -> None:
        self.relative = relative
        self.has_walrus = walrus
        self.bindings: dict[str, list[ast.stmt]] = {}
        self.imports: dict[str, list[Import]] = {}
        self.stars: list[Import] = []
        self.touched: dict[str, list[ast.stmt]] = {}
        self.wraps: list[tuple[str, str]] = []

    def block(self, statements: Sequence[ast.stmt], *, typing_only: bool) -> None:
        for statement in statements:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    self.bind(statement.name, statement)
                    self.wraps += [(chain(decorator), statement.name) for decorator in statement.decorator_list]
                case ast.Import() | ast.ImportFrom():
                    self.importing(statement, typing_only)
                case ast.Assign():
                    for target in statement.targets:
                        self.target(target, statement)
                    self.walrus(statement.value, statement)
                case ast.AnnAssign():
                    if statement.value is not None:
                        self.target(statement.target, statement)
                case ast.AugAssign():
                    self.target(statement.target, statement)
                case ast.Delete():
                    for target in statement.targets:
                        self.target(target, statement)
                case ast.Expr():
                    self.expression(statement)
                case ast.If():
                    guard = is_type_checking(statement.test)
                    self.walrus(statement.test, statement)
                    self.block(statement.body, typing_only=typing_only or guard)
                    self.block(statement.orelse, typing_only=typing_only)
                case ast.For() | ast.AsyncFor():
                    self.target(statement.target, statement)
                    self.block(statement.body, typing_only=typing_only)
                    self.block(statement.orelse, typing_only=typing_only)
                case ast.While():
                    self.block(statement.body, typing_only=typing_only)
                    self.block(statement.orelse, typing_only=typing_only)
                case ast.With() | ast.AsyncWith():
                    for item in statement.items:
                        if item.optional_vars is not None:
                            self.target(item.optional_vars, statement)
                    self.block(statement.body, typing_only=typing_only)
                case ast.Match():
                    for case in statement.cases:
                        for name in _captures(case.pattern):
                            self.bind(name, statement)
                        self.block(case.body, typing_only=typing_only)
                case _:
                    self.other(statement, typing_only)

    def other(self, statement: ast.stmt, typing_only: bool) -> None:
        handlers: list[ast.ExceptHandler] = getattr(statement, "handlers", [])
        # `try` and, from Python 3.11 on, `try … except*`, which older versions of ast do not name.
        for field in ("body", "orelse", "finalbody"):
            self.block(getattr(statement, field, []), typing_only=typing_only)
            if field == "body":
                for handler in handlers:
                    self.block(handler.body, typing_only=typing_only)
        alias = getattr(statement, "name", None)
        if isinstance(alias, ast.Name):  # `type X = …`, from Python 3.12 on
            self.bind(alias.id, statement)

    def bind(self, name: str, statement: ast.stmt) -> None:
        self.bindings.setdefault(name, []).append(statement)

    def target(self, target: ast.expr, statement: ast.stmt) -> None:
        for name in stored(target):
            self.bind(name, statement)
        for name in _changed(target):
            self.touched.setdefault(name, []).append(statement)

    def walrus(self, value: ast.expr, statement: ast.stmt) -> None:
        for node in ast.walk(value) if self.has_walrus else ():
            if isinstance(node, ast.NamedExpr):
                self.bind(node.target.id, statement)

    def importing(self, statement: ast.Import | ast.ImportFrom, typing_only: bool) -> None:
        for name, found in imported(statement, self.relative):
            entry = Import(found.module, found.name, typing_only)
            if name == "*":
                self.stars.append(entry)
            else:
                self.bind(name, statement)
                self.imports.setdefault(name, []).append(entry)

    def expression(self, statement: ast.Expr) -> None:
        value = statement.value
        if not isinstance(value, ast.Call):
            return
        name = chain(value.func)
        if "." in name:
            self.touched.setdefault(name.partition(".")[0], []).append(statement)
        elif name == "setattr" and value.args and (owner := chain(value.args[0])):
            self.touched.setdefault(owner.partition(".")[0], []).append(statement)
        if name and len(value.args) == 1:
            argument = value.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                self.wraps.append((name, argument.value))
            elif isinstance(argument, ast.Name):
                self.wraps.append((name, argument.id))

    def wrapped(self) -> Iterator[str]:
        """The names whose wrapper is `torch.fx.wrap` by this file's imports, whatever the file calls it."""
        for wrapper, name in self.wraps:
            head, _, rest = wrapper.partition(".")
            for found in self.imports.get(head, ()):
                full = f"{found.target}.{rest}" if rest else found.target
                if full in ("torch.fx.wrap", "torch.fx._symbolic_trace.wrap"):
                    yield name

    def exported(self) -> tuple[str, ...] | None:
        """`__all__` when it is built from literals by assignment, `+=`, `extend` and `append`."""
        names: list[str] = []
        for statement in [*self.bindings.get("__all__", ()), *self.touched.get("__all__", ())]:
            part: Iterable[ast.expr | None]
            match statement:
                case ast.Assign(value=ast.List(elts=part) | ast.Tuple(elts=part)):
                    pass
                case ast.AnnAssign(value=ast.List(elts=part) | ast.Tuple(elts=part)):
                    pass
                case ast.AugAssign(op=ast.Add(), value=ast.List(elts=part) | ast.Tuple(elts=part)):
                    pass
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[single])):
                    part = [single]
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(attr="extend"), args=[ast.List(elts=part) | ast.Tuple(elts=part)])
                ):
                    pass
                case _:
                    return None
            for element in part:
                if not (isinstance(element, ast.Constant) and isinstance(element.value, str)):
                    return None
                names.append(element.value)
        return tuple(names) if "__all__" in self.bindings else None


def _changed(target: ast.expr) -> Iterator[str]:
    """The names whose attribute or item an assignment target changes."""
    if isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            yield from _changed(element)
    inner: ast.expr = target
    while isinstance(inner, (ast.Attribute, ast.Subscript, ast.Starred)):
        inner = inner.value
    if inner is not target and isinstance(inner, ast.Name):
        yield inner.id


def _captures(pattern: ast.pattern) -> Iterator[str]:
    for node in ast.walk(pattern):
        if isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name is not None:
            yield node.name
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            yield node.rest
