"""Builtin functions about text, types, attributes and namespaces: what an object answers when it is looked at."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.library import Model, argument
from fxlint.interp.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Class,
    Concrete,
    Const,
    Descriptor,
    Dict,
    External,
    Function,
    Instance,
    NativeMethod,
    Partial,
    Proxy,
    Slice,
    Unknown,
    Value,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine


def _str(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return Const("")
    proxy = may_be_proxy(args[0])
    if proxy is not None:
        m.emit(Hook.PRINT, node, proxy, subject=argument(node), via="str()", effect=Effect.SILENT)
        return Concrete("str")
    host = builtin_types.to_host(args[0])
    if isinstance(args[0], Const):
        return Const(str(host))
    return Concrete("str")


def _print(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if proxy is not None:
        m.emit(Hook.PRINT, node, proxy, via="print()", effect=Effect.SILENT)
    return NONE


def _format(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None and len(args) > 1:
        m.emit(Hook.FORMAT, node, proxy, subject=argument(node), via="format()")
    return Concrete("str")


def _isinstance(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.isinstance_call(m, args, node)


def _issubclass(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 2 and isinstance(args[0], (Class, External)):
        answers = [classes.derives(m, args[0], c) for c in type_tests.flatten(args[1])]
        if any(answers):
            return TRUE
        if all(a is False for a in answers):
            return FALSE
    return Concrete("bool")


def _type(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.type_call(m, args, node) if len(args) == 1 else UNKNOWN


def _hasattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.hasattr_call(m, args, node)


def _getattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.getattr_call(m, args, node)


def _setattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 3:
        for key in members(args[1]):
            if isinstance(key, Const) and isinstance(key.value, str):
                attribute_writes.write(m, args[0], key.value, args[2], node)
            elif isinstance(args[0], Instance):
                nn_containers.adopt(m, args[0], args[2])
                attribute_writes.write_unnamed(m, args[0], args[2])
    return NONE


def _delattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 2 and isinstance(args[1], Const):
        attribute_writes.delete(m, args[0], str(args[1].value))
    return NONE


def _callable(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    results: list[Value] = []
    for value in members(args[0]) if args else ():
        if isinstance(value, Proxy):
            m.emit(Hook.TYPE_TEST, node, value, subject=argument(node), via="callable()", effect=Effect.SILENT)
            results.append(Const(True, definite=True))
        elif isinstance(value, (Function, Class, BoundMethod, NativeMethod, Partial, External)):
            results.append(TRUE)
        elif isinstance(value, Instance):
            answer = type_tests.is_instance(m, value, External("collections.abc.Callable"))
            results.append(Const(answer) if answer is not None else Concrete("bool"))
        elif isinstance(value, (Unknown, Concrete)):
            results.append(Concrete("bool"))
        else:
            results.append(FALSE)
    return join(*results) if results else Concrete("bool")


def _vars(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        return nn_modules.instance_dict(m, args[0])
    return UNKNOWN


def _locals(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    for name, value in m.frame.scope.cells.items():
        if isinstance(value, Value) and isinstance(name, str):
            builtin_types.set_item(m, made, Const(name), value)
    return made


def _globals(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    scope = names.module_scope(m)
    for name in list(scope.cells):
        value = scope.cells[name]
        if isinstance(value, Value) and isinstance(name, str):
            made.cells[builtin_types.key_of(Const(name))] = (Const(name), names.force(m, scope, name, value))
    return made


def _property(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    setter = args[1] if len(args) > 1 else None
    return Descriptor("property", args[0], setter) if args else UNKNOWN


def _static(form: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Descriptor(form, args[0]) if args else UNKNOWN

    return run


def _object(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Instance(External("builtins.object"))
    made.settled = True
    return made


def _slice(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 1:
        return Slice(NONE, args[0], NONE)
    return Slice(args[0], args[1], args[2] if len(args) > 2 else NONE) if len(args) >= 2 else UNKNOWN


def _import(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return (
        modules.import_module(m, str(args[0].value), m.frame.module) if args and isinstance(args[0], Const) else UNKNOWN
    )


TABLE: dict[str, Model] = {
    "str": _str,
    "repr": _str,
    "ascii": _str,
    "print": _print,
    "format": _format,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "type": _type,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "setattr": _setattr,
    "delattr": _delattr,
    "callable": _callable,
    "vars": _vars,
    "locals": _locals,
    "globals": _globals,
    "property": _property,
    "staticmethod": _static("staticmethod"),
    "classmethod": _static("classmethod"),
    "object": _object,
    "slice": _slice,
    "__import__": _import,
}


from fxlint.interp import (  # noqa: E402
    attribute_writes,
    builtin_types,
    classes,
    modules,
    names,
    nn_containers,
    nn_modules,
    type_tests,
)
