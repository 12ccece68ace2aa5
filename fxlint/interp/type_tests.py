"""isinstance, type, hasattr, callable: questions that a Proxy answers definitely, and for a tensor wrongly."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    PROXY_CLASS,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    List,
    Missing,
    ModuleValue,
    ParameterValue,
    Proxy,
    RealTensor,
    Tuple,
    Union,
    Unknown,
    Value,
    join,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_SCALARS: dict[str, tuple[type, ...]] = {
    "builtins.int": (int,),
    "builtins.float": (float,),
    "builtins.str": (str,),
    "builtins.bool": (bool,),
    "builtins.complex": (complex,),
    "builtins.bytes": (bytes,),
    "numbers.Number": (int, float, complex),
    "numbers.Integral": (int,),
    "numbers.Real": (int, float),
    "types.NoneType": (type(None),),
    "builtins.object": (object,),
    "collections.abc.Iterable": (str, bytes),
    "collections.abc.Sequence": (str, bytes),
    "collections.abc.Hashable": (object,),
    "typing.Iterable": (str, bytes),
    "typing.Sequence": (str, bytes),
    "torch.SymInt": (),
    "torch.SymFloat": (),
}
_CONTAINERS: dict[str, frozenset[str]] = {
    "list": frozenset(
        {
            "builtins.list",
            "collections.abc.Sequence",
            "collections.abc.Iterable",
            "collections.abc.Collection",
            "typing.List",
            "typing.Sequence",
            "typing.Iterable",
            "collections.abc.MutableSequence",
            "collections.abc.Sized",
            "builtins.object",
        }
    ),
    "deque": frozenset(
        {"collections.deque", "collections.abc.Sequence", "collections.abc.Iterable", "builtins.object"}
    ),
    "tuple": frozenset(
        {
            "builtins.tuple",
            "collections.abc.Sequence",
            "collections.abc.Iterable",
            "collections.abc.Collection",
            "typing.Tuple",
            "typing.Sequence",
            "typing.Iterable",
            "collections.abc.Sized",
            "collections.abc.Hashable",
            "builtins.object",
        }
    ),
    "dict": frozenset(
        {
            "builtins.dict",
            "collections.abc.Mapping",
            "collections.abc.MutableMapping",
            "collections.abc.Iterable",
            "typing.Dict",
            "typing.Mapping",
            "typing.Iterable",
            "collections.abc.Sized",
            "builtins.object",
        }
    ),
    "set": frozenset(
        {
            "builtins.set",
            "collections.abc.Set",
            "collections.abc.Iterable",
            "typing.Set",
            "collections.abc.Sized",
            "builtins.object",
        }
    ),
    "frozenset": frozenset(
        {"builtins.frozenset", "collections.abc.Set", "collections.abc.Iterable", "builtins.object"}
    ),
}
_TENSORS = frozenset({"torch.Tensor", "torch._tensor.Tensor", "builtins.object"})
_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_FLAVOUR_TYPES: dict[str, frozenset[str]] = {
    "tensor": _TENSORS,
    "parameter": _TENSORS | _PARAMETERS,
    "size": frozenset({"torch.Size", *_CONTAINERS["tuple"]}),
    "int": frozenset({"builtins.int", "numbers.Number", "numbers.Integral", "numbers.Real", "torch.SymInt"}),
    "float": frozenset({"builtins.float", "numbers.Number", "numbers.Real"}),
    "bool": frozenset({"builtins.bool", "builtins.int"}),
    "str": frozenset({"builtins.str", "collections.abc.Iterable", "collections.abc.Sequence"}),
    "dtype": frozenset({"torch.dtype"}),
    "device": frozenset({"torch.device"}),
    "list": _CONTAINERS["list"] | _CONTAINERS["tuple"],
    "dict": _CONTAINERS["dict"],
}
_PROXIES = frozenset(
    {
        PROXY_CLASS,
        "torch.fx.proxy.Proxy",
        "builtins.object",
        "collections.abc.Iterable",
        "typing.Iterable",
        "collections.abc.Hashable",
        "typing.Hashable",
        "collections.abc.Callable",
        "typing.Callable",
        "collections.abc.Sized",
        "typing.Sized",
        "collections.abc.Container",
        "typing.Container",
    }
)


def flatten(classes_value: Value) -> list[Value]:
    """The classes of isinstance's second argument."""
    found: list[Value] = []
    for member in members(classes_value):
        if isinstance(member, (Tuple, List)):
            for item in member.seq.every():
                found.extend(flatten(item))
        else:
            found.append(member)
    return found


def is_instance(m: Machine, value: Value, wanted: Value) -> bool | None:
    """isinstance for one alternative, without events; None when undecided."""
    undecided = False
    for cls in flatten(wanted):
        answer = _one(m, value, cls)
        if answer:
            return True
        undecided = undecided or answer is None
    return None if undecided else False


def _one(m: Machine, value: Value, cls: Value) -> bool | None:
    if isinstance(cls, (Unknown, Concrete)) or isinstance(value, (Unknown, Missing)):
        return None
    path = cls.path if isinstance(cls, External) else ""
    if isinstance(value, Proxy):
        return path in _PROXIES
    if isinstance(value, Const):
        if path in _SCALARS:
            return isinstance(value.value, _SCALARS[path])
        if isinstance(cls, Const) and cls.value is None:
            return value.value is None
        return False
    if isinstance(value, Concrete):
        if value.hint and path in _SCALARS and value.hint in ("int", "float", "str", "bool"):
            host = {"int": int, "float": float, "str": str, "bool": bool}[value.hint]
            return any(issubclass(host, t) for t in _SCALARS[path])
        if value.hint in ("int", "float", "bool", "str") and (isinstance(cls, Class) or path.startswith("torch.")):
            return False
        return None
    if isinstance(value, RealTensor):
        return path in _TENSORS
    if isinstance(value, ParameterValue):
        return path in _TENSORS or path in _PARAMETERS
    if isinstance(value, (List, Tuple, Dict)):
        return _container(m, value, cls, path)
    if isinstance(value, Instance):
        return _instance(m, value, cls, path)
    if isinstance(value, (Class,)):
        if path in ("enum.EnumMeta", "enum.EnumType"):
            return any(base.startswith("enum.") for base in classes.externals(value))
        return path in ("builtins.type", "builtins.object")
    if isinstance(value, (Function, Generator, ModuleValue, External)):
        if path.endswith(("Callable", "FunctionType")) and isinstance(value, (Function, External)):
            return True
        if isinstance(value, External):
            return None
        return path == "builtins.object"
    return None if path.startswith(("collections.abc", "typing")) else False


def _container(m: Machine, value: List | Tuple | Dict, cls: Value, path: str) -> bool | None:
    name = "tuple" if isinstance(value, Tuple) else value.type_name
    if isinstance(cls, Class):
        if isinstance(value, Tuple) and value.cls is not None:
            return classes.derives(m, value.cls, cls)
        return False
    if path in ("collections.OrderedDict", "collections.defaultdict"):
        return isinstance(value, Dict) and value.type_name == path.rpartition(".")[2]
    if path == "torch.Size":
        return None if isinstance(value, Tuple) else False
    known = _CONTAINERS.get(name, _CONTAINERS["dict"] if isinstance(value, Dict) else frozenset())
    return path in known


def _instance(m: Machine, value: Instance, cls: Value, path: str) -> bool | None:
    if path in ("collections.abc.Callable", "typing.Callable"):
        return classes.is_module_class(m, value.cls) or attributes.find_in_class(m, value.cls, "__call__") is not None
    answer = classes.derives(m, value.cls, cls)
    if answer is False and value.payload is not None and isinstance(value.payload, (List, Tuple, Dict)):
        return _container(m, value.payload, cls, path)
    if answer is False and isinstance(value.payload, Const):
        return _one(m, value.payload, cls)
    if answer is False and path in ("collections.abc.Iterable", "typing.Iterable", "collections.abc.Sequence"):
        return None
    return answer


# ---- as called


def isinstance_call(m: Machine, args: Sequence[Value], node: ast.AST, via: str = "isinstance") -> Value:
    """`isinstance(value, classes)`."""
    if len(args) != 2:
        return Concrete("bool")
    results = [_asked(m, member, args[1], node, via) for member in members(args[0]) if not isinstance(member, Missing)]
    return join(*results) if results else Concrete("bool")


def _asked(m: Machine, value: Value, wanted: Value, node: ast.AST, via: str) -> Value:
    answer = is_instance(m, value, wanted)
    if isinstance(value, Proxy) and answer is not None:
        if not answer and _eager_differs(value, wanted):
            subject = node.args[0] if isinstance(node, ast.Call) and node.args else None
            m.emit(Hook.TYPE_TEST, node, value, subject=subject, via=via, effect=Effect.SILENT)
        return Const(answer, definite=True)
    return Concrete("bool") if answer is None else Const(answer)


def _eager_differs(value: Proxy, wanted: Value) -> bool:
    """Whether eager mode can answer True where fx answers False."""
    types = _FLAVOUR_TYPES.get(value.flavour)
    paths = {c.path for c in flatten(wanted) if isinstance(c, External)}
    if types is None or value.low:
        return True
    return bool(paths & types)


def type_call(m: Machine, args: Sequence[Value], node: ast.AST) -> Value:
    """`type(value)` with one argument."""
    results: list[Value] = []
    for value in members(args[0]):
        if isinstance(value, Proxy):
            m.emit(Hook.TYPE_TEST, node, value, via="type()", effect=Effect.SILENT)
            results.append(External(PROXY_CLASS))
        elif isinstance(value, Instance):
            results.append(value.cls)
        elif isinstance(value, Const):
            results.append(External(f"builtins.{type(value.value).__name__}"))
        elif isinstance(value, Tuple):
            results.append(value.cls or External("builtins.tuple"))
        elif isinstance(value, (List, Dict)):
            results.append(External(f"builtins.{value.type_name}"))
        elif isinstance(value, RealTensor):
            results.append(External("torch.Tensor"))
        else:
            results.append(Unknown("type"))
    return join(*results)


def hasattr_call(m: Machine, args: Sequence[Value], node: ast.AST) -> Value:
    """`hasattr(value, name)`: of a Proxy it is True, whatever the name."""
    if len(args) != 2:
        return Concrete("bool")
    name = args[1].value if isinstance(args[1], Const) and isinstance(args[1].value, str) else None
    results: list[Value] = []
    for value in members(args[0]):
        if isinstance(value, Proxy):
            if name is None or not _tensor_has(m, value, name):
                m.emit(
                    Hook.ATTR_TEST,
                    node,
                    value,
                    subject=_first(node),
                    via="hasattr",
                    detail=name or "",
                    effect=Effect.SILENT,
                )
            results.append(Const(True, definite=True))
        elif name is None or isinstance(value, (Concrete, Unknown)):
            results.append(Concrete("bool"))
        else:
            results.append(_has(m, value, name, node))
    return join(*results) if results else Concrete("bool")


def _first(node: ast.AST) -> ast.expr | None:
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def _tensor_has(m: Machine, value: Proxy, name: str) -> bool:
    return value.flavour in ("tensor", "parameter") and m.torch_tensor_has(name)


def _has(m: Machine, value: Value, name: str, node: ast.AST) -> Value:
    if isinstance(value, Instance):
        cell = value.cells.get(name)
        if isinstance(cell, Union) and any(isinstance(v, Missing) for v in cell.members):
            return Concrete("bool")
    try:
        found = m.getattr(value, name, node)
    except PathEnd:
        return Const(False)
    return Concrete("bool") if isinstance(found, Unknown) else Const(True)


def getattr_call(m: Machine, args: Sequence[Value], node: ast.AST) -> Value:
    """`getattr(value, name[, default])`."""
    if len(args) < 2:
        return Unknown("getattr")
    default = args[2] if len(args) > 2 else None
    results: list[Value] = []
    for member in members(args[1]):
        name = member.value if isinstance(member, Const) and isinstance(member.value, str) else None
        if name is None:
            results.append(_any_attribute(args[0], default))
            continue
        for value in members(args[0]):
            if isinstance(value, Missing):
                continue
            results.append(_get(m, value, name, default, node))
    return join(*results) if results else Unknown("getattr")


def _get(m: Machine, value: Value, name: str, default: Value | None, node: ast.AST) -> Value:
    if isinstance(value, Proxy) and default is not None and not _tensor_has(m, value, name):
        m.emit(
            Hook.ATTR_TEST, node, value, subject=_first(node), via="getattr", detail=name, effect=Effect.BREAKS_LATER
        )
    if default is None:
        return m.getattr(value, name, node)
    try:
        found = m.getattr(value, name, node)
    except PathEnd:
        return default
    if isinstance(value, (Concrete, Unknown)):
        return join(found, default)
    if isinstance(value, Instance):
        cell = value.cells.get(name)
        if isinstance(found, Unknown) or (
            isinstance(cell, Union) and any(isinstance(v, Missing) for v in cell.members)
        ):
            return join(found, default)
    return found


def _any_attribute(owner: Value, default: Value | None) -> Value:
    """`getattr(self, f"layer{i}")` with an undecided name: any attribute of the same sort."""
    if isinstance(owner, Proxy):
        return Proxy("tensor", low=owner.low)
    if isinstance(owner, Instance):
        found = [v for v in owner.cells.values() if isinstance(v, Instance)]
        if found:
            return join(*found, *([default] if default is not None else []))
    return Unknown("attribute by an undecided name")


from fxlint.interp import attributes, classes  # noqa: E402
