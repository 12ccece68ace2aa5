"""Libraries that are modelled: who answers for a dotted name.

`builtins.*` → builtin_functions, `torch.*` → torch_calls, `numpy.*` → numpy_calls, the rest of the standard
library → stdlib.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.functions import Star
from fxlint.interp.values import (
    CONCRETE,
    PROXY_CLASS,
    UNKNOWN,
    UNNAMED,
    Const,
    Dict,
    External,
    Instance,
    Value,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def canonical(m: Machine, path: str) -> Value:
    """The value that a library name stands for."""
    if path.startswith("torch"):
        return torch_facts.resolve(m, path)
    if path == "os.environ" and m.constant_arguments:
        return Dict()
    return stdlib.constant(path) or External(path)


def exists(m: Machine, path: str) -> bool:
    """Whether the library has the name."""
    return torch_facts.exists(m, path) if path.startswith("torch") else stdlib.exists(path)


def attribute(m: Machine, owner: External, name: str, node: ast.AST) -> Value:
    """`library.name`."""
    path = f"{owner.path}.{name}"
    if name in ("__name__", "__qualname__"):
        return Const(owner.path.rpartition(".")[2])
    if owner.path == "math" and m.tracing:
        found = stdlib.constant(path)
        return found if found is not None else External(path, autowrapped=True)
    if owner.path == PROXY_CLASS:
        return UNKNOWN
    if not m.project.is_opaque(owner.path):
        return modules.import_module(m, path, m.frame.module)
    return canonical(m, path)


def has_member(m: Machine, path: str, name: str) -> bool:
    """Whether instances of a library class have an attribute of their own by that name."""
    if path.startswith("torch"):
        return torch_facts.class_has(m, path, name)
    top, _, cls = path.rpartition(".")
    if top == "builtins":
        return hasattr(getattr(builtins, cls, object), name) and name not in vars(object)
    return stdlib.class_has(path, name)


def call(m: Machine, function: External, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call a library name."""
    path = function.path
    if path == "<identity>":
        return args[0] if args else UNKNOWN
    if path == "os.getenv" and m.constant_arguments:
        return args[1] if len(args) > 1 else Const(None)
    args = _expanded(args) if not path.startswith("torch.nn") else args
    top = path.partition(".")[0]
    if top == "builtins":
        return builtin_functions.call_by_name(m, path.partition(".")[2], args, kwargs, node)
    if top == "torch":
        return torch_calls.call(m, path, args, kwargs, node)
    if top == "numpy":
        return numpy_calls.call(m, path, args, kwargs, node)
    return stdlib.call(m, function, args, kwargs, node)


def _expanded(args: Sequence[Value]) -> list[Value]:
    return [a.value if isinstance(a, Star) else a for a in args]


def instance_attribute(m: Machine, owner: Instance, name: str) -> Value | None:
    """An attribute that a library class gives its instances; None when it surely has none."""
    cls = owner.cls
    if isinstance(cls, External):
        return CONCRETE
    libraries = [p for p in classes.externals(cls) if not p.startswith(("typing.", "abc.", "enum.", "builtins."))]
    if name in ("args", "with_traceback") and any(p.endswith(("Exception", "Error")) for p in classes.externals(cls)):
        return CONCRETE
    if UNNAMED in owner.cells:
        found = owner.cells[UNNAMED]
        return found if isinstance(found, Value) else None
    return UNKNOWN if libraries and owner.payload is None else None


def instance_method(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """A method that a library class gives its instances."""
    if owner.payload is not None:
        return builtin_methods.method(m, owner.payload, name, args, kwargs, node)
    if name == "__init__":
        return Const(None)
    if name == "__setattr__" and len(args) == 2 and isinstance(args[0], Const):
        attribute_writes.plain_write(m, owner, str(args[0].value), args[1], node)
        return Const(None)
    if name == "__eq__" and args:
        return Const(args[0] is owner)
    return functions.give_up(args, kwargs) if args else CONCRETE


def call_instance(m: Machine, owner: Instance, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Calling an object of a library class; as a decorator it gives the function back."""
    if decorators.context_name(owner) is not None and args:
        return decorators.apply_value(m, owner, args[0], node)
    if isinstance(owner.cls, External) and owner.cls.path.startswith("operator."):
        return stdlib.call_getter(m, owner, args, node)
    return functions.give_up(args, kwargs)


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_functions,
    builtin_methods,
    classes,
    decorators,
    functions,
    modules,
    numpy_calls,
    stdlib,
    torch_calls,
    torch_facts,
)
