"""What the interpreter knows of torch by heart, one set at a time: each entry is put to torch once."""

from __future__ import annotations

import collections
import collections.abc
import importlib
import inspect
import numbers
import types
import typing
from collections.abc import Callable, Iterable
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'fxlint[torch]', these tests ask it")

import torch
import torch.utils.checkpoint
from torch import nn

from fxlint.interp import (
    decorators,
    nn_containers,
    nn_methods,
    proxy_attributes,
    torch_calls,
    torch_facts,
    torch_special,
    type_tests,
)
from fxlint.interp.torch_model import TorchModel
from fxlint.interp.torch_model.generate.ask import Question, ask, quiet


def named(path: str) -> Any:
    """The object behind a dotted name."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise ImportError(path)


def asked(run: Callable[[Any], Any]) -> str:
    """What an expression of one Proxy does while a module is traced."""
    return ask([Question("p", run)])["p"]


# ---- results of methods and functions

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "chunk": (2,),
    "split": (1,),
    "tensor_split": (2,),
    "split_with_sizes": ([1, 1],),
    "unsafe_chunk": (2,),
    "unsafe_split": (1,),
    "hsplit": (2,),
    "vsplit": (2,),
    "dsplit": (2,),
    "topk": (1,),
    "max": (0,),
    "min": (0,),
    "equal": (torch.ones(2, 2, 2),),
    "allclose": (torch.ones(2, 2, 2),),
    "size": (),
    "view": (-1,),
    "reshape": (-1,),
    "expand": (2, 2, 2),
    "to": (torch.float64,),
    "unsqueeze": (0,),
    "transpose": (0, 1),
    "permute": (2, 1, 0),
    "narrow": (0, 0, 1),
    "select": (0, 0),
    "expand_as": (torch.ones(2, 2, 2),),
    "view_as": (torch.ones(2, 2, 2),),
    "type_as": (torch.ones(2, 2, 2),),
    "repeat": (1, 1, 1),
    "index_select": (0, torch.zeros(1, dtype=torch.long)),
    "movedim": (0, 1),
    "swapaxes": (0, 1),
    "unflatten": (0, (1, 2)),
}


NAMED = ("names",)
"""What tensors had as long as their dimensions could be named."""


def result(name: str, tensor: torch.Tensor | None = None) -> Any:
    """An attribute of a real tensor, or what the method returns."""
    owner = torch.ones(2, 2, 2) if tensor is None else tensor
    with quiet():
        found = getattr(owner, name)
        return found(*ARGUMENTS.get(name, ())) if callable(found) and not isinstance(found, torch.Tensor) else found


FUNCTIONS: dict[str, Callable[[], Any]] = {
    "broadcast_tensors": lambda: torch.broadcast_tensors(torch.ones(1), torch.ones(2)),
    "meshgrid": lambda: torch.meshgrid(torch.ones(1), torch.ones(2), indexing="ij"),
    "where": lambda: torch.where(torch.ones(2)),
}


@pytest.mark.parametrize("name", sorted(torch_calls._LISTS))
def test_what_gives_several_tensors(name: str) -> None:
    found = FUNCTIONS[name]() if name in FUNCTIONS else result(name)
    assert isinstance(found, (tuple, list))
    assert all(isinstance(item, torch.Tensor) for item in found)


HINTS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "bool": (bool,),
    "str": (str,),
    "float": (float,),
    "size": (torch.Size, tuple),
    "list": (list, tuple),
    "dtype": (torch.dtype, torch.layout),
    "device": (torch.device,),
    "layout": (torch.layout,),
    "tensor": (torch.Tensor,),
}


@pytest.mark.parametrize(
    ("name", "hint"), sorted([*torch_calls._REAL_NUMBERS.items(), *torch_calls._REAL_ATTRIBUTES.items()])
)
def test_what_of_a_tensor_is_no_tensor(name: str, hint: str) -> None:
    if name in NAMED and not hasattr(torch.Tensor, name):
        return
    found = result(name, torch.ones(1) if name == "item" else None)
    assert not isinstance(found, torch.Tensor)
    if hint:
        assert type(found) in HINTS[hint]


@pytest.mark.parametrize("name", sorted(torch_calls._VIEWS))
def test_what_of_a_tensor_is_the_same_data_again(name: str) -> None:
    if name == "type":
        assert isinstance(torch.ones(2).type(torch.float64), torch.Tensor)
    elif name in ("T", "mT"):
        assert isinstance(result(name, torch.ones(2, 2)), torch.Tensor)
    elif name == "cuda" and not torch.cuda.is_available():
        assert callable(torch.Tensor.cuda)
    else:
        assert isinstance(result(name, torch.ones(2, 2) if name == "t" else None), torch.Tensor)


OF_DICTS = ("keys", "values", "items")


@pytest.mark.parametrize(("name", "flavour"), sorted(proxy_attributes._FLAVOURS.items()))
def test_what_an_attribute_of_an_eager_tensor_is(name: str, flavour: str) -> None:
    if name in OF_DICTS:  # a Proxy may stand for a dictionary
        assert isinstance(list(getattr({1: 2}, name)()), HINTS[flavour])
        return
    if name in NAMED and not hasattr(torch.Tensor, name):
        return
    assert isinstance(result(name, torch.ones(1) if name == "item" else None), HINTS[flavour])


# ---- special functions

EXPECTED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "torch._assert": (lambda p: torch._assert(p, "text"), "proxy"),
    "torch._check": (torch._check, "raises TypeError"),
    "torch.jit.isinstance": (lambda p: torch.jit.isinstance(p, torch.Tensor), "value bool False"),
    "torch.jit.annotate": (lambda p: torch.jit.annotate(int, p), "proxy"),
    "torch.compiler.disable": (lambda p: torch.compiler.disable(lambda x: x)(p), "proxy"),
    "torch.cond": (lambda p: torch.cond(p, lambda x: x, lambda x: x, (p,)), "raises RuntimeError"),
    "torch.vmap": (lambda p: torch.vmap(torch.sin)(p), "raises ValueError"),
    "torch.Size": (lambda p: torch.Size([p]), "raises TypeError"),
    "torch.finfo": (torch.finfo, "raises TypeError"),
    "torch.is_grad_enabled": (lambda p: torch.is_grad_enabled(), "value bool True"),
    "torch.is_tensor": (torch.is_tensor, "value bool False"),
    "torch.utils.checkpoint.checkpoint": (
        lambda p: torch.utils.checkpoint.checkpoint(torch.sin, p, use_reentrant=False),
        "proxy",
    ),
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_special_functions(name: str) -> None:
    run, expected = EXPECTED[name]
    assert asked(run).startswith(expected)


@pytest.mark.parametrize("path", sorted(torch_special.TABLE))
def test_special_functions_exist(path: str) -> None:
    named(path)


@pytest.mark.xfail(strict=True, reason="torch.iinfo reads a Proxy as if it were torch.uint8 and bakes its range")
def test_integer_ranges_of_a_proxy_are_refused() -> None:
    assert asked(torch.iinfo).startswith("raises TypeError")


def test_fx_knows_that_it_traces() -> None:
    # `ask` runs inside a trace.
    assert asked(lambda p: torch.fx._symbolic_trace.is_fx_tracing()) == "value bool True"
    assert torch.fx._symbolic_trace.is_fx_tracing() is False


# ---- module classes


def methods_of(cls: type) -> set[str]:
    return {name for name in dir(cls) if callable(getattr(cls, name))}


def test_methods_of_every_module() -> None:
    assert torch_facts._MODULE_METHODS - methods_of(nn.Module) == set()


CONTAINERS = [nn.Sequential, nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict]


@pytest.mark.parametrize("name", sorted(torch_facts._CONTAINER_METHODS))
def test_methods_of_containers(name: str) -> None:
    assert any(hasattr(cls, name) for cls in CONTAINERS)


@pytest.mark.parametrize("path", sorted(nn_containers._ORDERED | nn_containers._KEYED))
def test_containers_are_indexed_by_position_or_by_key(path: str) -> None:
    cls = named(path)
    content: Any = nn.Parameter(torch.ones(1)) if "Parameter" in path else nn.ReLU()
    if path in nn_containers._KEYED:
        assert cls({"a": content})["a"] is content
    else:
        made = cls(content) if path == "torch.nn.Sequential" else cls([content])
        assert made[0] is content


def test_what_fills_a_container() -> None:
    for name in nn_containers._GROWING - {"setdefault"}:
        assert any(callable(getattr(cls, name, None)) for cls in CONTAINERS)
    assert callable(nn.ParameterDict.setdefault)


GIVEN: dict[str, tuple[Any, ...]] = {"to": ("cpu",), "type": (torch.float32,)}


@pytest.mark.parametrize("name", sorted(nn_methods._SAME))
def test_methods_that_return_their_module(name: str) -> None:
    module = nn.Module()  # without parameters, so that no device needs to be there
    keywords = {"device": "cpu"} if name == "to_empty" else {}
    assert getattr(module, name)(*GIVEN.get(name, ()), **keywords) is module


def test_methods_that_do_nothing_to_a_trace_exist() -> None:
    assert nn_methods._QUIET - set(dir(nn.Module)) == set()


# ---- types

SAMPLES: dict[str, Any] = {
    "int": 1,
    "float": 0.5,
    "str": "text",
    "bool": True,
    "complex": 1j,
    "bytes": b"bytes",
    "NoneType": None,
}


def is_instance(value: Any, path: str) -> bool:
    return isinstance(value, named(path))


@pytest.mark.parametrize("path", sorted(type_tests._SCALARS))
def test_scalars_are_instances(path: str) -> None:
    said = {name for name, value in SAMPLES.items() if isinstance(value, type_tests._SCALARS[path])}
    assert said == {name for name, value in SAMPLES.items() if is_instance(value, path)}


HOSTS: dict[str, Any] = {
    "list": [],
    "deque": collections.deque(),
    "tuple": (),
    "dict": {},
    "set": set(),
    "frozenset": frozenset(),
}


@pytest.mark.parametrize("name", sorted(type_tests._CONTAINERS))
def test_containers_are_instances(name: str) -> None:
    assert {path for path in type_tests._CONTAINERS[name] if not is_instance(HOSTS[name], path)} == set()


FLAVOURS: dict[str, Iterable[Any]] = {
    "tensor": [torch.ones(1)],
    "parameter": [nn.Parameter(torch.ones(1))],
    "size": [torch.ones(1).shape],
    "int": [1],
    "float": [0.5],
    "bool": [True],
    "str": [""],
    "dtype": [torch.float32],
    "device": [torch.device("cpu")],
    "list": [[], ()],
    "dict": [{}],
}


@pytest.mark.parametrize("flavour", sorted(type_tests._FLAVOUR_TYPES))
def test_eager_values_are_instances(flavour: str) -> None:
    paths = type_tests._FLAVOUR_TYPES[flavour] - {"torch.SymInt"}  # an int is one when torch.export traces
    wrong = {path for path in paths if not any(is_instance(value, path) for value in FLAVOURS[flavour])}
    assert wrong == set()


def every_class() -> set[str]:
    """Classes that models ask for: those of the tables, and all of the standard library's abstract ones."""
    tables = (type_tests._SCALARS, type_tests._PROXIES, *type_tests._CONTAINERS.values())
    found = {path for table in tables for path in table}
    found |= {path for paths in type_tests._FLAVOUR_TYPES.values() for path in paths}
    found |= {f"collections.abc.{name}" for name in collections.abc.__all__}
    found |= {f"numbers.{name}" for name in numbers.__all__}
    found |= {f"typing.{name}" for name in typing.__all__ if inspect.isclass(getattr(typing, name))}
    found |= {f"types.{name}" for name in types.__all__ if inspect.isclass(getattr(types, name))}
    return {path for path in found if _can_be_asked(named(path))}


def _can_be_asked(cls: Any) -> bool:
    try:
        isinstance(None, cls)
    except TypeError:
        return False
    return True


@pytest.fixture(scope="module")
def classes_of_a_proxy() -> set[str]:
    truth: set[str] = set()

    def everything(p: Any) -> None:
        truth.update(path for path in every_class() if is_instance(p, path))

    assert asked(everything) == "value NoneType None"
    return truth


NO_CONTAINER = {"collections.abc.Container", "typing.Container"}


def test_what_a_proxy_is_an_instance_of(classes_of_a_proxy: set[str]) -> None:
    assert type_tests._PROXIES - NO_CONTAINER - classes_of_a_proxy == set()
    missed = classes_of_a_proxy - type_tests._PROXIES
    assert {path for path in missed if not path.startswith("typing.Supports")} == set()


@pytest.mark.xfail(strict=True, reason="a Proxy has no __contains__, and has __abs__, __int__, __float__, __round__ …")
def test_exactly_what_a_proxy_is_an_instance_of(classes_of_a_proxy: set[str]) -> None:
    assert sorted(type_tests._PROXIES) == sorted(classes_of_a_proxy)


# ---- contexts


@pytest.mark.parametrize("path", sorted(decorators._CONTEXTS))
def test_contexts_leave_no_trace(path: str) -> None:
    context = named(path)
    given: tuple[Any, ...] = {"autocast": ("cpu",), "set_grad_enabled": (False,)}.get(decorators._CONTEXTS[path], ())
    if path == "torch.cuda.amp.autocast":
        given = ()

    class Net(nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            with context(*given):
                return x + 1

    with quiet():
        graph = torch.fx.symbolic_trace(Net()).graph
    assert [node.op for node in graph.nodes] == ["placeholder", "call_function", "output"]


@pytest.mark.parametrize("path", sorted(decorators._CONTEXTS))
def test_contexts_are_called_what_they_are(path: str) -> None:
    word = decorators._CONTEXTS[path]
    assert named(path).__name__ == word
    assert path.rpartition(".")[2] == word


def test_the_torch_model_knows_every_context() -> None:
    model = TorchModel.load()
    for path in decorators._CONTEXTS:
        fact = model.lookup(path)
        assert fact is not None
        assert fact.context
        assert fact.name in decorators._CONTEXTS


@pytest.mark.parametrize("path", sorted(decorators._DESCRIPTORS))
def test_descriptors_exist(path: str) -> None:
    if path == "enum.property" and not hasattr(importlib.import_module("enum"), "property"):
        return  # new in Python 3.11
    assert inspect.isclass(named(path))
