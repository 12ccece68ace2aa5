"""What real tensors do with Proxies: attributes, methods, unbound methods, and the operations of Python's syntax."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
import torch.fx

from . import calls, functions, isolate
from .ask import Question, answer, ask, quiet

Fact = dict[str, Any]

# Instance dictionaries and pickling; nothing that models call.
_SKIPPED = frozenset(
    """
    __class__ __dict__ __doc__ __init__ __new__ __init_subclass__ __subclasshook__ __reduce__ __reduce_ex__
    __sizeof__ __getstate__ __setstate__ __module__ __weakref__ __abstractmethods__ __dir__ __getattribute__
    __setattr__ __delattr__
    __annotations__ __slots__ __torch_function__ __torch_dispatch__ __firstlineno__ __static_attributes__""".split()
)


def attribute_facts() -> dict[str, Fact]:
    """One fact for each attribute of `torch.Tensor`."""
    names = [name for name in dir(torch.Tensor) if name not in _SKIPPED]
    return isolate.run([(name, partial(attribute, name)) for name in names])


def attribute(name: str) -> Fact:
    """What one attribute of a real tensor is."""
    member = getattr(torch.Tensor, name)
    if not callable(member) or isinstance(member, property):
        with quiet():
            return {"kind": "property", "real": answer(lambda: getattr(torch.ones(2, 2), name))}
    found: Fact = {"kind": "method"}
    if (name.endswith("_") and not name.endswith("__")) or name in _inplace_dunders():
        found["inplace"] = 1
    found.update(functions.called(_bound(name), _signatures(name)))
    found.pop("enters", None)
    found["unbound"] = _unbound(name)
    return functions.unnamed(found, name)


def _bound(name: str) -> Callable[..., Any]:
    def method(*args: Any, **keywords: Any) -> Any:
        """A method of a fresh tensor, of the first kind that the call accepts."""
        if any(isinstance(each, torch.fx.Proxy) for each in (*args, *keywords.values())) or len(_RECEIVERS) == 1:
            return getattr(_RECEIVERS[0](), name)(*args, **keywords)
        error: Exception | None = None
        for make in _RECEIVERS:
            try:
                return getattr(make(), name)(*args, **keywords)
            except Exception as raised:
                error = error or raised
        raise error or AssertionError

    return method


_RECEIVERS: list[Callable[[], torch.Tensor]] = [
    lambda: torch.ones(2, 2),
    lambda: torch.ones(2, 2, 2, 2),
    lambda: torch.ones(4),
    lambda: torch.ones(1),
    lambda: torch.ones(2, 2, dtype=torch.long),
    lambda: torch.ones(2, 2, dtype=torch.bool),
    lambda: torch.ones(2, 2, dtype=torch.complex64),
]


def _inplace_dunders() -> frozenset[str]:
    return frozenset(name for name in dir(operator) if name.startswith("__i") and f"__{name[3:]}" in dir(operator))


def _signatures(name: str) -> list[list[calls.Param]]:
    """The parameters after the tensor itself."""
    if name in calls.TAKES_DATA:
        return calls.DATA
    found = calls.signatures(f"torch.Tensor.{name}", getattr(torch.Tensor, name))
    return [params[1:] for params in found if params and params[0].tag in ("tensor", "unknown")] or calls.FAMILIES


def _unbound(name: str) -> str:
    """What `torch.Tensor.name(proxy, ...)` does, with as many further arguments as the method needs."""
    function = getattr(torch.Tensor, name)
    answers = []
    for params in _signatures(name)[:3]:
        arguments = [calls.PROXY, *calls.baseline(params, calls.SAMPLES[0])]
        answers.append(ask([calls.question(function, arguments)]).popitem()[1])
    return min(answers, key=lambda words: (words.startswith("raises"), answers.index(words))) if answers else "unknown"


BINARY = {
    name: getattr(operator, name)
    for name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le gt ge eq ne".split()
}
INPLACE = {
    name: getattr(operator, name)
    for name in "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift".split()
}

_OTHERS: dict[str, Callable[[], Any]] = {
    "t": lambda: torch.ones(2, 2),
    "int": lambda: 2,
    "float": lambda: 0.5,
    "bool": lambda: True,
    "str": lambda: "text",
    "None": lambda: None,
    "list": lambda: [1, 2],
    "tuple": lambda: (1, 2),
    "dict": lambda: {1: 2},
    "set": lambda: {1},
    "Size": lambda: torch.Size([1, 2]),
    "dtype": lambda: torch.float32,
}


def operator_facts() -> dict[str, Fact]:
    """What each operation answers, by the types of its operands."""
    facts: dict[str, Fact] = {}
    for name, operation in {**BINARY, **INPLACE, "divmod": divmod}.items():
        facts[name] = functions.summary(ask(_binary(operation)))
    facts["contains"] = functions.summary(ask(_binary(lambda left, right: right in left)))
    for name, unary in _UNARY.items():
        facts[name] = {"call": ask([Question("p", unary)])["p"], "real": answer(partial(unary, torch.ones(2, 2)))}
    facts["getitem"] = functions.summary(ask(Question(key, partial(_get, index)) for key, index in _INDICES.items()))
    facts["setitem"] = functions.summary(ask(Question(key, partial(_set, index)) for key, index in _INDICES.items()))
    facts["delitem"] = functions.summary(ask([Question("p,c", lambda p: operator.delitem(p, 0))]))
    facts["getitem-list"] = functions.summary(ask(_list_indices()))
    facts["setattr"] = functions.summary(ask(_setattr()))
    facts["copy"] = functions.summary(ask(_copied()))
    return dict(sorted(facts.items()))


_UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "abs": operator.abs,
    "not": operator.not_,
    "bool": bool,
    "index": operator.index,
}


def _binary(operation: Callable[[Any, Any], Any]) -> list[Question]:
    questions = [Question("p,p", lambda p: operation(p, p))]
    for name, make in _OTHERS.items():
        questions.append(Question(f"{name},p", partial(_left, operation, make)))
        questions.append(Question(f"p,{name}", partial(_right, operation, make)))
    return questions


def _left(operation: Callable[[Any, Any], Any], make: Callable[[], Any], p: Any) -> Any:
    return operation(make(), p)


def _right(operation: Callable[[Any, Any], Any], make: Callable[[], Any], p: Any) -> Any:
    return operation(p, make())


_INDICES: dict[str, Callable[[Any], Any]] = {
    "t,p": lambda p: p,
    "t,:p": lambda p: slice(None, p),
    "t,p:": lambda p: slice(p, None),
    "t,::p": lambda p: slice(None, None, p),
    "t,(:,p)": lambda p: (slice(None), p),
    "t,(p,:)": lambda p: (p, slice(None)),
    "t,(None,p)": lambda p: (None, p),
    "t,(...,p)": lambda p: (..., p),
    "t,(c,p)": lambda p: (0, p),
    "t,(p,c)": lambda p: (p, 0),
    "t,(p,p)": lambda p: (p, p),
    "t,(:,:p)": lambda p: (slice(None), slice(None, p)),
    "t,(:p,:)": lambda p: (slice(None, p), slice(None)),
    "t,(...,:p)": lambda p: (..., slice(None, p)),
    "t,(None,:p)": lambda p: (None, slice(None, p)),
    "t,(c,:p)": lambda p: (0, slice(None, p)),
    "t,(:p,p)": lambda p: (slice(None, p), p),
    "t,(p,:p)": lambda p: (p, slice(None, p)),
    "t,[p]": lambda p: [p],
    "t,[c,p]": lambda p: [0, p],
    "t,(t,p)": lambda p: (torch.zeros(2, dtype=torch.long), p),
}


def _get(index: Callable[[Any], Any], p: Any) -> Any:
    return torch.ones(2, 2)[index(p)]


def _set(index: Callable[[Any], Any], p: Any) -> Any:
    tensor = torch.ones(2, 2)
    tensor[index(p)] = 0
    return tensor


def _up_to(container: Any, p: Any) -> Any:
    return container[:p]


def _list_indices() -> list[Question]:
    containers: dict[str, Callable[[], Any]] = {
        "list": lambda: [1, 2],
        "tuple": lambda: (1, 2),
        "str": lambda: "ab",
        "dict": lambda: {0: 1},
        "range": lambda: range(3),
        "Size": lambda: torch.Size([1, 2]),
        "ModuleList": lambda: torch.nn.ModuleList([torch.nn.ReLU()]),
        "ModuleDict": lambda: torch.nn.ModuleDict({"a": torch.nn.ReLU()}),
        "Sequential": lambda: torch.nn.Sequential(torch.nn.ReLU()),
        "ParameterList": lambda: torch.nn.ParameterList([torch.nn.Parameter(torch.ones(1))]),
    }
    questions = [Question("p,p", lambda p: p[p]), Question("p,:p", lambda p: p[:p])]
    for name, make in containers.items():
        questions.append(Question(f"{name},p", partial(_left, operator.getitem, make)))
        questions.append(Question(f"{name},:p", partial(_left, _up_to, make)))
    return questions


def _setattr() -> list[Question]:
    def change(receiver: Callable[[Any], Any], name: str, value: Any, p: Any) -> Any:
        setattr(receiver(p), name, p if value is None else value)

    def own(p: Any) -> Any:
        return p

    def real(p: Any) -> torch.Tensor:
        return torch.ones(2)

    return [
        *(
            Question(f"p.{name}=c", partial(change, own, name, 1))
            for name in ("data", "requires_grad", "grad", "anything")
        ),
        *(
            Question(f"t.{name}=p", partial(change, real, name, None))
            for name in ("data", "requires_grad", "grad", "anything")
        ),
    ]


def _copied() -> list[Question]:
    def into(write: Callable[[torch.Tensor, Any], Any], p: Any) -> Any:
        tensor = torch.zeros(2, 2)
        return write(tensor, p)

    def item(tensor: torch.Tensor, p: Any) -> torch.Tensor:
        tensor[0] = p
        return tensor

    def sliced(tensor: torch.Tensor, p: Any) -> torch.Tensor:
        tensor[:, 0] = p
        return tensor

    return [
        Question("t[c]=p", partial(into, item)),
        Question("t[:,c]=p", partial(into, sliced)),
        Question("t.copy_(p)", partial(into, lambda tensor, p: tensor.copy_(p))),
        Question("t.data.copy_(p)", partial(into, lambda tensor, p: tensor.data.copy_(p))),
        Question("t.fill_(p)", partial(into, lambda tensor, p: tensor.fill_(p))),
        Question("p[c]=t", lambda p: operator.setitem(p, 0, torch.ones(2))),
    ]
