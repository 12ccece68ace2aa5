"""Names under `torch` whose call means more to a trace than recording it: `fx.wrap`, checkpoint, jit, compile, Size."""

from __future__ import annotations

import ast
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
    Descriptor,
    External,
    Function,
    Instance,
    ParameterValue,
    Partial,
    Proxy,
    RealTensor,
    Tuple,
    Value,
    may_be_proxy,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

Model = Callable[["Machine", Sequence[Value], dict[str, Value], ast.AST], Value]


def wrap_decorator(m: Machine, target: Value, node: ast.AST) -> None:
    """`@torch.fx.wrap` on a definition: only at module level does it do what it says."""
    function = target.getter if isinstance(target, Descriptor) else target
    if not isinstance(function, Function):
        return
    if m.frame.symbol:
        m.misuse(Hook.WRAP_MISUSE, node, subject=function.name, via="not at module level", effect=Effect.UNTRACEABLE)
        return
    m.wrapped.add((function.module.path, function.name))


def _wrap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    target = args[0] if args else UNKNOWN
    if m.frame.symbol:
        m.misuse(Hook.WRAP_MISUSE, node, subject=node, via="not at module level", effect=Effect.UNTRACEABLE)
        return target
    name = (
        target.value
        if isinstance(target, Const) and isinstance(target.value, str)
        else target.name
        if isinstance(target, Function)
        else None
    )
    if isinstance(target, External):
        name = target.path.rpartition(".")[2]
    if name is None:
        return target
    m.wrapped.add((m.frame.module.path, name))
    found = m.frame.scope.cells.get(name)
    meant = names.force(m, m.frame.scope, name, found) if isinstance(found, Value) else target
    if isinstance(meant, External) and meant.path.startswith("torch."):
        m.misuse(Hook.WRAP_TORCH, node, subject=name, via=meant.path, effect=Effect.BREAKS_LATER)
    return target


def _checkpoint(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    own = ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop")
    m.emit(Hook.CHECKPOINT, node, subject=node, effect=Effect.SILENT)
    return m.call(args[0], list(args[1:]), {k: v for k, v in kwargs.items() if k not in own}, node)


def _checkpoint_sequential(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 3:
        return UNKNOWN
    value = args[2]
    m.emit(Hook.CHECKPOINT, node, subject=node, effect=Effect.SILENT)
    for layer in m.iterate(args[0], node).every():
        value = m.call(layer, [value], {}, node)
    return value


def _assert(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return NONE


def _check(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.API, node, proxy, subject=torch_calls.first(node), via="torch._check", error="TypeError")
    return NONE


def _second(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return args[1] if len(args) > 1 else UNKNOWN


def _identity(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return args[0] if args else External("<identity>")


def _jit_isinstance(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        if isinstance(node, ast.Call) and any(isinstance(a, ast.Subscript) for a in node.args[1:]):
            m.emit(Hook.BOOL_CALL, node, proxy, subject=torch_calls.first(node), via="torch.jit.isinstance")
            return Concrete("bool")
        m.emit(
            Hook.TYPE_TEST,
            node,
            proxy,
            subject=torch_calls.first(node),
            via="torch.jit.isinstance",
            effect=Effect.SILENT,
        )
        return Const(False, definite=True)
    return Concrete("bool")


def _compiled(name: str) -> Model:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args:
            return Partial(External(f"torch.{'compile' if name == 'torch.compile' else 'jit.script'}"), (), kwargs)
        target = args[0]
        if isinstance(target, Function):
            target.attrs["<compiled>"] = Const(name)
        elif isinstance(target, Instance):
            target.native["compiled"] = name
            if isinstance(target.cls, Class):
                m.reached.add(f"{target.cls.module.name}.{target.cls.qualname}")
        return target

    return run


def _traced_jit(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        args[0].native["opaque"] = True
        return args[0]
    return UNKNOWN


def _cond(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = calls.proxy_among(args, kwargs)
    if proxy is not None:
        m.emit(Hook.API, node, proxy, subject=torch_calls.first(node), via="torch.cond", error="RuntimeError")
        return Proxy("tensor")
    return UNKNOWN


def _vmap(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return External("torch.vmap.<wrapped>")


def _parameter(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return ParameterValue(False)


def _buffer(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return RealTensor("buffer")


def _is_tracing(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    m.emit(Hook.FX_TRACING, node, subject=node, effect=Effect.SILENT)
    return Const(True) if m.tracing else FALSE


def _size(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="torch.Size") if args else None
    if seq is not None:
        proxy = next((p for p in map(may_be_proxy, seq.every()) if p), None)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via="torch.Size")
        return Tuple(seq.items, seq.tail)
    return Tuple()


def _spectral(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        at = m.span(node, m.frame.module)
        args[0].hooks.append(("register_forward_pre_hook<norm>", UNKNOWN, at))
        attribute_writes.mark_changed(args[0])
    return args[0] if args else UNKNOWN


def _float_info(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.FOREIGN, node, proxy, subject=torch_calls.first(node), via="torch.finfo", error="TypeError")
    return CONCRETE


def _seed(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return CONCRETE


def _no_grad_flag(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Concrete("bool")


TABLE: dict[str, Model] = {
    "torch.fx.wrap": _wrap,
    "torch.fx._symbolic_trace.wrap": _wrap,
    "torch.utils.checkpoint.checkpoint": _checkpoint,
    "torch.utils.checkpoint.checkpoint_sequential": _checkpoint_sequential,
    "torch._assert": _assert,
    "torch._assert_async": _assert,
    "torch._check": _check,
    "torch._check_is_size": _check,
    "torch._check_value": _check,
    "torch.jit.annotate": _second,
    "torch.jit.isinstance": _jit_isinstance,
    "torch.jit.script": _compiled("torch.jit.script"),
    "torch.jit.trace": _traced_jit,
    "torch.jit.load": _traced_jit,
    "torch.compile": _compiled("torch.compile"),
    "torch.jit.ignore": _identity,
    "torch.jit.unused": _identity,
    "torch.jit.export": _identity,
    "torch.jit.script_if_tracing": _identity,
    "torch.jit.interface": _identity,
    "torch.compiler.disable": _identity,
    "torch._dynamo.disable": _identity,
    "torch.cond": _cond,
    "torch.vmap": _vmap,
    "torch.func.vmap": _vmap,
    "torch.func.grad": _vmap,
    "torch.func.jacrev": _vmap,
    "torch.func.jacfwd": _vmap,
    "torch.func.hessian": _vmap,
    "torch.nn.Parameter": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.nn.parameter.UninitializedParameter": _parameter,
    "torch.nn.UninitializedParameter": _parameter,
    "torch.nn.Buffer": _buffer,
    "torch.nn.parameter.Buffer": _buffer,
    "torch.fx._symbolic_trace.is_fx_tracing": _is_tracing,
    "torch.fx._symbolic_trace.is_fx_symbolic_tracing": _is_tracing,
    "torch.Size": _size,
    "torch.nn.utils.spectral_norm": _spectral,
    "torch.nn.utils.weight_norm": _spectral,
    "torch.finfo": _float_info,
    "torch.iinfo": _float_info,
    "torch.manual_seed": _seed,
    "torch.is_grad_enabled": _no_grad_flag,
    "torch.nn.utils.parametrizations.spectral_norm": _identity,
    "torch.nn.utils.parametrizations.weight_norm": _identity,
    "torch.nn.utils.parametrizations.orthogonal": _identity,
}

from fxlint.interp import attribute_writes, calls, names, torch_calls  # noqa: E402
