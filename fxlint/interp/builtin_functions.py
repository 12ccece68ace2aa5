"""Python's builtin functions, each as the questions it asks of its arguments.

len(x)            __len__           int(x), float(x)     a real number
min, max, sorted  comparisons, then bool()
any, all          iteration, then bool()
sum, list, zip …  iteration
range(x)          __index__

The models are in builtin_numbers, builtin_sequences and builtin_objects; here is the way to them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.library import Model
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Class,
    Const,
    Dict,
    External,
    Instance,
    NativeMethod,
    Proxy,
    Value,
    may_be_proxy,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def call_by_name(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call `builtins.name`."""
    known = _TABLE.get(name)
    if known is not None:
        return known(m, args, kwargs, node)
    found = getattr(builtins, name.partition(".")[0], None)
    if "." in name:
        return _unbound(m, name, args, kwargs, node)
    if isinstance(found, type) and issubclass(found, BaseException):
        made = Instance(External(f"builtins.{name}"))
        made.settled = True
        return made
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if (
        name in ("chr", "ord", "hex", "oct", "bin", "bytes", "bytearray", "complex", "compile", "eval", "exec", "open")
        and proxy is not None
    ):
        m.emit(Hook.NUMBER, node, proxy, via=f"{name}()", error="TypeError")
        return CONCRETE
    hosts = [builtin_types.to_host(a) for a in args]
    if (
        name in ("chr", "ord", "hex", "oct", "bin", "divmod", "pow", "complex", "hash")
        and builtin_types.NOT_CONSTANT not in hosts
        and not kwargs
    ):
        try:
            return builtin_types.from_host(getattr(builtins, name)(*hosts))
        except Exception as error:
            raise PathEnd(type(error).__name__) from None
    return Proxy("tensor", low=True) if proxy is not None and name not in ("id", "hash") else CONCRETE


def _unbound(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    cls, _, method = name.partition(".")
    if not args:
        return UNKNOWN
    if method == "__new__":
        return classes.blank(args[0]) if isinstance(args[0], Class) else UNKNOWN
    if (
        cls == "object"
        and method == "__setattr__"
        and len(args) == 3
        and isinstance(args[0], Instance)
        and isinstance(args[1], Const)
    ):
        attribute_writes.plain_write(m, args[0], str(args[1].value), args[2], node)
        return NONE
    if cls == "object" and method == "__getattribute__" and len(args) == 2 and isinstance(args[1], Const):
        return m.getattr(args[0], str(args[1].value), node)
    if cls == "dict" and method == "fromkeys":
        made = Dict()
        content = args[1] if len(args) > 1 else NONE
        seq = m.iterate(args[0], node)
        for key in seq.items:
            builtin_types.set_item(m, made, key, content)
        if seq.tail is not None:
            made.cells["rest"] = (seq.tail, content)
        return made
    owner = args[0].payload if isinstance(args[0], Instance) and args[0].payload is not None else args[0]
    return m.call(NativeMethod(owner, method), args[1:], kwargs, node)


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_numbers,
    builtin_objects,
    builtin_sequences,
    builtin_types,
    classes,
)

_TABLE: dict[str, Model] = {**builtin_numbers.TABLE, **builtin_sequences.TABLE, **builtin_objects.TABLE}
