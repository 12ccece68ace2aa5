"""The torch model, asked in the interpreter's words: which name is what, and what a call with these values does."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fxlint.interp.torch_model import Fact, Form, Outcome, TorchModel
from fxlint.interp.values import (
    CONCRETE,
    NONE,
    UNKNOWN,
    Concrete,
    Const,
    Dict,
    External,
    Instance,
    List,
    ParameterValue,
    Proxy,
    RealTensor,
    Slice,
    Tuple,
    Value,
    holds_proxy,
    join,
    members,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_MODULE = "torch.nn.Module"
_SCALARS = {"bool": bool, "int": int, "float": float, "str": str}


def load_model() -> TorchModel:
    """The torch model of the newest version that there is data for."""
    return TorchModel.load()


@dataclass(frozen=True, slots=True)
class Call:
    """What a call with a Proxy does. `factory`: it makes a tensor from sizes; `data`: from data."""

    kind: str
    text: str = ""
    error: str = "TypeError"
    value: Value | None = None
    factory: bool = False
    data: bool = False


# ---- forms


def form_of(args: Sequence[Value], kwargs: dict[str, Value]) -> Form:
    """The call in the torch model's language: which arguments are Proxies, tensors, constants."""
    return Form.of(*[_item(a) for a in args], **{k: _item(v) for k, v in kwargs.items() if k.isidentifier()})


def _item(value: Value) -> str:
    options = members(value)
    if any(isinstance(v, Proxy) for v in options):
        return "p"
    if any(isinstance(v, (RealTensor, ParameterValue)) for v in options):
        return "t"
    for member in options:
        if isinstance(member, (Tuple, List)):
            brackets = "()" if isinstance(member, Tuple) else "[]"
            return Form.container(brackets, [_item(i) for i in member.seq.every()])
        if isinstance(member, (Dict, Slice)) and holds_proxy(member) is not None:
            return "p"
    return "c"


# ---- names


def _fact(m: Machine, path: str) -> Fact | None:
    return m.torch.lookup(path)


def resolve(m: Machine, path: str) -> Value:
    """The value that a torch name stands for, under its canonical name."""
    name = m.torch.canonical(path)
    fact = _fact(m, name)
    if fact is not None and fact.kind == "constant":
        return _constant(fact.type, fact.text)
    if not name.startswith("torch"):
        return External(name)
    return External(name)


def _constant(type_name: str, text: str) -> Value:
    if type_name in (*_SCALARS, "NoneType") and text:
        try:
            return Const(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return Concrete(type_name)
    return Concrete(type_name.rpartition(".")[2] if type_name.rpartition(".")[2] in _SCALARS else "torch")


def exists(m: Machine, path: str) -> bool:
    """Whether torch has the name, as far as its data says."""
    return bool(m.torch.exists(path))


def is_module_class(m: Machine, path: str) -> bool:
    """Whether the name is torch.nn.Module or a subclass."""
    if not path.startswith("torch."):
        return False
    key = ("module class", path)
    known = m.facts.get(key)
    if known is None:
        name = m.torch.canonical(path)
        fact = m.torch.module_class(name)
        if fact is None:
            found = _fact(m, name)
            known = name in (_MODULE, "torch.jit.ScriptModule") or (found is not None and found.kind == "nn-module")
        else:
            known = True
        m.facts[key] = known
    return bool(known)


def is_class(m: Machine, path: str) -> bool:
    """Whether the name is a class."""
    fact = _fact(m, path)
    return fact is not None and fact.kind in ("class", "nn-module", "autograd-function", "exception")


def derives(m: Machine, path: str, other: str) -> bool:
    """issubclass for two torch names."""
    if other == _MODULE:
        return is_module_class(m, path)
    name, wanted = m.torch.canonical(path), m.torch.canonical(other)
    if name == wanted:
        return True
    module = m.torch.module_class(name)
    bases = module.bases if module is not None else fact.bases if (fact := _fact(m, name)) is not None else ()
    return any(m.torch.canonical(b) == wanted for b in bases)


_MODULE_METHODS = frozenset(
    """add_module apply bfloat16 buffers children compile cpu cuda double eval extra_repr float forward get_buffer
    get_parameter get_submodule half load_state_dict modules named_buffers named_children named_modules
    named_parameters parameters register_buffer register_forward_hook register_forward_pre_hook
    register_full_backward_hook register_module register_parameter requires_grad_ state_dict to to_empty train type
    zero_grad __call__ __setattr__ __getattr__ __delattr__ __init__ __repr__ __dir__ _get_name register_backward_hook
    set_submodule share_memory _load_from_state_dict _save_to_state_dict _register_load_state_dict_pre_hook
    _register_state_dict_hook
    register_load_state_dict_post_hook register_load_state_dict_pre_hook register_state_dict_post_hook""".split()
)
_CONTAINER_METHODS = frozenset(
    """append extend insert pop keys values items update clear __len__ __iter__ __getitem__ __setitem__ __delitem__
    __contains__ get setdefault copy""".split()
)


def class_has(m: Machine, path: str, name: str) -> bool:
    """Whether a torch class defines the member."""
    if is_module_class(m, path):
        if name in _MODULE_METHODS:
            return True
        fact = m.torch.module_class(path)
        if fact is not None and fact.container and name in _CONTAINER_METHODS:
            return True
        return fact is not None and name in fact.methods
    if name.startswith("__"):
        return name in ("__enter__", "__exit__") and path.startswith("torch.")
    return bool(m.torch.exists(f"{path}.{name}")) or (
        path == "torch.autograd.Function" and name in ("apply", "forward", "backward", "setup_context")
    )


def tensor_has(m: Machine, name: str) -> bool:
    """Whether a Tensor has the attribute."""
    return m.torch.tensor_attribute(name) is not None


# ---- modules


def module_attribute(m: Machine, owner: Instance, path: str, name: str) -> Value | None:
    """An attribute that torch's `__init__` leaves on an instance."""
    fact = m.torch.module_class(path)
    if fact is None:
        return None
    args, kwargs = owner.native.get("args", ((), {}))
    if name in fact.parameters:
        switch = kwargs.get(name)
        if isinstance(switch, Const) and switch.value is False:
            return NONE
        if not fact.parameters[name]:
            return join(NONE, ParameterValue(True)) if (args or kwargs) else NONE
        if name == "bias" and (switch is not None or len(args) > _position(fact.init, "bias")):
            given = switch if switch is not None else args[_position(fact.init, "bias")]
            if isinstance(given, Const):
                return ParameterValue(True) if given.value else NONE
            return join(NONE, ParameterValue(True))
        return ParameterValue(True)
    if name in fact.buffers:
        return RealTensor("buffer") if fact.buffers[name] else join(NONE, RealTensor("buffer"))
    if name in fact.submodules:
        return UNKNOWN
    if name in fact.attributes:
        return _given(fact.init, args, kwargs, name, fact.attributes[name])
    return None


def _position(signature: tuple[tuple[str, str | None], ...], name: str) -> int:
    return next((i for i, (n, _) in enumerate(signature) if n == name), 1_000)


def _given(
    signature: tuple[tuple[str, str | None], ...],
    args: Sequence[Value],
    kwargs: dict[str, Value],
    name: str,
    words: str,
) -> Value:
    """A constructor argument kept under its own name, when it kept its type; else a Concrete of the attribute's."""
    type_name, _, text = words.partition(" ")
    place = _position(signature, name)
    value = kwargs.get(name) or (
        args[place] if place < len(args) and not any(type(a).__name__ == "Star" for a in args[: place + 1]) else None
    )
    if value is not None:
        if all(isinstance(v, (Const, Concrete)) for v in members(value)):
            kinds = {type(v.value).__name__ for v in members(value) if isinstance(v, Const)}
            return value if kinds <= {type_name} else Concrete(type_name if type_name in _SCALARS else "")
        return CONCRETE
    default = next((d for n, d in signature if n == name), None)
    if default is not None and text and default == text:
        return _constant(type_name, text)
    return Concrete(type_name if type_name in _SCALARS else "")


def module_method(
    m: Machine, owner: Instance, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST
) -> Value:
    """A method that a torch module class defines and a subclass calls."""
    proxy = calls.proxy_among(args, kwargs)
    for path in classes.externals(owner.cls):
        fact = m.torch.module_class(path)
        if fact is None or name not in fact.methods:
            continue
        outcome = fact.methods[name]
        if outcome is not None and outcome.raises and proxy is not None and m.tracing:
            m.emit(
                Hook.LEAF_LOST,
                node,
                proxy,
                subject=f"self.{name}",
                via=path.rpartition(".")[2],
                detail=outcome.text,
                error=outcome.type,
            )
        break
    return Proxy("tensor", low=proxy.low) if proxy is not None else CONCRETE


def leaf_flavour(owner: Instance) -> str:
    """What a leaf's call gives in eager mode: a tuple for recurrent and attention layers."""
    name = owner.cls.path.rpartition(".")[2] if isinstance(owner.cls, External) else ""
    return "list" if name in ("LSTM", "GRU", "RNN", "MultiheadAttention", "LSTMCell") else "tensor"


def forward_refusal(m: Machine, path: str) -> str | None:
    """torch's words when the class's own forward is traced into; None when it traces."""
    fact = m.torch.module_class(path)
    if fact is None:
        return None
    outcome = fact.subclass or fact.traced
    if outcome is None or not outcome.raises:
        return None
    return f"{outcome.type}: {outcome.text}"


def reads_training(m: Machine, path: str) -> bool:
    """Whether the class's forward hands `self.training` on."""
    return "Dropout" in path.rpartition(".")[2]


# ---- functions


def outcome(m: Machine, path: str, args: Sequence[Value], kwargs: dict[str, Value]) -> Call:
    """What calling a torch function with these arguments does."""
    fact = _fact(m, path)
    if fact is None:
        return Call("proxy")
    if fact.kind == "module":
        return Call("proxy")
    found = fact.outcome(form_of(args, kwargs))
    if found is None:
        return Call("proxy")
    factory = is_factory(m, path)
    if found.raises:
        data = path.rpartition(".")[2] in (
            "tensor",
            "as_tensor",
            "asarray",
            "from_numpy",
            "scalar_tensor",
            "LongTensor",
            "FloatTensor",
            "Tensor",
            "IntTensor",
            "BoolTensor",
            "DoubleTensor",
            "HalfTensor",
        )
        return Call("raises", found.text, found.type or "RuntimeError", None, factory or data, data)
    if found.answer == "value":
        return Call("value", value=constant_of(found))
    if found.answer in ("tensor", "tensors"):
        return Call("value", value=RealTensor("fresh"))
    return Call("proxy")


def constant_of(found: Outcome) -> Value:
    """The value of a constant outcome."""
    return (
        _constant(found.type, found.text)
        if found.is_constant
        else Concrete(found.type if found.type in _SCALARS else "")
    )


def constant_result(m: Machine, path: str) -> Value | None:
    """The constant that a call without arguments gives under trace."""
    fact = _fact(m, path)
    constant = fact.constant if fact is not None else None
    if constant is None or constant.type != "bool":
        return None
    if not path.startswith(
        (
            "torch.jit.",
            "torch.compiler.",
            "torch._dynamo.",
            "torch.onnx.",
            "torch._jit_internal.",
            "torch.overrides.",
            "torch.fx.",
        )
    ):
        return Concrete("bool")
    return constant_of(constant)


def is_factory(m: Machine, path: str) -> bool:
    """Whether the function makes a real tensor from real arguments that hold none."""
    fact = _fact(m, path)
    if fact is None:
        return False
    return (
        fact.real is not None
        and fact.real.answer in ("tensor", "tensors")
        and not any(p.name in ("input", "self", "tensors", "tensor") and p.required for p in fact.params)
    )


def is_random(m: Machine, path: str) -> bool:
    """Whether the function draws random numbers."""
    if path.startswith("torch.Tensor."):
        attribute = m.torch.tensor_attribute(path.rpartition(".")[2])
        return attribute is not None and attribute.random
    fact = _fact(m, path)
    return fact is not None and fact.random


def method_refusal(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value]) -> Call | None:
    """torch's refusal of a real tensor's method with these arguments."""
    fact = m.torch.tensor_attribute(name)
    if fact is None:
        return None
    found = fact.outcome(form_of(args, kwargs))
    return Call("raises", found.text, found.type or "TypeError") if found is not None and found.raises else None


def unbound_refusal(m: Machine, name: str) -> Call | None:
    """torch's refusal of `torch.Tensor.name(proxy)`."""
    fact = m.torch.tensor_attribute(name)
    found = fact.unbound if fact is not None else None
    return Call("raises", found.text, found.type or "TypeError") if found is not None and found.raises else None


def numpy_outcome(m: Machine, name: str) -> str:
    """traces, or raises, for a numpy function given a Proxy."""
    fact = m.torch.numpy(name)
    found = fact.call if fact is not None else None
    return "traces" if found is not None and not found.raises else "raises"


from fxlint.interp import calls, classes  # noqa: E402
from fxlint.interp.events import Hook  # noqa: E402
