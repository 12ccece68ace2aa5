"""Roots: tracing a module that is built, and what of it the trace never looks at.

`symbolic_trace(root)` calls `root.forward` once, each parameter (defaults included) a Proxy, and takes what it returns
as the graph's output, unless that is something the graph cannot hold.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp import limits
from fxlint.interp.events import Hook, RawSpan, RawStep
from fxlint.interp.frames import Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    BoundMethod,
    Class,
    Const,
    Descriptor,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    List,
    Mutable,
    Partial,
    Proxy,
    RealTensor,
    Scope,
    Tuple,
    Value,
    is_none,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_FLAVOURS = {
    "Tensor": "tensor",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "list": "list",
    "List": "list",
    "tuple": "list",
    "Tuple": "list",
    "Sequence": "list",
    "dict": "dict",
    "Dict": "dict",
    "Mapping": "dict",
}


# ---- placeholders


def placeholder(m: Machine, inner: Function, arg: ast.arg, default: Value | None) -> Value:
    """The Proxy of one parameter of the root's forward."""
    if arg.arg in m.config.concrete_args:
        return default if default is not None else CONCRETE
    origin = RawStep(
        m.span(arg, inner.module), f"`{arg.arg}` is a parameter of `{inner.qualname}`, the traced root: a Proxy"
    )
    return Proxy(*_flavour(arg.annotation), param=arg.arg, optional=_optional(arg.annotation, default), origin=origin)


def _flavour(annotation: ast.expr | None) -> tuple[str]:
    inner, _ = constructor_arguments.class_expression(annotation)
    if inner is None and isinstance(annotation, ast.Subscript):
        return (_FLAVOURS.get(constructor_arguments.last_name(annotation.value), "input"),)
    return (_FLAVOURS.get(constructor_arguments.last_name(inner), "input") if inner is not None else "input",)


def _optional(annotation: ast.expr | None, default: Value | None) -> bool:
    if default is not None and is_none(default):
        return True
    text = ast.unparse(annotation) if annotation is not None else ""
    return "Optional" in text or "None" in text


# ---- tracing


def trace(m: Machine, root: Instance, cls: Class) -> None:
    """Run forward with Proxies; again when it changed what it reads."""
    m.root = root
    m.tree = nn_modules.subtree(m, root)
    m.heap.settled = Mutable().serial
    m.tracing = True
    m.budget = m.steps + m.root_budget
    m.unresolved = {u for u in m.unresolved if u.startswith("the constructor")}
    try:
        _around_root(m, root, cls)
        for _ in range(limits.HEAP_PASSES):
            epoch = m.heap.epoch
            _once(m, root, cls)
            if m.heap.epoch == epoch:
                break
    finally:
        m.tracing = False
        m.root = None


def _around_root(m: Machine, root: Instance, cls: Class) -> None:
    """What fx never looks at: hooks of the root, its own `__call__`."""
    for kind, _function, at in root.hooks:
        m.emit_at(Hook.ROOT_HOOK, at, subject=kind.partition("<")[0], via=kind, effect=Effect.SILENT)
    assigned = root.native.get("forward")
    if isinstance(assigned, RawSpan):
        m.emit_at(Hook.ROOT_CALL, assigned, subject="forward", via="forward assigned", effect=Effect.SILENT)
    custom = attributes.find_in_class(m, cls, "__call__")
    if isinstance(custom, Function) and custom.module.checked:
        m.emit_at(Hook.ROOT_CALL, m.span(custom.node, custom.module), subject="__call__", effect=Effect.SILENT)


def _once(m: Machine, root: Instance, cls: Class) -> None:
    found = attributes.find_in_class(m, cls, "forward")
    if found is None or isinstance(found, External):
        _library_root(m, root, cls)
        return
    outer = found.getter if isinstance(found, Descriptor) else found
    if isinstance(outer, BoundMethod):
        outer = outer.function
    if not isinstance(outer, Function):
        return
    inner = outer
    seen = 0
    while isinstance(inner.wrapped, Function) and seen < 16:
        inner, seen = inner.wrapped, seen + 1
    if isinstance(found, Descriptor) and found.form == "staticmethod":
        m.reached.add(m.root_name)
        return
    _call_forward(m, root, outer, inner)


def _call_forward(m: Machine, root: Instance, outer: Function, inner: Function) -> None:
    m.reached.add(m.root_name)
    if isinstance(inner.node, ast.AsyncFunctionDef) or (inner is outer and functions.is_generator(m, inner.node)):
        kind = "coroutine" if isinstance(inner.node, ast.AsyncFunctionDef) else "generator"
        m.emit_at(Hook.RETURN, _definition(m, inner), subject="forward", via=kind)
        if kind == "coroutine":
            return
    spec = inner.node.args
    positional = [*spec.posonlyargs, *spec.args]
    starred = spec.vararg is not None or spec.kwarg is not None or bool(spec.kwonlyargs)
    if not positional:
        m.emit_at(Hook.SIGNATURE, _definition(m, inner), subject="forward", via="self in *args")
        return
    defaults = dict(
        zip([a.arg for a in positional][len(positional) - len(inner.defaults) :], inner.defaults, strict=True)
    )
    defaults.update(inner.kw_defaults)
    for name, value in defaults.items():
        if any(isinstance(v, RealTensor) for v in members(value)):
            m.emit_at(Hook.SIGNATURE, _definition(m, inner), subject=name, via="tensor default")
    values: list[Value] = [root, *[placeholder(m, inner, a, defaults.get(a.arg)) for a in positional[1:]]]
    values += [placeholder(m, inner, a, defaults.get(a.arg)) for a in spec.kwonlyargs]
    if spec.vararg is not None:
        values.append(Proxy("list", param=f"*{spec.vararg.arg}"))
    if spec.kwarg is not None:
        values.append(Proxy("dict", param=f"**{spec.kwarg.arg}"))
    frame_node = inner.node
    try:
        if starred:
            result = _patched(m, outer, values, frame_node)
        else:
            result = _activate(m, outer, values, frame_node)
    except PathEnd:
        return
    if result is not None:
        check_output(m, result, inner)


def _definition(m: Machine, function: Function) -> RawSpan:
    node = function.node
    line = (
        node.body[0].lineno
        if isinstance(node.body, list) and node.body and node.body[0].lineno == node.lineno
        else node.lineno
    )
    return RawSpan(function.module.path, line, node.col_offset, line, node.col_offset + 3 + len(function.name) + 1)


def _activate(m: Machine, outer: Function, values: list[Value], node: ast.AST) -> Value:
    """fx calls the function with the Proxies as positional arguments."""
    for name in ("<compiled>",):
        if name in outer.attrs:
            return Proxy("tensor")
    bound = functions.bind(m, outer, values, {}, node)
    return _body(m, outer, bound)


def _body(m: Machine, outer: Function, bound: dict[str, Value]) -> Value:
    context = outer.attrs.get("<context>")
    frame = functions.new_frame(m, outer, bound, outer.node)
    frame.call = None
    frame.caller = None
    with m.entered(frame):
        if isinstance(context, Const):
            m.emit(
                Hook.CONTEXT,
                _context_decorator(outer),
                subject=str(context.value),
                effect=Effect.SILENT,
                via="decorator",
            )
        if functions.is_generator(m, outer.node):
            frame.yields = []
        live = functions._execute(m, outer, frame)
    if frame.exits:
        m.heap.merge(frame.exits, include_current=live or len(frame.exits) < len(frame.returns))
    if live or not frame.returns:
        frame.returns.append(NONE)
    return join(*frame.returns)


def _context_decorator(outer: Function) -> ast.AST:
    decorators_ = getattr(outer.node, "decorator_list", [])
    return decorators_[0] if decorators_ else outer.node


def _patched(m: Machine, outer: Function, values: list[Value], node: ast.AST) -> Value | None:
    """fx's `_patch_function`: the code object loses its star flags, so the Proxies fill its first locals in order."""
    names = _local_names(outer)
    if len(names) < len(values):
        if isinstance(outer.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            m.emit_at(Hook.SIGNATURE, _definition(m, outer), subject=outer.name, via="decorator of forward")
        return None
    return _body(m, outer, dict(zip(names, values, strict=False)))


def _local_names(function: Function) -> list[str]:
    """`co_varnames`: parameters, then locals in the order in which they are first stored."""
    spec = function.node.args
    found = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    if spec.vararg is not None:
        found.append(spec.vararg.arg)
    if spec.kwarg is not None:
        found.append(spec.kwarg.arg)
    body = function.node.body if isinstance(function.node.body, list) else []
    for statement in body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id not in found:
                found.append(inner.id)
    return found


def _library_root(m: Machine, root: Instance, cls: Class) -> None:
    """A class without a forward of its own: torch's is traced into."""
    node = cls.node or cls.module.tree
    scope = Scope()
    frame = Frame(scope, cls.module, cls.qualname, m.heap.depth)
    m.reached.add(m.root_name)
    base: ast.AST = cls.node.bases[0] if cls.node is not None and cls.node.bases else node
    try:
        with m.entered(frame):
            nn_modules.run_forward(m, root, [Proxy("input", param="input")], {}, base)
    except PathEnd:
        return


def check_output(m: Machine, value: Value, inner: Function) -> None:
    """What create_arg refuses as the graph's output."""
    reason = _refused_output(value)
    if reason:
        returns = [n for n in ast.walk(inner.node) if isinstance(n, ast.Return) and n.value is not None]
        at = m.span(returns[-1], inner.module) if returns else _definition(m, inner)
        m.emit_at(Hook.RETURN, at, subject="forward", via=reason)


def _refused_output(value: Value, depth: int = 4) -> str:
    for member in members(value):
        if isinstance(member, Generator):
            return "generator"
        if isinstance(member, List) and member.type_name in ("set", "frozenset"):
            return "set"
        if isinstance(member, (Function, Partial, BoundMethod)):
            return "function"
        if isinstance(member, Instance) and isinstance(member.cls, Class) and member.payload is None:
            marked = any(isinstance(b, Class) and "<dataclass>" in b.cells for b in member.cls.mro)
            if not marked and not [p for p in classes_externals(member) if p not in ("abc.ABC",)]:
                return f"`{member.cls.name}` object"
        if depth and isinstance(member, (Tuple, List)):
            for item in member.seq.every():
                found = _refused_output(item, depth - 1)
                if found:
                    return found
        if depth and isinstance(member, Dict):
            for key, content in member.entries.values():
                if may_be_proxy(key) is not None:
                    return "dict keyed by a Proxy"
                found = _refused_output(content, depth - 1)
                if found:
                    return found
    return ""


def classes_externals(value: Instance) -> list[str]:
    """Library classes of an instance."""
    return classes.externals(value.cls)


from fxlint.interp import attributes, classes, constructor_arguments, functions, nn_modules  # noqa: E402
