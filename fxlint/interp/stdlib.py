"""The standard library: what its functions do to values, where that matters under trace.

A function that is not listed gives Concrete, or a Proxy of low confidence when a Proxy goes in.
"""

from __future__ import annotations

import ast
import functools as host_functools
import importlib
import itertools
import math
import string
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    NONE,
    UNKNOWN,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    List,
    NativeMethod,
    Partial,
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

Model = Callable[["Machine", Sequence[Value], dict[str, Value], ast.AST], Value]

_TIME = frozenset(
    {
        "time.time",
        "time.perf_counter",
        "time.monotonic",
        "time.process_time",
        "time.time_ns",
        "time.perf_counter_ns",
        "datetime.datetime.now",
        "uuid.uuid4",
    }
)
_QUIET = frozenset(
    {
        "warnings.warn",
        "logging.info",
        "logging.debug",
        "logging.warning",
        "gc.collect",
        "time.sleep",
        "sys.stdout.write",
    }
)
_CLASSES = frozenset({"collections.OrderedDict", "collections.defaultdict", "collections.deque", "collections.Counter"})


def constant(path: str) -> Value | None:
    """A library name that is a plain constant."""
    if path in ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"):
        return FALSE
    if path.startswith(("math.", "string.")):
        found = getattr(math if path.startswith("math.") else string, path.partition(".")[2], None)
        if isinstance(found, (int, float, str)):
            return Const(found)
    if path == "sys.version_info":
        return Tuple(Const(v) for v in sys.version_info)
    if path in ("sys.maxsize", "sys.platform", "os.sep"):
        return Concrete("str" if path != "sys.maxsize" else "int")
    if path in ("os.environ", "sys.modules", "sys.path", "sys.argv"):
        return CONCRETE
    return None


@host_functools.lru_cache(maxsize=4096)
def exists(path: str) -> bool:
    """Whether the standard library module has the name (its public modules are imported to ask)."""
    top, _, name = path.rpartition(".")
    if top.partition(".")[0] not in sys.stdlib_module_names or top in ("antigravity", "this", "idlelib"):
        return False
    try:
        return name in getattr(importlib.import_module(top), "__all__", ()) or hasattr(
            importlib.import_module(top), name
        )
    except Exception:
        return False


@host_functools.lru_cache(maxsize=4096)
def class_has(path: str, name: str) -> bool:
    """Whether a library class defines the member itself (object's own do not count)."""
    top, _, cls = path.rpartition(".")
    if top in ("typing", "abc", "enum", "typing_extensions") or not top:
        return False
    if top.partition(".")[0] not in sys.stdlib_module_names:
        return not name.startswith("__")
    try:
        found = getattr(importlib.import_module(top), cls, None)
    except Exception:
        return False
    return found is not None and hasattr(found, name) and getattr(object, name, None) is not getattr(found, name)


def call(m: Machine, function: External, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call a standard library name."""
    path = function.path
    made = decorators.call_external_factory(m, path, list(args), kwargs)
    if made is not None:
        return made
    if path in _CLASSES or path.rpartition(".")[0] in ("collections.OrderedDict",):
        return _collection(m, path, args, kwargs, node)
    model = _TABLE.get(path)
    if model is not None:
        return model(m, args, kwargs, node)
    proxy = calls.proxy_among(args, kwargs)
    if path.startswith(("math.", "cmath.")):
        return _math(m, function, args, proxy, node)
    if path.startswith("operator."):
        return _operator(m, path.partition(".")[2], args, kwargs, node)
    if path.startswith(("random.", "secrets.")) or path in _TIME:
        m.emit(Hook.RANDOM, node, via=path, effect=Effect.SILENT)
        if path in ("random.choice", "random.sample", "random.shuffle") and args:
            every = list(m.iterate(args[0], node, via=path).every())
            chosen = join(*every) if every else UNKNOWN
            return chosen if path == "random.choice" else List((), chosen)
        return Concrete("int" if path.endswith(("randint", "randrange", "getrandbits")) else "float")
    if path in _QUIET or path.startswith(("logging.", "warnings.")):
        if proxy is not None:
            m.emit(Hook.PRINT, node, proxy, via=path, effect=Effect.SILENT)
        return CONCRETE
    if path.startswith(("typing.", "typing_extensions.")):
        return args[1] if path.endswith(".cast") and len(args) > 1 else External(path)
    if path.startswith(
        ("os.", "sys.", "re.", "json.", "pathlib.", "inspect.", "platform.", "importlib.", "types.", "abc.", "enum.")
    ):
        return CONCRETE
    if proxy is not None:
        return Proxy("tensor", low=True)
    return CONCRETE


# ---- math and operator


def _math(m: Machine, function: External, args: Sequence[Value], proxy: Proxy | None, node: ast.AST) -> Value:
    name = function.path.partition(".")[2]
    if proxy is not None:
        if function.autowrapped:
            return Proxy(
                "float" if name not in ("ceil", "floor", "prod", "gcd", "trunc", "comb", "factorial") else "int"
            )
        m.emit(Hook.NUMBER, node, proxy, via=f"math.{name}", detail="alias")
        return Concrete("float")
    hosts = [builtin_types.to_host(a) for a in args]
    if builtin_types.NOT_CONSTANT not in hosts and name not in ("factorial", "comb", "perm", "pow", "exp", "ldexp"):
        try:
            return builtin_types.from_host(getattr(math, name)(*hosts))
        except Exception:
            return Concrete("float")
    return Concrete("int" if name in ("ceil", "floor", "gcd", "trunc", "comb", "factorial") else "float")


_BINARY = {
    "add": ast.Add, "iadd": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "imul": ast.Mult, "truediv": ast.Div, "floordiv": ast.FloorDiv,
    "mod": ast.Mod, "pow": ast.Pow, "matmul": ast.MatMult, "and_": ast.BitAnd, "or_": ast.BitOr, "xor": ast.BitXor,
}  # fmt: skip
_COMPARE = {"eq": ast.Eq, "ne": ast.NotEq, "lt": ast.Lt, "le": ast.LtE, "gt": ast.Gt, "ge": ast.GtE}


def _operator(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if name in _BINARY and len(args) == 2:
        return operators.binary(m, _BINARY[name](), args[0], args[1], node)
    if name in _COMPARE and len(args) == 2:
        return operators.compare(m, _COMPARE[name](), args[0], args[1], node)  # type: ignore[arg-type]
    if name == "getitem" and len(args) == 2:
        return subscripts.load(m, args[0], args[1], node)  # type: ignore[arg-type]
    if name == "setitem" and len(args) == 3:
        subscripts.store(m, args[0], args[1], args[2], node)  # type: ignore[arg-type]
        return NONE
    if name in ("is_", "is_not") and len(args) == 2:
        return operators.compare(m, ast.Is() if name == "is_" else ast.IsNot(), args[0], args[1], node)  # type: ignore[arg-type]
    if name == "contains" and len(args) == 2:
        return operators.compare(m, ast.In(), args[1], args[0], node)  # type: ignore[arg-type]
    if name == "not_" and args:
        return operators.negate(m, args[0], node)
    if name == "truth" and args:
        return builtin_functions.call_by_name(m, "bool", args, {}, node)
    if name in ("neg", "invert", "pos") and args:
        return operators.unary(m, {"neg": ast.USub, "invert": ast.Invert, "pos": ast.UAdd}[name](), args[0], node)
    if name in ("itemgetter", "attrgetter", "methodcaller"):
        made = Instance(External(f"operator.{name}"))
        made.native["args"] = (tuple(args), dict(kwargs))
        made.provenance = ("operator", name, tuple(a.kind for a in args))
        made.settled = True
        return made
    if name in ("index", "length_hint") and args:
        proxy = may_be_proxy(args[0])
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via=f"operator.{name}")
        return Concrete("int")
    return functions.give_up(args, kwargs)


def call_getter(m: Machine, owner: Instance, args: Sequence[Value], node: ast.AST) -> Value:
    """Call what itemgetter, attrgetter or methodcaller made."""
    keys, _ = owner.native["args"]
    name = owner.cls.path if isinstance(owner.cls, External) else ""
    if not args:
        return UNKNOWN
    if name.endswith("itemgetter"):
        found = [subscripts.load(m, args[0], k, node) for k in keys]  # type: ignore[arg-type]
        return found[0] if len(found) == 1 else Tuple(found)
    if name.endswith("attrgetter"):
        found = [m.getattr(args[0], str(k.value), node) for k in keys if isinstance(k, Const)]
        return found[0] if len(found) == 1 else Tuple(found)
    return (
        m.call(m.getattr(args[0], str(keys[0].value), node), list(keys[1:]), {}, node)
        if keys and isinstance(keys[0], Const)
        else UNKNOWN
    )


# ---- collections, functools, itertools


def _collection(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    name = path.split(".")[1]
    if name == "deque":
        made_list = builtin_functions.call_by_name(m, "list", args[:1], {}, node)
        if isinstance(made_list, List):
            made_list.type_name = "deque"
        return made_list
    if path.endswith(".fromkeys"):
        return builtin_functions.call_by_name(m, "dict.fromkeys", args, kwargs, node)
    if name == "defaultdict":
        made = builtin_functions.call_by_name(m, "dict", args[1:], kwargs, node)
        if isinstance(made, Dict):
            made.default_factory = args[0] if args and not (isinstance(args[0], Const)) else None
            made.type_name = "defaultdict"
        return made
    if name == "Counter":
        counted = Dict()
        counted.cells["rest"] = (CONCRETE, Concrete("int"))
        return counted
    made = builtin_functions.call_by_name(m, "dict", args, kwargs, node)
    if isinstance(made, Dict):
        made.type_name = name
    return made


def _namedtuple(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    hosts = [builtin_types.to_host(a) for a in args[:2]]
    if len(hosts) < 2 or not isinstance(hosts[0], str):
        return UNKNOWN
    fields = hosts[1]
    names = (
        fields.replace(",", " ").split()
        if isinstance(fields, str)
        else [f if isinstance(f, str) else f[0] for f in fields]
        if isinstance(fields, (list, tuple))
        else []
    )
    defaults = (
        m.iterate(kwargs["defaults"], node).items
        if "defaults" in kwargs and not isinstance(kwargs["defaults"], Const)
        else ()
    )
    return classes.namedtuple_class(m, hosts[0], names, defaults[-len(names) :] if names else ())


def _partial(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Partial(args[0], tuple(args[1:]), dict(kwargs)) if args else UNKNOWN


def _reduce(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    seq = m.iterate(args[1], node, via="functools.reduce")
    values = list(seq.items)
    total = args[2] if len(args) > 2 else values.pop(0) if values else seq.tail or UNKNOWN
    for value in values[:24]:
        total = m.call(args[0], [total, value], {}, node)
    if seq.tail is not None:
        total = join(total, m.call(args[0], [total, seq.tail], {}, node))
    return total


def _chain(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    found = Seq()
    for value in args:
        more = m.iterate(value, node, via="itertools.chain")
        found = (
            Seq((*found.items, *more.items), more.tail)
            if found.tail is None
            else Seq(found.items, join(found.tail, *more.every()))
        )
    return List(found.items, found.tail)


def _chain_from(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    outer = m.iterate(args[0], node, via="itertools.chain") if args else Seq()
    found = _chain(m, outer.items, {}, node)
    if outer.tail is not None and isinstance(found, List):
        inner = list(m.iterate(outer.tail, node, via="itertools.chain").every())
        return List(
            found.seq.items, join(*inner, *([found.seq.tail] if found.seq.tail else [])) if inner else found.seq.tail
        )
    return found


def _combined(name: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seqs = [
            m.iterate(a, node, via=f"itertools.{name}")
            for a in (args if name in ("product", "zip_longest") else args[:1])
        ]
        exact = all(s.tail is None for s in seqs)
        if exact and seqs:
            size = (
                builtin_types.to_host(args[1]) if len(args) > 1 and name in ("combinations", "permutations") else None
            )
            repeat = builtin_types.to_host(kwargs["repeat"]) if "repeat" in kwargs else 1
            pools = [s.items for s in seqs]
            rows: list[tuple[Value, ...]] | None = None
            if name == "product" and isinstance(repeat, int) and math.prod(len(p) for p in pools) ** repeat <= 128:
                rows = list(itertools.product(*pools, repeat=repeat))
            elif name in ("combinations", "permutations") and isinstance(size, int) and len(pools[0]) <= 6:
                rows = list(getattr(itertools, name)(pools[0], size))
            elif name == "zip_longest":
                rows = list(itertools.zip_longest(*pools, fillvalue=kwargs.get("fillvalue", NONE)))
            elif name == "pairwise":
                rows = list(itertools.pairwise(pools[0]))
            if rows is not None:
                return List(Tuple(r) for r in rows)
        every = [v for s in seqs for v in s.every()]
        return List((), Tuple((), join(*every)) if every else UNKNOWN)

    return run


def _islice(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="itertools.islice") if args else Seq()
    for bound in args[1:]:
        proxy = may_be_proxy(bound)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via="itertools.islice")
    hosts = [builtin_types.to_host(a) for a in args[1:]]
    if seq.tail is None and all(h is None or isinstance(h, int) for h in hosts):
        return List(itertools.islice(seq.items, *hosts))
    return List((), join(*seq.every())) if list(seq.every()) else List()


def _accumulate(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="itertools.accumulate") if args else Seq()
    if seq.tail is not None or not seq.items:
        return List((), join(*seq.every())) if list(seq.every()) else List()
    found = [seq.items[0]]
    for value in seq.items[1:]:
        found.append(
            m.call(args[1], [found[-1], value], {}, node)
            if len(args) > 1
            else operators.binary(m, ast.Add(), found[-1], value, node)
        )
    return List(found)


def _repeat(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    count = args[1] if len(args) > 1 else kwargs.get("times")
    if isinstance(count, Const) and isinstance(count.value, int) and 0 <= count.value <= 64:
        return List([args[0]] * count.value)
    return List((), args[0]) if args else UNKNOWN


def _count(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return List((), Concrete("int"))


def _starmap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[1], node, via="itertools.starmap") if len(args) == 2 else Seq()
    rows = [m.iterate(v, node, via="itertools.starmap") for v in seq.items]
    return List(
        [m.call(args[0], list(r.items), {}, node) for r in rows[:24]], UNKNOWN if seq.tail is not None else None
    )


# ---- copy, dataclasses, enum, contextlib


def _copy(deep: bool) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        value = args[0] if args else UNKNOWN
        proxy = may_be_proxy(value)
        if proxy is not None and deep:
            m.emit(Hook.COPY, node, proxy, subject=node, via="copy.deepcopy", effect=Effect.BREAKS_LATER)
            return value
        return join(*[_clone(m, v, deep, {}) for v in members(value)])

    return run


def _clone(m: Machine, value: Value, deep: bool, seen: dict[int, Value]) -> Value:
    """A copy with an identity of its own; deep copies follow containers and instances."""
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, List):
        made_list = List((), None, value.type_name)
        seen[id(value)] = made_list
        items = [_clone(m, v, deep, seen) if deep else v for v in value.seq.items]
        tail = value.seq.tail
        made_list.cells["seq"] = Seq(items, _clone(m, tail, deep, seen) if deep and tail is not None else tail)
        return made_list
    if isinstance(value, Dict):
        made_dict = builtin_types.copy_dict(value)
        seen[id(value)] = made_dict
        if deep:
            for cell, entry in made_dict.cells.items():
                made_dict.cells[cell] = (entry[0], _clone(m, entry[1], True, seen))
        return made_dict
    if isinstance(value, Tuple) and deep:
        return Tuple((_clone(m, v, True, seen) for v in value.seq.items), value.seq.tail, value.cls)
    if isinstance(value, Instance) and len(seen) < 400:
        made = Instance(value.cls)
        seen[id(value)] = made
        made.payload = _clone(m, value.payload, deep, seen) if value.payload is not None else None
        made.provenance, made.settled, made.dynamic = value.provenance, True, value.dynamic
        made.hooks, made.native = list(value.hooks), dict(value.native)
        for name, cell in value.cells.items():
            copied = (
                join(*[_clone(m, v, True, seen) for v in members(cell)]) if deep and isinstance(cell, Value) else cell
            )
            made.cells[name] = copied
            if isinstance(copied, Value):
                nn_containers.adopt(m, made, copied)
        if isinstance(made.payload, List):
            for child in made.payload.seq.every():
                nn_containers.adopt(m, made, child)
        return made
    return value


def _field(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    factory = kwargs.get("default_factory")
    if factory is not None:
        return NativeMethod(factory, "<field>")
    return kwargs.get("default", UNKNOWN)


def _replace(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = _clone(m, args[0], False, {}) if args else UNKNOWN
    if isinstance(made, Instance):
        for name, value in kwargs.items():
            attributes.plain_write(m, made, name, value, node)
    return made


def _fields(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, Class):
        return UNKNOWN
    found = []
    for name, _ in classes.fields_of(cls):
        field = Instance(External("dataclasses.Field"))
        field.cells["name"] = Const(name)
        field.settled = True
        found.append(field)
    return Tuple(found)


def _is_dataclass(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    cls = value.cls if isinstance(value, Instance) else value
    if isinstance(cls, Class):
        return Const(any(isinstance(b, Class) and "<dataclass>" in b.cells for b in cls.mro))
    return FALSE if isinstance(value, (Proxy, Const, List, Dict, Tuple, RealTensor)) else Concrete("bool")


def _asdict(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        return nn_modules.instance_dict(m, args[0])
    return UNKNOWN


def _nullcontext(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Generator(lambda: Seq([args[0] if args else NONE]))


def _getattr_static(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return CONCRETE


def _unwrap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    while isinstance(value, Function) and value.wrapped is not None:
        value = value.wrapped
    return value


def _singledispatch(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return UNKNOWN


def _new_type(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return External("<identity>")


_TABLE: dict[str, Model] = {
    "collections.namedtuple": _namedtuple,
    "typing.NamedTuple": _namedtuple,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.reduce": _reduce,
    "functools.singledispatch": _singledispatch,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_from,
    "itertools.product": _combined("product"),
    "itertools.combinations": _combined("combinations"),
    "itertools.permutations": _combined("permutations"),
    "itertools.zip_longest": _combined("zip_longest"),
    "itertools.pairwise": _combined("pairwise"),
    "itertools.islice": _islice,
    "itertools.accumulate": _accumulate,
    "itertools.repeat": _repeat,
    "itertools.count": _count,
    "itertools.cycle": lambda m, a, k, n: (
        List((), join(*m.iterate(a[0], n).every())) if a and list(m.iterate(a[0], n).every()) else UNKNOWN
    ),
    "itertools.starmap": _starmap,
    "copy.copy": _copy(False),
    "copy.deepcopy": _copy(True),
    "dataclasses.field": _field,
    "dataclasses.replace": _replace,
    "dataclasses.fields": _fields,
    "dataclasses.asdict": _asdict,
    "dataclasses.is_dataclass": _is_dataclass,
    "contextlib.nullcontext": _nullcontext,
    "inspect.unwrap": _unwrap,
    "typing.NewType": _new_type,
    "types.SimpleNamespace": lambda m, a, k, n: _namespace(m, k),
    "importlib.import_module": lambda m, a, k, n: (
        modules.import_module(m, str(a[0].value), m.frame.module) if a and isinstance(a[0], Const) else UNKNOWN
    ),
}


def _namespace(m: Machine, kwargs: dict[str, Value]) -> Value:
    made = Instance(External("types.SimpleNamespace"))
    made.cells.update(kwargs)
    made.settled = True
    return made


from fxlint.interp import (  # noqa: E402
    attributes,
    builtin_functions,
    builtin_types,
    calls,
    classes,
    decorators,
    functions,
    modules,
    nn_containers,
    nn_modules,
    operators,
    subscripts,
)
