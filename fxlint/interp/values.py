"""Abstract values: what a Python value can be while `symbolic_trace` runs.

    Const(3)        this very number, string, None …
    Concrete("int") a real Python value, which one is not known: a config entry, a constructor argument
    Proxy           torch.fx's stand-in; asking it anything is an event
    RealTensor      a tensor that exists while tracing (buffers, factories): it computes, so its results are baked
    ParameterValue  an nn.Parameter as an object; read from a module under trace it becomes a Proxy
    Union           one of several

Every value has a `kind`: a hashable summary, equal for values that no interpreted code can tell apart. Joins and call
summaries compare kinds. Containers and instances are mutable; what they hold lives in `cells`, written through the heap.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fxlint.interp import limits

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile
    from fxlint.interp.events import RawSpan, RawStep

_serial = itertools.count(1)


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    @property
    def kind(self) -> Hashable:
        """Equal for values that interpreted code cannot tell apart."""
        return id(self)


class Missing(Value):
    """The alternative "not there": an attribute or key that only some paths set."""

    __slots__ = ()

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return "missing"


class Unknown(Value):
    """No knowledge. Never reports; whatever is done with it is Unknown again."""

    __slots__ = ("reason",)

    def __init__(self, reason: str = "") -> None:
        self.reason = reason

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return "unknown"


class Const(Value):
    """A constant scalar: None, bool, int, float, complex, str, bytes, Ellipsis, NotImplemented.

    `definite` marks an answer that torch.fx always gives of a Proxy (`isinstance` False, `is None` False …): a raise
    that such an answer decides is certain, whatever the model's input.
    """

    __slots__ = ("definite", "value")

    def __init__(self, value: Any, definite: bool = False) -> None:
        self.value = value
        self.definite = definite

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (
            "const",
            type(self.value).__name__,
            repr(self.value) if isinstance(self.value, float) else self.value,
            self.definite,
        )


class Concrete(Value):
    """A real Python value that is surely no Proxy and holds none. `hint` is its type's name where that is known."""

    __slots__ = ("hint",)

    def __init__(self, hint: str = "") -> None:
        self.hint = hint

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("concrete", self.hint)


class Proxy(Value):
    """torch.fx's Proxy.

    `flavour`: what the eager value is: tensor, size, int, bool, float, dtype, device, str, list, dict, parameter, input.
    `param`: the root parameter it is, unchanged. `attr`: set when it is an attribute read off another Proxy (a method, if
    called). `low`: it stems from a call that could not be resolved. `optional`: the parameter admits None.
    `origin`: where it entered the trace, for the chain of a finding.
    """

    __slots__ = ("attr", "base", "flavour", "low", "optional", "origin", "param", "source")

    def __init__(
        self,
        flavour: str = "tensor",
        *,
        param: str = "",
        attr: str = "",
        base: str = "",
        low: bool = False,
        optional: bool = False,
        source: object = None,
        origin: RawStep | None = None,
    ) -> None:
        self.origin = origin
        self.flavour = flavour
        self.param = param
        self.attr = attr
        self.base = base
        self.low = low
        self.optional = optional
        self.source = source

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("proxy", self.flavour, self.param, self.attr, self.low)


class RealTensor(Value):
    """A tensor that exists while tracing.

    `tag`: buffer (registered), plain (an attribute that is a tensor), fresh (made by a factory during the trace),
    folded (computed from buffers), random.
    """

    __slots__ = ("tag",)

    def __init__(self, tag: str = "plain") -> None:
        self.tag = tag

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("real", self.tag)


class ParameterValue(Value):
    """An nn.Parameter object. `registered`: some module holds it under a name."""

    __slots__ = ("registered",)

    def __init__(self, registered: bool = False) -> None:
        self.registered = registered

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("parameter", self.registered)


class Seq:
    """What iterating gives: known items, then any number of `tail`s (None: nothing more)."""

    __slots__ = ("items", "tail")

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None) -> None:
        self.items = tuple(items)
        self.tail = tail

    def every(self) -> Iterator[Value]:
        """Each value that may occur."""
        yield from self.items
        if self.tail is not None:
            yield self.tail

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (tuple(i.kind for i in self.items), self.tail.kind if self.tail else None)


class Tuple(Value):
    """A tuple, or a NamedTuple's instance (`cls` then has the field names). `size` marks a real torch.Size."""

    __slots__ = ("cls", "seq")

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None, cls: Class | None = None) -> None:
        self.seq = Seq(items, tail)
        self.cls = cls

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("tuple", self.seq.kind, id(self.cls))


class Slice(Value):
    """A slice object."""

    __slots__ = ("lower", "step", "upper")

    def __init__(self, lower: Value, upper: Value, step: Value) -> None:
        self.lower, self.upper, self.step = lower, upper, step

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("slice", self.lower.kind, self.upper.kind, self.step.kind)

    def parts(self) -> tuple[Value, Value, Value]:
        """Lower, upper, step."""
        return (self.lower, self.upper, self.step)


class Mutable(Value):
    """A value with identity. `cells` holds its contents; `serial` orders allocations, so that the heap knows what is new."""

    __slots__ = ("cells", "serial")

    def __init__(self) -> None:
        self.cells: dict[Any, Any] = {}
        self.serial = next(_serial)


_KIND_DEPTH = 4


class List(Mutable):
    """A list, deque or set (`type_name` says which). The whole content is one cell, so that joins stay elementwise."""

    __slots__ = ("type_name",)

    def __init__(self, items: Iterable[Value] = (), tail: Value | None = None, type_name: str = "list") -> None:
        super().__init__()
        self.cells["seq"] = Seq(items, tail)
        self.type_name = type_name

    @property
    def seq(self) -> Seq:
        """The current content."""
        seq: Seq = self.cells["seq"]
        return seq

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (self.type_name, _bounded(lambda: self.seq.kind, self))


class Dict(Mutable):
    """A dict. Cells: the kind of a key → (key, value); `rest`: any further entries (key, value), if some may be.

    `mirror`: the instance whose `__dict__` this is; writes reach it.
    """

    __slots__ = ("default_factory", "mirror", "type_name")

    def __init__(self, type_name: str = "dict") -> None:
        super().__init__()
        self.type_name = type_name
        self.default_factory: Value | None = None
        self.mirror: Instance | None = None

    @property
    def entries(self) -> dict[Hashable, tuple[Value, Value]]:
        """Kind of key → (key, value), without the rest."""
        return {k: v for k, v in self.cells.items() if k != "rest"}

    @property
    def rest(self) -> tuple[Value, Value] | None:
        """Key and value of the entries that are not known one by one."""
        found: tuple[Value, Value] | None = self.cells.get("rest")
        return found

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("dict", _bounded(lambda: tuple((k, v[1].kind) for k, v in self.cells.items() if v is not None), self))


_active: set[int] = set()


def _bounded(compute: Callable[[], Hashable], owner: Mutable) -> Hashable:
    """Kinds of nested containers, cut where they nest too deep or contain themselves."""
    if id(owner) in _active or len(_active) >= _KIND_DEPTH:
        return ("id", owner.serial)
    _active.add(id(owner))
    try:
        return compute()
    finally:
        _active.discard(id(owner))


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

    __slots__ = ("module", "running", "scope")

    def __init__(self, module: ModuleFile, scope: Scope) -> None:
        self.module = module
        self.scope = scope
        self.running = False


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


class Instance(Mutable):
    """An object of a read class or of a modelled library class (`cls` is an External then).

    Cells: attributes. `payload`: the list, dict or tuple that it is, for subclasses of builtins. `provenance`: class and
    argument kinds, while nothing but its own constructor wrote to it: instances of one provenance are alike.
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


class Union(Value):
    """One of several values. Built by `join` only: flat, distinct kinds, bounded."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Value, ...]) -> None:
        self.members = members

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("union", frozenset(m.kind for m in self.members))


MISSING = Missing()
NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
UNKNOWN = Unknown()
CONCRETE = Concrete()


def members(value: Value) -> tuple[Value, ...]:
    """The alternatives of a value."""
    return value.members if isinstance(value, Union) else (value,)


def join(*values: Value) -> Value:
    """The value that may be any of the given ones, bounded by `limits`."""
    if len(values) == 2 and values[0] is values[1]:
        return values[0]
    found: dict[Hashable, Value] = {}
    for value in values:
        for member in members(value):
            found.setdefault(member.kind, member)
        if len(found) > limits.CANDIDATES:
            found["unknown"] = Unknown("too many alternatives")
            break
    if len(found) == 1:
        return next(iter(found.values()))
    return _build(list(found.values()))


def _build(alternatives: list[Value]) -> Value:
    kept: list[Value] = []
    proxies = [a for a in alternatives if isinstance(a, Proxy)]
    if proxies:
        kept.append(proxies[0] if len(proxies) == 1 else _merge_proxies(proxies))
    by_size: dict[tuple[int, int], Tuple] = {}
    numbers: dict[str, list[Const]] = {}
    for value in alternatives:
        if isinstance(value, Proxy):
            continue
        if isinstance(value, Tuple) and value.seq.tail is None:
            key = (len(value.seq.items), id(value.cls))
            old = by_size.get(key)
            if old is not None:
                pairs = zip(old.seq.items, value.seq.items, strict=True)
                by_size[key] = Tuple((join(a, b) for a, b in pairs), None, value.cls)
            else:
                by_size[key] = value
        elif isinstance(value, Const) and type(value.value) in (int, float, str):
            numbers.setdefault(type(value.value).__name__, []).append(value)
        else:
            kept.append(value)
    kept.extend(by_size.values())
    for name, constants in numbers.items():
        if len(constants) > limits.CONSTANTS:
            if not any(isinstance(k, Concrete) and k.hint == name for k in kept):
                kept.append(Concrete(name))
        else:
            kept.extend(constants)
    if len(kept) > limits.ALTERNATIVES:
        kept = _widen(kept)
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def _merge_proxies(proxies: list[Proxy]) -> Proxy:
    flavours = {p.flavour for p in proxies}
    params = {p.param for p in proxies}
    return Proxy(
        flavours.pop() if len(flavours) == 1 else "tensor",
        param=params.pop() if len(params) == 1 else "",
        low=all(p.low for p in proxies),
        optional=any(p.optional for p in proxies),
        source=proxies[0].source,
    )


def _widen(kept: list[Value]) -> list[Value]:
    """Keep what matters most for events: Proxies, None, tensors and modules; the plain rest becomes Concrete."""
    strong: list[Value] = []
    rest: list[Value] = []
    for value in kept:
        matters = isinstance(value, (Proxy, RealTensor, Missing)) or (isinstance(value, Const) and value.value is None)
        (strong if matters else rest).append(value)
    room = max(limits.ALTERNATIVES - len(strong) - 1, 1)
    chosen: list[Value] = []
    chosen += [v for v in rest if isinstance(v, (Instance, Function, Class, Unknown))][:room]
    chosen += [v for v in rest if not isinstance(v, (Instance, Function, Class, Unknown))][: room - len(chosen)]
    return [*strong, *chosen, Unknown("too many alternatives")]


def without(value: Value, drop: Callable[[Value], bool]) -> Value | None:
    """The value without the alternatives for which `drop` holds; None when nothing is left."""
    if not isinstance(value, Union):
        return None if drop(value) else value
    kept = [m for m in value.members if not drop(m)]
    if not kept:
        return None
    if len(kept) == len(value.members):
        return value
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def is_none(value: Value) -> bool:
    """Whether the value is the constant None."""
    return isinstance(value, Const) and value.value is None


def may_be_proxy(value: Value) -> Proxy | None:
    """A Proxy among the alternatives, if there is one."""
    for member in members(value):
        if isinstance(member, Proxy):
            return member
    return None


def holds_proxy(value: Value, depth: int = 4) -> Proxy | None:
    """A Proxy in the value or in the containers it holds, as `torch.fx` would find it in an argument."""
    for member in members(value):
        if isinstance(member, Proxy):
            return member
        if depth <= 0:
            continue
        inner: Iterable[Value] = ()
        if isinstance(member, (Tuple, List)):
            inner = member.seq.every()
        elif isinstance(member, Dict):
            inner = [v for _, v in (e for e in member.cells.values() if e is not None)]
        elif isinstance(member, Slice):
            inner = member.parts()
        for item in inner:
            found = holds_proxy(item, depth - 1)
            if found is not None:
                return found
    return None
