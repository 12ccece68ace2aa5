"""What each module class of torch is, how an instance looks, and what happens when fx enters its forward."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
import torch.fx
from torch import nn

from . import calls, isolate, names
from .ask import PLAIN, Question, answer, ask, quiet, raised, returned, type_name

Fact = dict[str, Any]

CONTAINERS = (nn.Sequential, nn.ModuleList, nn.ModuleDict, nn.ParameterList, nn.ParameterDict)
ASSEMBLED = ("torch.ao.", "torch.fx.", "torch.jit.", "torch.distributed.", "torch.nn.parallel.", "torch.export.")
"""Classes that wrap or replace others: what they are is kept, no instance is built."""

# Tried in turn when the annotations do not say enough; each is text that is evaluated, so that the data can show it.
ARGUMENTS = [
    "",
    *"""
2;2, 2;2, 2, 1;2, 2, 2;2, 2, 2, 2;4, 2;4, 3, [2];1;1, 1;(2, 2);[nn.ReLU()];nn.ReLU();nn.ReLU(), 2;(2,), (2,)
1, (2,);{'a': nn.ReLU()};nn.TransformerEncoderLayer(2, 2), 1;nn.TransformerDecoderLayer(2, 2), 1;2, 2, 1, 1
[nn.Parameter(torch.ones(1))];nn.Linear(2, 2), nn.ReLU();nn.Conv1d(2, 2, 1), nn.ReLU()
nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2);'RNN_TANH', 2, 2;2, 2, True, 1;'LSTM', 2, 2;torch.ones(2, 2)
""".strip()
    .replace("\n", ";")
    .split(";"),
]

_INTERNAL = frozenset(vars(nn.Module())) - {"training"}
_NOT_ASKED = frozenset(
    {"forward", "extra_repr", "from_float", "from_reference", "_apply", "_load_from_state_dict", "_save_to_state_dict"}
)


def class_facts(found: names.Names) -> dict[str, Fact]:
    """One fact for each module class among the walked names."""
    classes = {name: value for name, value in found.objects.items() if names.kind(value) == "nn-module"}
    return dict(
        sorted(isolate.run([(name, partial(class_fact, name, value)) for name, value in classes.items()]).items())
    )


def class_fact(name: str, cls: Any) -> Fact:
    """Everything about one class."""
    fact: Fact = {}
    home = names.home(cls)
    if home != name:
        fact["home"] = home
    if torch.fx.Tracer().is_leaf_module(_empty(cls), "x"):
        fact["leaf"] = 1
    container = next((each.__name__ for each in CONTAINERS if issubclass(cls, each)), None)
    if container:
        fact["container"] = container
    fact["bases"] = " ".join(type_name(base) for base in cls.__mro__[1:-1])
    if (home or name).startswith(ASSEMBLED):
        return fact
    fact["init"] = _signature(cls.__init__)
    fact["forward"] = _signature(cls.forward)
    with quiet():
        built = build(cls)
        if built is None:
            return fact
        instance, fact["arguments"] = built
        fact.update(_contents(instance))
        if cls.forward is not nn.Module.forward and "_forward_unimplemented" not in cls.forward.__qualname__:
            fact["traced"] = _traced(instance)
            fact["subclass"] = _subclassed(cls, fact["arguments"])
        methods = dict(_methods(cls, instance))
        if methods:
            fact["methods"] = methods
    return fact


def _empty(cls: Any) -> Any:
    """An instance whose `__init__` did not run, also of an abstract class."""
    concrete: Any = type(cls.__name__, (cls,), {"__module__": cls.__module__})
    concrete.__abstractmethods__ = frozenset()
    return concrete.__new__(concrete)


def _signature(function: Any) -> list[str]:
    try:
        params = list(inspect.signature(function).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    words: list[str] = []
    keyword_only = False
    for param in params:
        if param.kind is param.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            if not any(word.startswith("*") for word in words):
                words.append("*")
        default = "" if param.default is param.empty else f"={_default(param.default)}"
        words.append(f"{stars.get(param.kind) or ''}{param.name}{default}")
    return words


def _default(value: Any) -> str:
    """The source-like text of a default: classes and functions by their dotted name."""
    if isinstance(value, type) or inspect.isroutine(value):
        return names.home(value) or repr(value).partition(" at 0x")[0]
    return repr(value).partition(" at 0x")[0]


def build(cls: Any) -> tuple[Any, str] | None:
    """An instance, with the text of the arguments that made it."""
    for arguments in [*_annotated(cls), *ARGUMENTS]:
        try:
            return _construct(cls, arguments), arguments
        except Exception:
            continue
    return None


def _construct(cls: Any, arguments: str) -> Any:
    return eval(f"cls({arguments})", {"cls": cls, "nn": nn, "torch": torch})


def _annotated(cls: Any) -> Iterator[str]:
    """Arguments by annotation, as text."""
    texts = {"int": "2", "ints": "(2, 2)", "float": "0.5", "bool": "False", "str": "'mean'", "any-int": "2"}
    for params in calls.signatures(cls.__name__, cls, schemas=False):
        required = [param for param in params if param.required and not param.keyword_only]
        if all(param.tag in texts for param in required):
            yield ", ".join(texts[param.tag] for param in required)


def _contents(instance: Any) -> Fact:
    """What an instance holds."""
    fact: Fact = {}
    for section, registered in (("parameters", instance._parameters), ("buffers", instance._buffers)):
        words = [name if value is not None else f"{name}=None" for name, value in registered.items()]
        if words:
            fact[section] = " ".join(words)
    submodules = {name: "None" if each is None else type_name(type(each)) for name, each in instance._modules.items()}
    if submodules:
        fact["submodules"] = submodules
    attributes = {
        name: _attribute(value)
        for name, value in sorted(vars(instance).items())
        if name not in _INTERNAL and name != "training"
    }
    if attributes:
        fact["attributes"] = attributes
    return fact


def _attribute(value: Any) -> str:
    """A class, followed by the `repr` of a plain constant."""
    plain = isinstance(value, PLAIN) or (
        isinstance(value, (tuple, list)) and all(isinstance(item, (*PLAIN, tuple)) for item in value)
    )
    if inspect.isroutine(value):
        return f"function {names.home(value) or ''}".strip()
    text = repr(value)
    return f"{type_name(type(value))} {text}" if plain and len(text) <= 60 else type_name(type(value))


def _traced(instance: Any) -> str:
    """What tracing the bare instance as a root does."""
    try:
        torch.fx.Tracer().trace(instance)
    except Exception as error:
        return f"raises {raised(error)}{_where(error)}"
    return "proxy"


def _where(error: Exception) -> str:
    """The innermost line of torch's modules in a traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/torch/nn/" in frame.filename]
    return f" [{frames[-1].name}: {' '.join((frames[-1].line or '').split())[:80]}]" if frames else ""


def _subclassed(cls: Any, arguments: str) -> str:
    """What a model does that calls an instance of a subclass, which is no leaf, with the required arguments."""
    subclass = type(cls.__name__, (cls,), {"__module__": "user"})
    try:
        instance = _construct(subclass, arguments)
    except Exception as error:
        return f"raises {raised(error)}"
    required = sum(
        param.default is param.empty and param.kind is param.POSITIONAL_OR_KEYWORD
        for param in inspect.signature(instance.forward).parameters.values()
    )

    class Model(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner = instance
            self.words = ""

        def forward(self, p: Any) -> Any:
            value = self.inner(*[p] * max(required, 1))
            self.words = returned(value)
            return p

    model = Model()
    try:
        torch.fx.Tracer().trace(model)
    except Exception as error:
        return f"raises {raised(error)}{_where(error)}"
    return model.words


def _methods(cls: Any, instance: Any) -> Iterator[tuple[str, str]]:
    """What the methods that a class adds to `nn.Module` do when all that they require are Proxies."""
    seen = set()
    for base in cls.__mro__:
        if base is nn.Module or not base.__module__.startswith("torch"):
            break
        for name, member in vars(base).items():
            if name in seen or name.startswith("__") or name in _NOT_ASKED or not inspect.isroutine(member):
                continue
            if isinstance(member, (classmethod, staticmethod)):
                continue
            seen.add(name)
            method = getattr(instance, name)
            try:
                params = inspect.signature(method).parameters.values()
            except (TypeError, ValueError):
                continue
            required = [
                param for param in params if param.default is param.empty and param.kind is param.POSITIONAL_OR_KEYWORD
            ]
            if not required:
                continue
            question = Question(name, partial(_repeated, method, len(required)))
            yield name, ask([question], members={"inner": instance})[name]


def _repeated(method: Any, count: int, p: Any) -> Any:
    return method(*[p] * count)


def base_facts() -> dict[str, str]:
    """What the attributes of `nn.Module` itself are, by name: method, property or the class of an instance's value."""
    fresh = vars(nn.Module())
    facts = {}
    for name in sorted({*dir(nn.Module), *fresh}):
        if name.startswith("__") and name.endswith("__"):
            continue
        if name in fresh:
            facts[name] = _attribute(fresh[name])
        else:
            member = inspect.getattr_static(nn.Module, name)
            facts[name] = (
                "method"
                if inspect.isroutine(member)
                else "property"
                if isinstance(member, property)
                else _attribute(member)
            )
    return facts


def base_calls() -> dict[str, str]:
    """What `nn.Module`'s own methods answer while its owner is traced, for those that take nothing or a Proxy."""
    sources = """
    self.named_parameters() self.parameters() self.buffers() self.named_buffers() self.modules() self.children()
    self.state_dict() self.training self.eval() self.train() self.weight self.weight.shape self.running
    self.running.shape self.child self.child(p) self.seq self.seq(p) self.seq[0] self.seq[0](p) self.seq[:1]
    self.seq[:1](p) len(self.seq) list(self.seq) self.items[0](p) list(self.items) self.items[-1]
    self.table['a'](p) 'a'in(self.table) self.plist[0] list(self.plist) self.pdict['a'] self.extra_repr()
    self.half() self.float() self.to(p.device) self.to(p.dtype) self.cuda() self.cpu() self.requires_grad_()
    self.zero_grad() self.get_parameter('weight') self.get_buffer('running') self.get_submodule('child')
    self.register_buffer('other',p) self.register_buffer('third',torch.ones(1))
    self.register_parameter('fourth',None) self.add_module('fifth',nn.ReLU()) self.apply(print)
    self._parameters['weight'] self._buffers['running'] self._modules['child'](p) self.child.forward(p)
    self.child.weight self.child.weight.shape self.__class__ self.missing hasattr(self,'missing')
    getattr(self,'missing',None) getattr(self,'weight') self.bias self.child.training self.hidden(p) self.hidden
    self.loose nn.ReLU()(p) nn.Sequential(nn.ReLU())(p) next(self.parameters()).device next(self.parameters())
    next(self.parameters()).dtype self.weight.device self.running.device self.weight[:p.shape[0]]
    self.running[:p.shape[0]] self.running[p] self.running+p self.running+1 self.weight+1
    isinstance(self.weight,nn.Parameter) isinstance(self.weight,torch.Tensor)
    isinstance(self.running,torch.Tensor) isinstance(self.child,nn.Linear) self.weight.data self.weight.data+p
    self.running.add_(1) self.weight.add_(1) self.running.copy_(p) setattr(self,'state',p)
    setattr(self,'running',p) setattr(self,'weight',p) self.child.weight.data self.weight.requires_grad
    self.weight.grad self.weight.t() self.running.t() self.running.shape[0] self.weight.numel()
    self.weight.is_cuda self.running.is_cuda
    """.split()

    class Owner(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(2, 2))
            self.register_parameter("bias", None)
            self.register_buffer("running", torch.ones(2, 2))
            self.child = nn.Linear(2, 2)
            self.seq = nn.Sequential(nn.ReLU(), nn.Linear(2, 2))
            self.items = nn.ModuleList([nn.ReLU()])
            self.table = nn.ModuleDict({"a": nn.ReLU()})
            self.plist = nn.ParameterList([nn.Parameter(torch.ones(1))])
            self.pdict = nn.ParameterDict({"a": nn.Parameter(torch.ones(1))})
            self.loose = torch.ones(2, 2)
            self.__dict__["hidden"] = nn.ReLU()

    answers: dict[str, str] = {}
    for source in sources:
        run = eval(f"lambda self, p: {source}", {"torch": torch, "nn": nn})

        class Asked(Owner):
            def forward(self, p: Any) -> Any:
                answers[source] = answer(lambda: run(self, p))  # noqa: B023 - used within the turn
                return p

        with quiet():
            torch.fx.Tracer().trace(Asked())
    return answers
