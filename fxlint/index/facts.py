"""Which names a function or class uses to build things, without keeping the tree.

To know which module classes are built by others, it is enough to know which names each body mentions *as a value*.
Mentions that build nothing are left out: annotations, `isinstance(m, Block)`, `super(Net, self)`, `type(m) is Block`,
bases of a nested class, names that are local. What remains are dotted texts that start at a top-level name of the file
("nn.Conv2d", "Block", "layers.make_stem") or, for names imported inside the function, a module and a name in it,
marked with ":".

    def make_layer(block=Block):              # mentions "Block"
        from .stem import Stem                # "Stem" is local …
        return nn.Sequential(Stem(), block()) # … so ":pkg.stem:Stem", "nn.Sequential"; `block` is a parameter

Everything here is small strings, so a library's trees can be forgotten once its facts are taken.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fxlint.index.symbols import Import, Relative, Symbols, chain, imported, stored

ABSOLUTE = ":"

# Calls whose class argument is looked at, not built.
_TESTS = frozenset({"isinstance", "issubclass", "cast", "hasattr"})
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Mentions:
    """The names that a body mentions as values; `chains_up` says whether it calls the method that it overrides."""

    names: frozenset[str] = _NOTHING
    chains_up: bool = False


@dataclass(frozen=True, slots=True)
class ClassFacts:
    """One class statement: where it is, the texts of its bases (empty for a base that is no dotted name), what its
    methods and its body mention, and the names of the classes inside it."""

    qualname: str
    line: int
    bases: tuple[str, ...]
    methods: Mapping[str, Mentions]
    body: frozenset[str]
    inner: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Whether the class itself binds a method or attribute of that name."""
        return name in self.methods


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The classes of a file by qualified name, and what its other top-level names mention.

    `aliases` has the names bound to a plain dotted name or to a choice of them (`Conv = nn.Conv2d if … else Own`),
    `values` the names bound to functions and to anything else.
    """

    classes: Mapping[str, ClassFacts]
    mentions: Mapping[str, frozenset[str]]
    values: frozenset[str]
    aliases: Mapping[str, tuple[str, ...]]
    imports: Mapping[str, tuple[Import, ...]]
    stars: tuple[Import, ...]
    public: tuple[str, ...]
    uses_torch: bool

    def binds(self, name: str) -> bool:
        """Whether a statement at top level may bind the name; star imports are not counted."""
        return name in self.values or name in self.imports or name in self.aliases or name in self.classes


def gather(symbols: Symbols, text: str, relative: Relative) -> FileFacts:
    """The facts of a file, from its symbols."""
    return _Gather(symbols, relative).run("torch" in text)


class _Gather:
    def __init__(self, symbols: Symbols, relative: Relative) -> None:
        self.symbols = symbols
        self.relative = relative
        self.open = bool(symbols.stars)
        self.classes: dict[str, ClassFacts] = {}

    def run(self, uses_torch: bool) -> FileFacts:
        mentions: dict[str, frozenset[str]] = {}
        aliases: dict[str, tuple[str, ...]] = {}
        values: set[str] = set()
        seen: dict[int, frozenset[str]] = {}
        for name, statements in self.symbols.bindings.items():
            found: set[str] = set()
            for statement in (*statements, *self.symbols.touched.get(name, ())):
                if isinstance(statement, ast.ClassDef):
                    self.describe(statement, "")
                elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
                    if id(statement) not in seen:
                        seen[id(statement)] = self.top(statement)
                    found |= seen[id(statement)]
                    if choices := _alias(statement, name):
                        aliases[name] = (*aliases.get(name, ()), *choices)
                    elif statement in statements:
                        values.add(name)
            if found:
                mentions[name] = frozenset(found)
        return FileFacts(
            classes=self.classes,
            mentions=mentions,
            values=frozenset(values),
            aliases=aliases,
            imports=self.symbols.imports,
            stars=self.symbols.stars,
            public=tuple(self.symbols.public()),
            uses_torch=uses_torch,
        )

    def top(self, statement: ast.stmt) -> frozenset[str]:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return self.function(statement).names
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
            return self.known(_Walk(self.relative).run([] if statement.value is None else [statement.value]).names)
        return _NOTHING

    def describe(self, node: ast.ClassDef, prefix: str) -> None:
        qualname = prefix + node.name
        methods: dict[str, Mentions] = {}
        body: set[str] = set()
        inner: list[str] = []
        for statement in _flat(node.body):
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found = self.function(statement)
                before = methods.get(statement.name)
                if before is not None:  # a property and its setter, or two branches
                    found = Mentions(before.names | found.names, before.chains_up or found.chains_up)
                methods[statement.name] = found
            elif isinstance(statement, ast.ClassDef):
                inner.append(f"{qualname}.{statement.name}")
                self.describe(statement, qualname + ".")
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                body |= self.known(_Walk(self.relative).run([statement.value]).names)
                for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                    for name in stored(target):
                        methods.setdefault(name, Mentions())
        bases = tuple(chain(_origin(base)) for base in node.bases if not isinstance(base, ast.Starred))
        self.classes[qualname] = ClassFacts(qualname, node.lineno, bases, methods, frozenset(body), tuple(inner))

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Mentions:
        outer = _Walk(self.relative).run([*_defaults(node.args), *node.decorator_list])
        inner = _Walk(self.relative)
        inner.parameters(node.args)
        inner.run(node.body)
        return Mentions(self.known(outer.names) | self.known(inner.free()), inner.chains_up)

    def known(self, names: set[str]) -> frozenset[str]:
        """Only names that this file can know; builtins and torch's own names lead to no class of a project."""
        if not names:
            return _NOTHING
        return frozenset(sys.intern(name) for name in names if self.leads_on(name))

    def leads_on(self, name: str) -> bool:
        if name.startswith(ABSOLUTE):
            return name[1:].partition(ABSOLUTE)[0].partition(".")[0] not in ("torch", "numpy")
        head = name.partition(".")[0]
        imports = self.symbols.imports.get(head)
        if imports is not None and all(found.module.partition(".")[0] in ("torch", "numpy") for found in imports):
            return len(imports) < len(self.symbols.bindings[head])
        return head in self.symbols.bindings or self.open


class _Walk:
    """Collects the names that statements or expressions mention as values."""

    def __init__(self, relative: Relative) -> None:
        self.relative = relative
        self.names: set[str] = set()
        self.locals: set[str] = set()
        self.imports: dict[str, Import] = {}
        self.globals: set[str] = set()
        self.chains_up = False

    def parameters(self, arguments: ast.arguments) -> None:
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.locals.add(argument.arg)
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                self.locals.add(extra.arg)

    def free(self) -> set[str]:
        """The mentioned names that are not local, names imported in the function made absolute."""
        local = self.locals - self.globals
        found: set[str] = set()
        for name in self.names:
            head, dot, rest = name.partition(".")
            if head in self.imports:
                origin = self.imports[head]
                path = f"{origin.name}{dot}{rest}" if origin.name is not None else rest
                found.add(f"{ABSOLUTE}{origin.module}{ABSOLUTE}{path}")
            elif head not in local:
                found.add(name)
        return found

    def run(self, nodes: list[ast.stmt] | list[ast.expr]) -> _Walk:
        stack: list[ast.AST] = list(nodes)
        pop, push = stack.pop, stack.append
        names, special, parts = self.names, _SPECIAL, _PARTS
        # The hot loop of the whole index: names are dealt with at once, other nodes by a look-up of their class.
        while stack:
            node = pop()
            kind = node.__class__
            if kind is ast.Name:
                (names if node.ctx.__class__ is ast.Load else self.locals).add(node.id)  # type: ignore[attr-defined]
            elif (handler := special.get(kind)) is not None:
                handler(self, node, push)
            elif (fields := parts.get(kind)) is not None:
                for field in fields[0]:
                    push(getattr(node, field))
                for field in fields[1]:
                    stack += getattr(node, field)
            else:
                stack += ast.iter_child_nodes(node)
        return self


Push = Callable[[ast.AST], None]


def _skip(walk: _Walk, node: ast.AST, push: Push) -> None:
    pass


def _attribute(walk: _Walk, node: ast.Attribute, push: Push) -> None:
    text = chain(node)
    if not text:
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            inner = inner.value
        push(inner)
    elif isinstance(node.ctx, ast.Load):
        walk.names.add(text)


def _call(walk: _Walk, node: ast.Call, push: Push) -> None:
    function, arguments = node.func, node.args
    if isinstance(function, ast.Name):
        if function.id in _TESTS:
            for argument in arguments[:1] if function.id != "cast" else arguments[1:]:
                push(argument)
            return
        if function.id == "super":
            walk.chains_up = True
            return
        walk.names.add(function.id)
    elif (
        isinstance(function, ast.Attribute) and arguments and _is_self(arguments[0]) and _is_class_like(function.value)
    ):
        walk.chains_up = True  # Base.forward(self, x): a method of a base, called by its class
    else:
        push(function)
    for argument in arguments:
        push(argument)
    for keyword in node.keywords:
        push(keyword.value)


def _function(walk: _Walk, node: ast.FunctionDef | ast.AsyncFunctionDef, push: Push) -> None:
    walk.locals.add(node.name)
    walk.parameters(node.args)
    for part in (*_defaults(node.args), *node.decorator_list, *node.body):
        push(part)


def _lambda(walk: _Walk, node: ast.Lambda, push: Push) -> None:
    walk.parameters(node.args)
    for default in _defaults(node.args):
        push(default)
    push(node.body)


def _class(walk: _Walk, node: ast.ClassDef, push: Push) -> None:
    walk.locals.add(node.name)
    for statement in node.body:
        push(statement)


def _annotated(walk: _Walk, node: ast.AnnAssign, push: Push) -> None:
    push(node.target)
    if node.value is not None:
        push(node.value)


def _compare(walk: _Walk, node: ast.Compare, push: Push) -> None:
    for operand in (node.left, *node.comparators):
        if not isinstance(operand, (ast.Name, ast.Attribute)):
            push(operand)


def _handler(walk: _Walk, node: ast.ExceptHandler, push: Push) -> None:
    if node.name is not None:
        walk.locals.add(node.name)
    for statement in node.body:
        push(statement)


def _import(walk: _Walk, node: ast.Import | ast.ImportFrom, push: Push) -> None:
    for name, found in imported(node, walk.relative):
        walk.imports[name] = found


def _global(walk: _Walk, node: ast.Global, push: Push) -> None:
    walk.globals.update(node.names)


_SPECIAL: Mapping[type, Callable[[_Walk, Any, Push], None]] = {
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Constant: _skip,
    ast.Pass: _skip,
    type(None): _skip,  # an absent child, such as the key of `{**more}`
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.Lambda: _lambda,
    ast.ClassDef: _class,
    ast.AnnAssign: _annotated,
    ast.Compare: _compare,
    ast.ExceptHandler: _handler,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Global: _global,
}


# Fields of the most frequent classes that hold one child, and those that hold a list of them.
_PARTS: Mapping[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    ast.Assign: (("value",), ("targets",)),
    ast.AugAssign: (("target", "value"), ()),
    ast.Expr: (("value",), ()),
    ast.Return: (("value",), ()),
    ast.If: (("test",), ("body", "orelse")),
    ast.For: (("target", "iter"), ("body", "orelse")),
    ast.BinOp: (("left", "right"), ()),
    ast.BoolOp: ((), ("values",)),
    ast.UnaryOp: (("operand",), ()),
    ast.Subscript: (("value", "slice"), ()),
    ast.Slice: (("lower", "upper", "step"), ()),
    ast.Tuple: ((), ("elts",)),
    ast.List: ((), ("elts",)),
    ast.Dict: ((), ("keys", "values")),
    ast.IfExp: (("test", "body", "orelse"), ()),
    ast.JoinedStr: ((), ("values",)),
    ast.FormattedValue: (("value",), ()),
    ast.Starred: (("value",), ()),
    ast.Raise: (("exc",), ()),
}


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_class_like(node: ast.expr) -> bool:
    return chain(node).rpartition(".")[2][:1].isupper()


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]


def _origin(base: ast.expr) -> ast.expr:
    """`Generic[T]` is `Generic`, as a base."""
    return base.value if isinstance(base, ast.Subscript) else base


def _alias(statement: ast.stmt, name: str) -> tuple[str, ...]:
    """The dotted names that an assignment makes `name` stand for; nothing when it may be something else."""
    if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or statement.value is None:
        return ()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
        return ()
    return tuple(_choices(statement.value))


def _choices(value: ast.expr) -> Iterator[str]:
    if isinstance(value, ast.IfExp):
        yield from _choices(value.body)
        yield from _choices(value.orelse)
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _choices(part)
    elif text := chain(value):
        yield text


def _flat(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a class body, those under `if` and `try` included."""
    for statement in statements:
        yield statement
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for field in ("body", "orelse", "finalbody"):
                yield from _flat(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _flat(handler.body)
