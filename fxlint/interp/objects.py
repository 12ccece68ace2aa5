"""Abstract functions, classes, modules and instances: what the interpreter calls, and reads attributes of."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

from fxlint.interp.containers import Mutable, Seq
from fxlint.interp.scalars import Value

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile
    from fxlint.interp.events import RawSpan


class Scope(Mutable):
    """Names of one function activation, class body, comprehension or module."""

    __slots__ = ("declared", "is_class", "parent")

    def __init__(self, parent: Scope | None = None, is_class: bool = False) -> None:
        super().__init__()
        self.parent = parent
        self.is_class = is_class
        self.declared: dict[str, str] = {}


class Function(Value):
    """A `def` or `lambda` with its closure."""

    __slots__ = ("attrs", "cls", "defaults", "kw_defaults", "module", "name", "node", "qualname", "scope", "wrapped")

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        module: ModuleFile,
        scope: Scope,
        qualname: str,
        defaults: tuple[Value, ...],
        kw_defaults: dict[str, Value],
        cls: Class | None = None,
    ) -> None:
        self.node = node
        self.module = module
        self.scope = scope
        self.name = getattr(node, "name", "<lambda>")
        self.qualname = qualname
        self.defaults = defaults
        self.kw_defaults = kw_defaults
        self.cls = cls
        self.wrapped: Value | None = None
        self.attrs: dict[str, Value] = {}


class BoundMethod(Value):
    """A function with its `self` (or `cls`)."""

    __slots__ = ("function", "owner")

    def __init__(self, function: Value, owner: Value) -> None:
        self.function, self.owner = function, owner

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("bound", self.function.kind, self.owner.kind)


class NativeMethod(Value):
    """A method of a value that the interpreter models itself: `"a,b".split`, `items.append`, `real_tensor.expand`."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Value, name: str) -> None:
        self.owner, self.name = owner, name

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("native", self.owner.kind, self.name)


class Partial(Value):
    """functools.partial."""

    __slots__ = ("args", "function", "kwargs")

    def __init__(self, function: Value, args: tuple[Value, ...], kwargs: dict[str, Value]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (
            "partial",
            self.function.kind,
            tuple(a.kind for a in self.args),
            tuple((k, v.kind) for k, v in self.kwargs.items()),
        )


class External(Value):
    """A name of a library that is modelled, not read: torch, numpy, the standard library, builtins.

    `autowrapped`: read as `math.name` while tracing, where fx has patched it.
    """

    __slots__ = ("autowrapped", "path")

    def __init__(self, path: str, autowrapped: bool = False) -> None:
        self.path = path
        self.autowrapped = autowrapped

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("external", self.path, self.autowrapped)


class ModuleValue(Value):
    """An imported module whose source is read. `scope` holds its globals."""

    __slots__ = ("module", "scope")

    def __init__(self, module: ModuleFile, scope: Scope) -> None:
        self.module = module
        self.scope = scope


class Class(Mutable):
    """A class whose source is read. Cells: its namespace.

    `mro` lists classes and Externals, most derived first; `complete` is False when a base could not be resolved.
    """

    __slots__ = ("bases", "complete", "decorators", "keywords", "module", "mro", "name", "node", "qualname")

    def __init__(self, name: str, qualname: str, module: ModuleFile, node: ast.ClassDef | None) -> None:
        super().__init__()
        self.name = name
        self.qualname = qualname
        self.module = module
        self.node = node
        self.bases: tuple[Value, ...] = ()
        self.mro: tuple[Value, ...] = ()
        self.complete = True
        self.decorators: frozenset[str] = frozenset()
        self.keywords: dict[str, Value] = {}


UNNAMED = "<any>"
"""The cell of an instance for what was set under a name that is not known."""


class Instance(Mutable):
    """An object of a read class or of a modelled library class (`cls` is an External then).

    Cells: attributes. `payload`: the list, dict or tuple that it is, for subclasses of builtins. `provenance`: class
    and argument kinds, while nothing but its own constructor wrote to it: instances of one provenance are alike.
    `owners`: the modules that registered it. `hooks`: (kind, function, place of registration).
    """

    __slots__ = ("cls", "dynamic", "hooks", "native", "owners", "payload", "provenance", "settled", "version")

    def __init__(self, cls: Class | External) -> None:
        super().__init__()
        self.cls = cls
        self.payload: Value | None = None
        self.provenance: Hashable | None = None
        self.owners: list[Instance] = []
        self.settled = False
        self.version = 0
        self.dynamic = False
        self.hooks: list[tuple[str, Value, RawSpan]] = []
        self.native: dict[str, Any] = {}

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("instance", self.provenance) if self.provenance is not None else ("instance", self.serial, self.version)


class Super(Value):
    """`super()`: attribute lookup on `owner` that starts after `after` in the MRO."""

    __slots__ = ("after", "owner")

    def __init__(self, after: Class, owner: Value) -> None:
        self.after, self.owner = after, owner


class Descriptor(Value):
    """property, staticmethod, classmethod, cached_property: `form` says which."""

    __slots__ = ("form", "getter", "setter")

    def __init__(self, form: str, getter: Value, setter: Value | None = None) -> None:
        self.form, self.getter, self.setter = form, getter, setter


class Generator(Value):
    """A generator that has not run. `run` executes the body once and gives what it yields."""

    __slots__ = ("done", "run")

    def __init__(self, run: Callable[[], Seq]) -> None:
        self.run = run
        self.done: Seq | None = None


class Lazy(Value):
    """A module-level name whose expression is evaluated when it is first read."""

    __slots__ = ("compute",)

    def __init__(self, compute: Callable[[], Value]) -> None:
        self.compute = compute
