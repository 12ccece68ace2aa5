"""Instances as any caller might make them: each constructor argument a value of its default's or its annotation's type.

For the check, arguments are Concrete: any configuration may come. For `models`, defaults are constants: the model as
shipped.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp import limits
from fxlint.interp.frames import Exhausted, Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    BoundMethod,
    Class,
    Concrete,
    Const,
    Dict,
    External,
    Function,
    Instance,
    List,
    Partial,
    Tuple,
    Value,
    join,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_HINTS = {"int": "int", "float": "float", "bool": "bool", "str": "str"}


def build_root(m: Machine, cls: Class, depth: int = 0) -> Value:
    """An instance as any caller might make it; raises PathEnd when the constructor certainly fails.

    A constructor that takes too long leaves the instance half made, its other attributes unknown.
    """
    node = cls.node or cls.module.tree
    init = attributes.find_in_class(m, cls, "__init__")
    if not isinstance(init, Function):
        return classes.construct(m, cls, [], {}, node)
    args, kwargs = arguments_for(m, init, depth)
    made = classes.blank(cls)
    try:
        m.call(init, [made, *args], kwargs, node)
    except (Exhausted, RecursionError):
        m.unresolved.add(f"the constructor of `{cls.qualname}` is too long")
        made.dynamic = True
    classes.settle(m, made, args, kwargs)
    return made


def arguments_for(m: Machine, init: Function, depth: int) -> tuple[list[Value], dict[str, Value]]:
    """Arguments for every parameter of a constructor but `self`."""
    spec = init.node.args
    positional = [*spec.posonlyargs, *spec.args]
    defaults: dict[str, Value] = {}
    for arg, value in zip(positional[len(positional) - len(init.defaults) :], init.defaults, strict=True):
        defaults[arg.arg] = value
    args = [_argument(m, init, a, defaults.get(a.arg), depth) for a in positional[1:]]
    kwargs = {a.arg: _argument(m, init, a, init.kw_defaults.get(a.arg), depth) for a in spec.kwonlyargs}
    if not m.constant_arguments:
        if spec.vararg is not None:
            args.append(functions.Star(CONCRETE))
        if spec.kwarg is not None:
            kwargs[functions.REST] = CONCRETE
    return args, kwargs


def _argument(m: Machine, init: Function, arg: ast.arg, default: Value | None, depth: int) -> Value:
    if default is None:
        return from_annotation(m, init, arg.annotation, depth)
    if m.constant_arguments:
        return CONCRETE if _is_empty(default) else default
    choices = [_loosened(m, init, arg, v, depth) for v in members(default)]
    return join(*choices)


def _is_empty(default: Value) -> bool:
    """An empty container as a default stands for "to be given": no model is built from it as it is."""
    if isinstance(default, (Tuple, List)):
        return not default.seq.items and default.seq.tail is None
    return isinstance(default, Dict) and not default.cells


def _loosened(m: Machine, init: Function, arg: ast.arg, default: Value, depth: int) -> Value:
    if isinstance(default, Const):
        if default.value is None:
            return join(NONE, from_annotation(m, init, arg.annotation, depth, optional=True))
        if isinstance(default.value, str):
            return join(default, Concrete("str"))
        if isinstance(default.value, (bool, int, float)):
            return Concrete(type(default.value).__name__)
        return CONCRETE
    if isinstance(default, (Class, Function, External, Partial, Instance, BoundMethod)):
        return default
    return CONCRETE


def from_annotation(
    m: Machine, init: Function, annotation: ast.expr | None, depth: int, optional: bool = False
) -> Value:
    """A value of the annotated type: `Type[X]` gives X, a read config class an instance of it, else Concrete."""
    inner, is_type = class_expression(annotation)
    if inner is None:
        return CONCRETE
    if isinstance(inner, ast.Name) and inner.id in _HINTS and not is_type:
        return Concrete(_HINTS[inner.id])
    if not isinstance(inner, (ast.Name, ast.Attribute)) or depth > 2:
        return CONCRETE
    frame = Frame(init.scope, init.module, "", m.heap.depth)
    try:
        with m.entered(frame):
            found = m.eval(inner)
    except PathEnd:
        return CONCRETE
    if is_type:
        return (
            found
            if isinstance(found, Class) or (isinstance(found, External) and found.path != "torch.nn.Module")
            else CONCRETE
        )
    if isinstance(found, Class) and not any(p in ("typing.Protocol", "abc.ABC") for p in classes.externals(found)):
        if classes.is_module_class(m, found):
            return CONCRETE
        made = _sample(m, found, depth)
        if isinstance(made, Instance):
            _loosen_fields(made)
            return made
    return CONCRETE


def _sample(m: Machine, cls: Class, depth: int) -> Value:
    """An instance of a class that an argument is annotated with."""
    outer, m.budget = m.budget, min(m.budget, m.steps + limits.STEPS_PER_CONFIG)
    try:
        return build_root(m, cls, depth + 1)
    except PathEnd:
        return CONCRETE
    finally:
        m.budget = outer


def _loosen_fields(made: Instance) -> None:
    """A config object's plain fields may hold any value of their type."""
    made.dynamic = True
    for name, value in list(made.cells.items()):
        if isinstance(value, Const) and not isinstance(value.value, str):
            made.cells[name] = join(NONE, CONCRETE) if value.value is None else Concrete(type(value.value).__name__)
        elif isinstance(value, Const):
            made.cells[name] = join(value, Concrete("str"))


def class_expression(annotation: ast.expr | None) -> tuple[ast.expr | None, bool]:
    """The class expression of an annotation, and whether the class itself is meant."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None, False
    if isinstance(annotation, ast.Subscript):
        name = last_name(annotation.value)
        if name in ("Type", "type"):
            return annotation.slice, True
        if name == "Optional":
            return class_expression(annotation.slice)
        if name == "Union" and isinstance(annotation.slice, ast.Tuple):
            real = [e for e in annotation.slice.elts if not _is_none(e)]
            return class_expression(real[0]) if len(real) == 1 else (None, False)
        return None, False
    if isinstance(annotation, ast.BinOp):
        sides = [s for s in (annotation.left, annotation.right) if not _is_none(s)]
        return class_expression(sides[0]) if len(sides) == 1 else (None, False)
    return annotation, False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def last_name(node: ast.expr) -> str:
    """The name at the end of a dotted one."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


from fxlint.interp import attributes, classes, functions  # noqa: E402
