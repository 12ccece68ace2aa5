"""The standard library: what its functions do to values, where that matters under trace.

A function that is not listed gives Concrete, or a Proxy of low confidence when a Proxy goes in. The models are in
stdlib_numbers, stdlib_iteration and stdlib_objects; here is the way to them.
"""

from __future__ import annotations

import ast
import functools as host_functools
import importlib
import math
import string
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from fxlint.interp.events import Hook
from fxlint.interp.library import Model
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    UNKNOWN,
    Concrete,
    Const,
    External,
    Instance,
    List,
    Proxy,
    Tuple,
    Value,
    join,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

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
        return stdlib_iteration.collection(m, path, args, kwargs, node)
    model = _TABLE.get(path)
    if model is not None:
        return model(m, args, kwargs, node)
    proxy = calls.proxy_among(args, kwargs)
    if path.startswith(("math.", "cmath.")):
        return stdlib_numbers.math_call(m, function, args, proxy, node)
    if path.startswith("operator."):
        return stdlib_numbers.operator_call(m, path.partition(".")[2], args, kwargs, node)
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


def call_getter(m: Machine, owner: Instance, args: Sequence[Value], node: ast.AST) -> Value:
    """Call what itemgetter, attrgetter or methodcaller made."""
    keys, _ = owner.native["args"]
    name = owner.cls.path if isinstance(owner.cls, External) else ""
    if not args:
        return UNKNOWN
    if name.endswith("itemgetter"):
        found = [subscripts.load(m, args[0], k, cast("ast.expr", node)) for k in keys]
        return found[0] if len(found) == 1 else Tuple(found)
    if name.endswith("attrgetter"):
        found = [m.getattr(args[0], str(k.value), node) for k in keys if isinstance(k, Const)]
        return found[0] if len(found) == 1 else Tuple(found)
    return (
        m.call(m.getattr(args[0], str(keys[0].value), node), list(keys[1:]), {}, node)
        if keys and isinstance(keys[0], Const)
        else UNKNOWN
    )


from fxlint.interp import calls, decorators, stdlib_iteration, stdlib_numbers, stdlib_objects, subscripts  # noqa: E402

_TABLE: dict[str, Model] = {**stdlib_iteration.TABLE, **stdlib_objects.TABLE}
