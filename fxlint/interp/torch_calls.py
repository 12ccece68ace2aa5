"""torch functions and real tensors: what a call does when a Proxy is among the arguments, and when none is.

With a Proxy, the torch model says whether the function records it (`__torch_function__`) or refuses it. Without one,
the function runs for real while tracing and its result is baked.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fxlint.interp.events import Hook
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Concrete,
    Const,
    Descriptor,
    External,
    Function,
    Instance,
    List,
    NativeMethod,
    ParameterValue,
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
    special = torch_special.TABLE.get(path)
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
            m.emit(Hook.TYPE_TEST, node, proxy, subject=first(node), via=path, effect=Effect.SILENT)
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
    return Proxy(_flavour(name), low=proxy.low, origin=proxy.origin)


def _flavour(name: str) -> str:
    if name in _LISTS:
        return "list"
    found = proxy_attributes.flavour_of(name)
    return found if name not in ("values", "items", "keys") else "tensor"


def first(node: ast.AST) -> ast.AST | None:
    """The first argument as written."""
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


from fxlint.interp import (  # noqa: E402
    calls,
    decorators,
    functions,
    nn_modules,
    operators,
    proxy_attributes,
    torch_facts,
    torch_special,
)
