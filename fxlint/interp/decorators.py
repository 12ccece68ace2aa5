"""Decorators: which are known, which are run, and what they leave on the function.

A decorator whose source is read is called like any function. One from an opaque or missing library passes the function
through: that is what nearly all of them do under trace.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    BoundMethod,
    Class,
    Concrete,
    Const,
    Descriptor,
    External,
    Function,
    Instance,
    NativeMethod,
    Partial,
    Unknown,
    Value,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_DESCRIPTORS = {
    "builtins.property": "property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "functools.cached_property": "cached_property",
    "abc.abstractproperty": "property",
    "enum.property": "property",
    "types.DynamicClassAttribute": "property",
}
_CONTEXTS = {
    "torch.no_grad": "no_grad",
    "torch.autograd.no_grad": "no_grad",
    "torch.autograd.grad_mode.no_grad": "no_grad",
    "torch.enable_grad": "enable_grad",
    "torch.inference_mode": "inference_mode",
    "torch.autograd.grad_mode.inference_mode": "inference_mode",
    "torch.set_grad_enabled": "set_grad_enabled",
    "torch.autocast": "autocast",
    "torch.amp.autocast": "autocast",
    "torch.cuda.amp.autocast": "autocast",
    "torch.amp.autocast_mode.autocast": "autocast",
}


def context_name(value: Value) -> str | None:
    """The word for a torch context that fx drops, given the class or its instance."""
    path = (
        value.path
        if isinstance(value, External)
        else value.cls.path
        if isinstance(value, Instance) and isinstance(value.cls, External)
        else ""
    )
    return _CONTEXTS.get(path)


def apply(m: Machine, expression: ast.expr, target: Value) -> Value:
    """`@expression` over the target; the result."""
    try:
        decorator = m.eval(expression)
    except PathEnd:
        return target
    if isinstance(expression, ast.Attribute) and expression.attr in ("setter", "getter", "deleter"):
        return _accessor(m, expression, decorator, target)
    return apply_value(m, decorator, target, expression)


def _accessor(m: Machine, expression: ast.Attribute, decorator: Value, target: Value) -> Value:
    if isinstance(decorator, NativeMethod) and isinstance(decorator.owner, Descriptor):
        old = decorator.owner
        if expression.attr == "setter":
            return Descriptor(old.form, old.getter, target)
        return Descriptor(old.form, target if expression.attr == "getter" else old.getter, old.setter)
    return target


def apply_value(m: Machine, decorator: Value, target: Value, node: ast.AST) -> Value:
    """Call the decorator with the target, by what the decorator is."""
    if isinstance(decorator, External):
        return _external(m, decorator, target, node)
    name = context_name(decorator)
    if name is not None and isinstance(target, Function):
        target.attrs["<context>"] = Const(name)
        return target
    if isinstance(decorator, (Function, BoundMethod, Class, Partial, NativeMethod)):
        try:
            result = m.call(decorator, [target], {}, node)
        except PathEnd:
            return target
        kept = [v for v in members(result) if not isinstance(v, (Unknown, Concrete, Const))]
        return result if kept else target
    return target


def _external(m: Machine, decorator: External, target: Value, node: ast.AST) -> Value:
    path = decorator.path
    form = _DESCRIPTORS.get(path)
    if form is not None:
        return Descriptor(form, target)
    if path in ("contextlib.contextmanager", "contextlib.asynccontextmanager") and isinstance(target, Function):
        target.attrs["<contextmanager>"] = Const(True)
        return target
    if path in _CONTEXTS and isinstance(target, Function):
        target.attrs["<context>"] = Const(_CONTEXTS[path])
        return target
    if path in ("torch.fx.wrap", "torch.fx._symbolic_trace.wrap") and isinstance(target, (Function, Descriptor)):
        torch_special.wrap_decorator(m, target, node)
        return target
    if path in (
        "torch.compile",
        "torch.jit.script",
        "torch.jit.script_if_tracing",
        "torch._dynamo.optimize",
    ) and isinstance(target, Function):
        target.attrs["<compiled>"] = Const("torch.compile" if path != "torch.jit.script" else path)
        if path == "torch.jit.script_if_tracing":
            del target.attrs["<compiled>"]
        return target
    if isinstance(target, Class) and path.startswith("dataclasses."):
        classes.make_dataclass(m, target, {})
        return target
    if path == "torch.vmap" or path.startswith("torch.func."):
        return External("torch.vmap.<wrapped>")
    return target


def call_external_factory(m: Machine, path: str, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
    """The decorator that a decorator factory of a known library gives, for instance `functools.wraps(f)`."""
    if path in ("functools.wraps", "functools.update_wrapper"):
        return NativeMethod(args[0], "<wraps>") if path.endswith("wraps") and args else None
    if path in ("functools.lru_cache", "functools.cache"):
        return args[0] if args and isinstance(args[0], Function) else External("<identity>")
    if path in ("dataclasses.dataclass",):
        if args and isinstance(args[0], Class):
            classes.make_dataclass(m, args[0], kwargs)
            return args[0]
        return Partial(External("dataclasses.dataclass"), (), kwargs)
    return None


def wraps(target: Value, wrapped: Value) -> Value:
    """`functools.wraps(wrapped)(target)`: fx looks through `__wrapped__` for the parameters."""
    if isinstance(target, Function):
        target.wrapped = wrapped
    return target


from fxlint.interp import classes, torch_special  # noqa: E402
