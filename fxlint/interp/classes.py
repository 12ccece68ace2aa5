"""Classes: definition, method resolution order, and making instances.

Bases from torch and the standard library stay Externals in the MRO; the torch model says what they hold. Subclasses of
dict, list, tuple and their collections kin carry that container as a payload.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from fxlint.interp import limits
from fxlint.interp.frames import Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Descriptor,
    Dict,
    External,
    Function,
    Instance,
    Lazy,
    List,
    NativeMethod,
    Scope,
    Tuple,
    Unknown,
    Value,
    join,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_DICTS = frozenset(
    {
        "builtins.dict",
        "collections.OrderedDict",
        "collections.UserDict",
        "collections.defaultdict",
        "collections.Counter",
        "typing.Dict",
        "typing.OrderedDict",
    }
)
_LISTS = frozenset({"builtins.list", "collections.UserList", "collections.deque", "typing.List"})
_TUPLES = frozenset({"builtins.tuple", "typing.Tuple"})
_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})


def build(m: Machine, node: ast.ClassDef) -> Value:
    """Run a class statement."""
    frame = m.frame
    qualname = f"{frame.symbol}.{node.name}" if frame.symbol else node.name
    cls = Class(node.name, qualname, frame.module, node)
    bases = [_evaluated(m, base) for base in node.bases if not isinstance(base, ast.Starred)]
    cls.keywords = {k.arg: _evaluated(m, k.value) for k in node.keywords if k.arg}
    scope = Scope(frame.scope, is_class=True)
    scope.cells["__module__"] = Const(frame.module.name)
    scope.cells["__qualname__"] = Const(node.name)
    inner = Frame(scope, frame.module, qualname, m.heap.depth)
    with m.entered(inner), contextlib.suppress(PathEnd):
        m.run(node.body)
    finish(m, cls, bases, scope)
    result: Value = cls
    for expression in reversed(node.decorator_list):
        result = decorators.apply(m, expression, result)
    return result


def _evaluated(m: Machine, node: ast.expr) -> Value:
    try:
        return m.eval(node)
    except PathEnd:
        return UNKNOWN


def finish(m: Machine, cls: Class, bases: Sequence[Value], scope: Scope) -> None:
    """Settle bases, MRO and namespace."""
    chosen = []
    for base in bases:
        found = next((b for b in members(base) if isinstance(b, (Class, External))), None)
        if found is None:
            cls.complete = cls.complete and isinstance(base, Const)
            m.unresolved.add(f"a base of `{cls.qualname}`")
        elif not (
            isinstance(found, External) and found.path in ("builtins.object", "typing.Generic", "typing.Protocol")
        ):
            chosen.append(found)
    cls.bases = tuple(chosen)
    cls.mro = linearize(cls)
    cls.complete = cls.complete and all(b.complete for b in cls.bases if isinstance(b, Class))
    for name, value in scope.cells.items():
        if isinstance(value, Lazy):
            value = value.compute()
        cls.cells[name] = value
        function = value.getter if isinstance(value, Descriptor) else value
        if isinstance(function, Function) and function.cls is None:
            function.cls = cls
        if isinstance(value, Descriptor) and isinstance(value.setter, Function):
            value.setter.cls = cls
    paths = {b.path for b in cls.mro if isinstance(b, External)}
    if paths & _ENUMS:
        _make_enum(cls)
    if "typing.NamedTuple" in paths:
        _make_namedtuple(cls)
    if any(isinstance(b, Class) and "<dataclass>" in b.cells for b in cls.mro[1:]) and cls.node is not None:
        cls.cells.setdefault("<dataclass>", CONCRETE)
    for base in cls.mro[1:]:
        hook = base.cells.get("__init_subclass__") if isinstance(base, Class) else None
        if isinstance(hook, (Function, Descriptor)):
            function = hook.getter if isinstance(hook, Descriptor) else hook
            with contextlib.suppress(PathEnd):
                m.call(function, [cls], dict(cls.keywords), cls.node or m.frame.module.tree)
            break


def linearize(cls: Class) -> tuple[Value, ...]:
    """C3 linearization over read classes and Externals; where the bases disagree, depth first."""
    sequences: list[list[Value]] = [list(b.mro) if isinstance(b, Class) else [b] for b in cls.bases]
    sequences.append(list(cls.bases))
    merged: list[Value] = [cls]
    while any(sequences):
        sequences = [s for s in sequences if s]
        head = next(
            (s[0] for s in sequences if not any(_among(s[0], other[1:]) for other in sequences)),
            sequences[0][0] if sequences else None,
        )
        if head is None:
            break
        merged.append(head)
        sequences = [[v for v in s if not _same(v, head)] for s in sequences]
    return tuple(merged)


def _same(a: Value, b: Value) -> bool:
    return a is b or (isinstance(a, External) and isinstance(b, External) and a.path == b.path)


def _among(value: Value, others: Sequence[Value]) -> bool:
    return any(_same(value, o) for o in others)


def externals(cls: Class | External) -> list[str]:
    """Dotted names of the library classes among the ancestors."""
    if isinstance(cls, External):
        return [cls.path]
    return [b.path for b in cls.mro if isinstance(b, External)]


def is_module_class(m: Machine, cls: Class | External) -> bool:
    """Whether instances are torch modules."""
    return any(m.is_torch_module(path) for path in externals(cls))


def derives(m: Machine, cls: Class | External, other: Value) -> bool | None:
    """issubclass(cls, other) for classes; None when a base is not known."""
    if isinstance(other, Class):
        if isinstance(cls, External):
            return False
        if any(b is other for b in cls.mro):
            return True
        return False if cls.complete else None
    if isinstance(other, External):
        for path in externals(cls):
            if path == other.path or m.torch_derives(path, other.path):
                return True
        if other.path == "builtins.object":
            return True
        return False if isinstance(cls, External) or cls.complete else None
    return None


# ---- special classes


def _make_enum(cls: Class) -> None:
    for name, value in list(cls.cells.items()):
        if name.startswith("_") or isinstance(value, (Function, Descriptor, Class)):
            continue
        member = Instance(cls)
        member.cells["value"] = member.cells["_value_"] = value
        member.cells["name"] = Const(name)
        member.provenance = ("enum", id(cls), name)
        member.settled = True
        if any(
            p in ("builtins.str", "builtins.int", "enum.IntEnum", "enum.StrEnum") for p in externals(cls)
        ) and isinstance(value, Const):
            member.payload = value
        cls.cells[name] = member


def fields_of(cls: Class) -> list[tuple[str, ast.expr | None]]:
    """Annotated fields of a NamedTuple or dataclass with default expressions, base classes first."""
    found: dict[str, ast.expr | None] = {}
    for base in reversed(cls.mro):
        if (
            isinstance(base, Class)
            and base.node is not None
            and ("<dataclass>" in base.cells or base is cls or "<namedtuple>" in base.cells)
        ):
            for statement in base.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    text = ast.dump(statement.annotation)
                    if "ClassVar" not in text and "KW_ONLY" not in text:
                        found[statement.target.id] = statement.value
    return list(found.items())


def _make_namedtuple(cls: Class) -> None:
    cls.cells["<namedtuple>"] = CONCRETE
    cls.keywords["fields"] = Tuple(Const(name) for name, _ in fields_of(cls))


def make_dataclass(m: Machine, cls: Class, options: dict[str, Value]) -> None:
    """Mark a class as a dataclass."""
    cls.cells["<dataclass>"] = Tuple(Const(k) for k, v in options.items() if isinstance(v, Const) and v.value)


def namedtuple_class(m: Machine, name: str, fields: Sequence[str], defaults: Sequence[Value]) -> Class:
    """`collections.namedtuple(name, fields)`."""
    cls = Class(name, name, m.frame.module, None)
    cls.mro = (cls, External("builtins.tuple"))
    cls.cells["<namedtuple>"] = CONCRETE
    cls.keywords["fields"] = Tuple(Const(f) for f in fields)
    for field, value in zip(list(fields)[len(fields) - len(defaults) :], defaults, strict=True):
        cls.cells[field] = value
    return cls


# ---- instances


def construct(m: Machine, cls: Class, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`cls(*args, **kwargs)`."""
    paths = set(externals(cls))
    if "<namedtuple>" in cls.cells or any(isinstance(b, Class) and "<namedtuple>" in b.cells for b in cls.mro):
        return _namedtuple_instance(m, cls, args, kwargs, node)
    if paths & _ENUMS:
        return _enum_lookup(cls, args)
    if paths & {"builtins.type"}:
        return UNKNOWN
    key = _provenance(cls, args, kwargs) if not m.tracing else None
    alike = m.alike.get(key) if key is not None else None
    if alike is not None and len(alike) >= limits.ALIKE and alike[-1].provenance == key:
        return alike[-1]
    made = _new(m, cls, args, kwargs, node)
    if not isinstance(made, Instance) or made.cls is not cls:
        return made
    init = attributes.find_in_class(m, cls, "__init__")
    if isinstance(init, Function):
        m.call(init, [made, *args], kwargs, node)
    elif init is not None and not isinstance(init, External):
        m.call(attributes.bind(m, init, made, node), list(args), kwargs, node)
    elif "<dataclass>" in cls.cells:
        _dataclass_init(m, cls, made, args, kwargs, node)
    else:
        native_init(m, made, args, kwargs, node, own=True)
    settle(m, made, args, kwargs)
    if key is not None and made.provenance == key and is_module_class(m, cls):
        m.alike.setdefault(key, []).append(made)
    return made


def _provenance(cls: Class | External, args: Sequence[Value], kwargs: dict[str, Value]) -> Hashable | None:
    """Class and argument kinds, under which instances are alike; None when some kind cannot be hashed."""
    name: object = id(cls) if isinstance(cls, Class) else cls.path
    try:
        key = (name, tuple(a.kind for a in args), tuple((k, v.kind) for k, v in kwargs.items()))
        hash(key)
    except (TypeError, RecursionError):
        return None
    return key


def _new(m: Machine, cls: Class, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = blank(cls)
    maker = attributes.find_in_class(m, cls, "__new__")
    function = maker.getter if isinstance(maker, Descriptor) else maker
    if isinstance(function, Function):
        found = m.call(function, [cls, *args], kwargs, node)
        inner = next((v for v in members(found) if isinstance(v, Instance)), None)
        return inner if inner is not None else made if isinstance(found, (Unknown, Concrete)) else found
    return made


def blank(cls: Class) -> Instance:
    """An instance before `__init__`."""
    made = Instance(cls)
    made.dynamic = not cls.complete
    paths = set(externals(cls))
    if paths & _DICTS:
        made.payload = Dict()
    elif paths & _LISTS:
        made.payload = List()
    elif paths & _TUPLES:
        made.payload = Tuple()
    elif paths & {"builtins.set", "builtins.frozenset"}:
        made.payload = List((), None, "set")
    return made


def settle(m: Machine, made: Instance, args: Sequence[Value], kwargs: dict[str, Value]) -> None:
    """After construction: instances of one class made from arguments of the same kinds are alike."""
    made.settled = True
    if not made.hooks:
        made.provenance = _provenance(made.cls, args, kwargs)


def native_init(
    m: Machine, made: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST, own: bool = False
) -> Value:
    """`__init__` of the library ancestors."""
    if made.payload is not None:
        _fill_payload(m, made, args, kwargs, node)
    elif is_module_class(m, made.cls):
        nn_modules.initialise(m, made, args, kwargs, node)
    elif any(p.endswith(("Exception", "Error", "Warning")) for p in externals(made.cls)):
        m.heap.write(made, "args", Tuple(args))
    elif own and isinstance(made.cls, Class) and made.cls.complete and (args or kwargs) and not externals(made.cls):
        raise m.fail("TypeError", node, arity=True)
    return NONE


def _fill_payload(m: Machine, made: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> None:
    if isinstance(made.payload, Dict):
        builtin_methods.method(m, made.payload, "update", args, kwargs, node)
    elif isinstance(made.payload, List) and args:
        builtin_methods.method(m, made.payload, "extend", args[:1], {}, node)
    elif isinstance(made.payload, Tuple) and args:
        seq = m.iterate(args[0], node, via="tuple()")
        made.payload = Tuple(seq.items, seq.tail)


def _enum_lookup(cls: Class, args: Sequence[Value]) -> Value:
    found = [v for v in cls.cells.values() if isinstance(v, Instance) and v.cls is cls]
    if args and isinstance(args[0], Const):
        for member in found:
            if isinstance(member.cells.get("value"), Const) and member.cells["value"].kind == args[0].kind:
                return member
    if args and isinstance(args[0], Instance) and args[0].cls is cls:
        return args[0]
    return join(*found) if found else UNKNOWN


def _namedtuple_instance(
    m: Machine, cls: Class, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    owner = next(b for b in cls.mro if isinstance(b, Class) and "<namedtuple>" in b.cells)
    fields = owner.keywords.get("fields")
    names = [str(f.value) for f in fields.seq.items if isinstance(f, Const)] if isinstance(fields, Tuple) else []
    given = dict(zip(names, args, strict=False))
    given.update({k: v for k, v in kwargs.items() if k in names})
    items = []
    for name in names:
        value = given.get(name)
        if value is None:
            default = owner.cells.get(name)
            value = default if isinstance(default, Value) else UNKNOWN
        items.append(value)
    made = Tuple(items, None, owner)
    if owner is not cls:
        wrapper = Instance(cls)
        wrapper.payload = made
        return wrapper
    return made


def _dataclass_init(
    m: Machine, cls: Class, made: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> None:
    fields = fields_of(cls)
    positional = dict(zip([n for n, _ in fields], args, strict=False))
    rest = kwargs.get(functions.REST)
    for name, default in fields:
        value = positional.get(name) or kwargs.get(name)
        if value is None and rest is not None:
            value = CONCRETE if isinstance(rest, Concrete) else UNKNOWN
        if value is None:
            value = _field_default(m, cls, name, default, node)
        m.heap.write(made, name, value)
    if made.payload is None and is_module_class(m, cls):
        nn_modules.initialise(m, made, (), {}, node)
    post = attributes.find_in_class(m, cls, "__post_init__")
    if isinstance(post, Function):
        m.call(post, [made], {}, node)


def _field_default(m: Machine, cls: Class, name: str, default: ast.expr | None, node: ast.AST) -> Value:
    if default is None:
        return UNKNOWN
    value = attributes.find_in_class(m, cls, name)
    if isinstance(value, NativeMethod) and value.name == "<field>":
        factory = value.owner
        return m.call(factory, [], {}, node)
    return value if value is not None else UNKNOWN


from fxlint.interp import attributes, builtin_methods, decorators, functions, nn_modules  # noqa: E402
