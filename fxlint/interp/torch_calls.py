"""torch functions and real tensors: what a call does when a Proxy is among the arguments, and when none is.

With a Proxy, the torch model says whether the function records it (`__torch_function__`) or refuses it. Without one, the
function runs for real while tracing and its result is baked.
"""

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
    List,
    NativeMethod,
    ParameterValue,
    Partial,
    Proxy,
    RealTensor,
    Tuple,
    Unknown,
    Value,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

Model = Callable[["Machine", Sequence[Value], dict[str, Value], ast.AST], Value]

_LISTS = frozenset(
    {
        "chunk",
        "split",
        "unbind",
        "tensor_split",
        "broadcast_tensors",
        "meshgrid",
        "topk",
        "sort",
        "max",
        "min",
        "where",
        "split_with_sizes",
        "unsafe_chunk",
        "unsafe_split",
        "hsplit",
        "vsplit",
        "dsplit",
    }
)


def call(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call `torch.…`."""
    special = _TABLE.get(path)
    if special is not None:
        return special(m, args, kwargs, node)
    if decorators.context_name(External(path)) is not None:
        if len(args) == 1 and isinstance(args[0], (Function, Descriptor)):
            return decorators.apply_value(m, External(path), args[0], node)
        proxy = calls.proxy_among(args, kwargs)
        if proxy is not None and "autocast" in path:
            m.emit(Hook.API, node, proxy, via=path, error="RuntimeError")
        return _object(path)
    if m.is_torch_module(path):
        return nn_modules.construct(m, External(path), args, kwargs, node)
    plain = functions_plain(args)
    if path.startswith("torch.Tensor.") and plain:
        return _unbound(m, path.rpartition(".")[2], plain, kwargs, node)
    proxy = calls.proxy_among(plain, kwargs)
    if path.startswith("torch.vmap.<wrapped>") and proxy is not None:
        m.emit(Hook.API, node, proxy, via="torch.vmap", error="ValueError")
        return Proxy("tensor")
    if proxy is not None:
        return _with_proxy(m, path, plain, kwargs, proxy, node)
    return _without_proxy(m, path, plain, kwargs, node)


def functions_plain(args: Sequence[Value]) -> list[Value]:
    """Arguments with stars replaced by one argument like them."""
    return [a.value if isinstance(a, functions.Star) else a for a in args]


def _object(path: str) -> Instance:
    made = Instance(External(path))
    made.settled = True
    made.provenance = ("library", path)
    return made


def _with_proxy(
    m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], proxy: Proxy, node: ast.AST
) -> Value:
    name = path.rpartition(".")[2]
    outcome = torch_facts.outcome(m, path, args, kwargs)
    if outcome.kind == "raises":
        hook = Hook.FOREIGN
        if outcome.factory:
            hook = Hook.TENSOR_DATA if outcome.data else Hook.SIZE_ARG
        elif path.startswith(
            ("torch.func", "torch.vmap", "torch.cond", "torch._check", "torch._functorch", "torch.autograd")
        ) or name in ("cond", "vmap", "functional_call"):
            hook = Hook.API
        m.emit(hook, node, proxy, via=path, detail=outcome.text, error=outcome.error)
        return Proxy("tensor", low=proxy.low)
    if outcome.kind == "value":
        if name in ("is_tensor", "is_storage"):
            m.emit(Hook.TYPE_TEST, node, proxy, subject=_first(node), via=path, effect=Effect.SILENT)
            return Const(False, definite=True)
        return outcome.value if outcome.value is not None else CONCRETE
    for value in (*args, *kwargs.values()):
        calls.check_argument(m, value, node)
    if "out" in kwargs and any(isinstance(v, RealTensor) for v in members(kwargs["out"])):
        m.emit(Hook.OUT_ARG, node, proxy, subject=node, effect=Effect.SILENT)
    if name.endswith("_") and args:
        for target in members(args[0]):
            if isinstance(target, RealTensor):
                _mutated(m, target, name, node, True)
            elif isinstance(target, Proxy):
                note_inplace(m, target, name, node)
    if name in (
        "dropout",
        "dropout1d",
        "dropout2d",
        "dropout3d",
        "alpha_dropout",
        "feature_alpha_dropout",
        "batch_norm",
        "rrelu",
    ):
        pass
    return Proxy(_flavour(name), low=proxy.low, origin=proxy.origin)


def _flavour(name: str) -> str:
    if name in _LISTS:
        return "list"
    found = attributes.flavour_of(name)
    return found if name not in ("values", "items", "keys") else "tensor"


def _first(node: ast.AST) -> ast.AST | None:
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def _without_proxy(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    name = path.rpartition(".")[2]
    constant = torch_facts.constant_result(m, path)
    if constant is not None:
        return constant
    tensors = [v for a in (*args, *kwargs.values()) for v in _tensors(a)]
    if any(isinstance(t, ParameterValue) for t in tensors) and m.tracing:
        return RealTensor("folded")
    if torch_facts.is_factory(m, path):
        random = torch_facts.is_random(m, path)
        if random:
            m.emit(Hook.RANDOM, node, via=path, subject=node, effect=Effect.SILENT)
        return RealTensor("random" if random else "fresh")
    if tensors:
        real = next((t for t in tensors if isinstance(t, RealTensor) and t.tag in ("buffer", "derived")), None)
        if name.endswith("_"):
            _mutated(m, tensors[0], name, node, False)
            return tensors[0]
        if real is not None:
            operators.fold_real(m, real, node)
        if name in _LISTS:
            return List((), RealTensor("folded" if real is not None else "fresh"))
        return RealTensor("folded" if real is not None else "fresh")
    if torch_facts.is_random(m, path):
        m.emit(Hook.RANDOM, node, via=path, subject=node, effect=Effect.SILENT)
        return CONCRETE
    if any(isinstance(a, Unknown) for a in args):
        return UNKNOWN
    return _object(path) if torch_facts.is_class(m, path) else CONCRETE


def _tensors(value: Value) -> list[Value]:
    found: list[Value] = []
    for member in members(value):
        if isinstance(member, (RealTensor, ParameterValue)):
            found.append(member)
        elif isinstance(member, (Tuple, List)):
            found.extend(
                v for i in member.seq.every() for v in members(i) if isinstance(v, (RealTensor, ParameterValue))
            )
    return found


# ---- real tensors

_REAL_NUMBERS = {
    "size": "",
    "dim": "int",
    "numel": "int",
    "nelement": "int",
    "item": "",
    "tolist": "",
    "stride": "",
    "is_contiguous": "bool",
    "is_floating_point": "bool",
    "is_complex": "bool",
    "element_size": "int",
    "get_device": "int",
    "equal": "bool",
    "allclose": "bool",
    "ndimension": "int",
    "data_ptr": "int",
    "storage_offset": "int",
    "numpy": "",
}
_REAL_ATTRIBUTES = {
    "shape": "",
    "ndim": "int",
    "device": "device",
    "dtype": "dtype",
    "is_cuda": "bool",
    "requires_grad": "bool",
    "layout": "layout",
    "is_leaf": "bool",
    "is_meta": "bool",
    "is_sparse": "bool",
    "is_quantized": "bool",
    "names": "",
    "itemsize": "int",
    "nbytes": "int",
}
_VIEWS = frozenset(
    {
        "view",
        "reshape",
        "expand",
        "to",
        "unsqueeze",
        "squeeze",
        "transpose",
        "permute",
        "contiguous",
        "detach",
        "flatten",
        "t",
        "narrow",
        "select",
        "expand_as",
        "type_as",
        "float",
        "double",
        "half",
        "long",
        "int",
        "bool",
        "cpu",
        "cuda",
        "type",
        "repeat",
        "index_select",
        "clone",
        "movedim",
        "swapaxes",
        "unflatten",
        "view_as",
        "T",
        "mT",
        "data",
    }
)


def real_attribute(m: Machine, owner: RealTensor, name: str) -> Value:
    """An attribute of a real tensor."""
    if name in _REAL_ATTRIBUTES:
        return Concrete(_REAL_ATTRIBUTES[name])
    if name in ("T", "mT", "H", "mH", "data", "real", "imag"):
        return RealTensor("derived" if owner.tag in ("buffer", "derived") else owner.tag)
    if name == "grad":
        return join(NONE, RealTensor("plain"))
    return NativeMethod(owner, name)


def real_method(
    m: Machine, owner: RealTensor, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """A method of a real tensor; a Proxy among the arguments makes torch record it, unless it stands in C varargs."""
    plain = functions_plain(args)
    proxy = calls.proxy_among(plain, kwargs)
    if proxy is not None:
        refusal = torch_facts.method_refusal(m, name, plain, kwargs)
        if refusal is not None:
            m.emit(Hook.SIZE_ARG, node, proxy, via=name, detail=refusal.text, error=refusal.error)
            return Proxy("tensor", low=proxy.low)
        for value in (*plain, *kwargs.values()):
            calls.check_argument(m, value, node)
        if name.endswith("_") and not name.endswith("__"):
            _mutated(m, owner, name, node, True)
        return Proxy(_flavour(name), low=proxy.low)
    if name in _REAL_NUMBERS:
        if name == "tolist":
            return List((), CONCRETE)
        if name in ("item", "equal", "allclose") and owner.tag in ("buffer", "derived"):
            m.emit(Hook.BUFFER_FOLDED, node, owner, effect=Effect.SILENT)
        return Concrete(_REAL_NUMBERS[name] or ("int" if name == "size" and plain else ""))
    if name.endswith("_") and not name.endswith("__"):
        _mutated(m, owner, name, node, False)
        return owner
    if torch_facts.is_random(m, f"torch.Tensor.{name}"):
        m.emit(Hook.RANDOM, node, via=name, subject=node, effect=Effect.SILENT)
        return RealTensor("random")
    if name in _VIEWS:
        return RealTensor("derived" if owner.tag in ("buffer", "derived") else owner.tag)
    if name in _LISTS:
        return List((), RealTensor("derived" if owner.tag in ("buffer", "derived") else owner.tag))
    if name.startswith("new_"):
        return RealTensor("fresh")
    return operators.fold_real(m, owner, node)


def _mutated(m: Machine, owner: Value, name: str, node: ast.AST, by_proxy: bool) -> None:
    """An in-place method on a real tensor: on a buffer it runs now; on a fresh one the recorded call accumulates."""
    if not isinstance(owner, RealTensor):
        return
    if owner.tag in ("buffer", "derived", "plain") and not by_proxy:
        m.emit(Hook.STATE, node, owner, subject=node, effect=Effect.SILENT, via="buffer")
    elif owner.tag in ("fresh", "random", "folded") and by_proxy:
        m.emit(Hook.CONSTANT_MUTATED, node, owner, subject=node, effect=Effect.SILENT)


def note_inplace(m: Machine, target: Proxy, name: str, node: ast.AST) -> None:
    """An in-place method on a Proxy whose result nobody uses is lost to dead-code elimination."""
    if isinstance(node, ast.Call) and m.discarded is node and name not in ("requires_grad_", "retain_grad_", "detach_"):
        if not target.param and target.flavour in ("tensor",):
            m.emit(Hook.INPLACE, node, target, subject=node, via="dead code", effect=Effect.SILENT)


def _unbound(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """`torch.Tensor.name(x, …)`."""
    owner = args[0]
    proxy = may_be_proxy(owner)
    if proxy is not None:
        refusal = torch_facts.unbound_refusal(m, name)
        if refusal is not None:
            m.emit(Hook.API, node, proxy, via=f"torch.Tensor.{name}", detail=refusal.text, error=refusal.error)
        return Proxy(_flavour(name), low=proxy.low)
    if isinstance(owner, RealTensor):
        return real_method(m, owner, name, args[1:], kwargs, node)
    return UNKNOWN


# ---- special names


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
        m.emit(Hook.API, node, proxy, subject=_first(node), via="torch._check", error="TypeError")
    return NONE


def _second(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return args[1] if len(args) > 1 else UNKNOWN


def _identity(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return args[0] if args else External("<identity>")


def _jit_isinstance(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        if isinstance(node, ast.Call) and any(isinstance(a, ast.Subscript) for a in node.args[1:]):
            m.emit(Hook.BOOL_CALL, node, proxy, subject=_first(node), via="torch.jit.isinstance")
            return Concrete("bool")
        m.emit(Hook.TYPE_TEST, node, proxy, subject=_first(node), via="torch.jit.isinstance", effect=Effect.SILENT)
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
        m.emit(Hook.API, node, proxy, subject=_first(node), via="torch.cond", error="RuntimeError")
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
        attributes.mark_changed(args[0])
    return args[0] if args else UNKNOWN


def _float_info(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.FOREIGN, node, proxy, subject=_first(node), via="torch.finfo", error="TypeError")
    return CONCRETE


def _seed(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return CONCRETE


def _no_grad_flag(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return Concrete("bool")


_TABLE: dict[str, Model] = {
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

from fxlint.interp import (  # noqa: E402
    attributes,
    calls,
    decorators,
    functions,
    names,
    nn_modules,
    operators,
    torch_facts,
)
