"""Which calls to try: parameters learned from the callable itself, and forms that put a Proxy in each place.

Parameters come from the Python signature, else from the operator schemas of the dispatcher, else from the signature
that `torch.overrides` keeps for testing. Each parameter gets real values of its type; then one Proxy is put at each
place in turn, alone and together with a leading one. `facts` says how forms are written.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
import torch.overrides

from .ask import Question

MAX_POSITIONAL = 7
MAX_SIGNATURES = 8

Maker = Callable[[Any], Any]


@dataclass(frozen=True)
class Param:
    """One parameter; `tag` names the type of value it takes."""

    name: str
    tag: str
    required: bool
    keyword_only: bool = False


@dataclass(frozen=True)
class Argument:
    """A value to pass, made from the Proxy, and how the pattern writes it."""

    pattern: str
    make: Maker
    keyword: str | None = None


@dataclass(frozen=True)
class Samples:
    """Real values by tag; another sample is tried when a call fails with these."""

    tensor: Callable[[], torch.Tensor]
    integer: int = 1
    boolean: bool = False

    def argument(self, param: Param) -> Argument:
        """A real argument for a parameter."""
        match param.tag:
            case "tensor":
                return Argument("t", lambda p: self.tensor())
            case "tensors":
                return Argument("[t]", lambda p: [self.tensor(), self.tensor()])
            case "array":
                return Argument("t", lambda p: self.tensor().numpy())
            case "arrays":
                return Argument("[t]", lambda p: [self.tensor().numpy(), self.tensor().numpy()])
            case "int" | "any-int":
                value: Any = self.integer
            case "ints":
                value = (self.integer,)
            case "data":
                value = [self.integer, 2]
            case "float":
                value = 0.5
            case "bool":
                value = self.boolean
            case "str":
                value = "mean"
            case "dtype":
                value = torch.float32
            case "device":
                value = "cpu"
            case "layout":
                value = torch.strided
            case "memory_format":
                value = torch.contiguous_format
            case "class":
                value = torch.Tensor
            case "callable":
                value = torch.relu
            case _:
                value = None
        return Argument("c", lambda p: value)


SAMPLES = [
    Samples(lambda: torch.ones(2, 2)),
    Samples(lambda: torch.ones(2, 2, 2, 2)),
    Samples(lambda: torch.ones(2, 2), 0),
    Samples(lambda: torch.ones(2, 2, 2)),
    Samples(lambda: torch.ones(2)),
    Samples(lambda: torch.ones(2, dtype=torch.long)),
    Samples(lambda: torch.ones(2, 2, dtype=torch.long), 0),
    Samples(lambda: torch.ones(2, 2, dtype=torch.bool), 0),
    Samples(lambda: torch.ones(1)),
    Samples(lambda: torch.ones(())),
    Samples(lambda: torch.ones(2, 2), 2),
    Samples(lambda: torch.ones(2, 2, 4, 4), 2),
    Samples(lambda: torch.ones(2, 3, dtype=torch.complex64)),
]

_TENSOR_TYPES = "Tensor Float Double Half BFloat16 Byte Char Short Int Long Bool".split()
TAKES_DATA = frozenset(
    "tensor as_tensor asarray scalar_tensor from_numpy frombuffer from_dlpack new_tensor".split()
    + [f"{name.removesuffix('Tensor')}Tensor" for name in _TENSOR_TYPES]
)
"""What makes a tensor of Python data takes no tensor parameter that a schema could name."""


def family(tags: str) -> list[Param]:
    """Required parameters of these tags."""
    return [Param(f"{tag}{place}", tag, True) for place, tag in enumerate(tags.split())]


FAMILIES = [
    family(tags)
    for tags in (
        ",tensor,tensor class,tensor tensor,tensor tensor tensor,tensor int,tensor int int,tensors,tensors int,"
        "int tensor,"
        "str tensor,str tensor tensor,callable tensor,tensor tensor tensor tensor,tensor tensor tensor tensor tensor,"
        "dtype,device,str"
    ).split(",")
]
"""Argument lists to try when nothing says what a callable takes."""

DATA = [
    [Param("data", "data", True), Param("dtype", "dtype", False, True), Param("device", "device", False, True)],
    family("int int"),
]


def signatures(name: str, value: Any, *, schemas: bool = True) -> list[list[Param]]:
    """The parameter lists of a callable; none when nothing says what it takes."""
    found = _python(value)
    if found:
        return found
    found = _schemas(name) if schemas else []
    if found:
        return found[:MAX_SIGNATURES]
    testing = torch.overrides.get_testing_overrides().get(value)
    return _python(testing) if testing is not None else []


def _python(value: Any) -> list[list[Param]]:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return []
    params: list[Param] = []
    for param in signature.parameters.values():
        if param.kind is param.VAR_KEYWORD:
            continue
        if param.kind is param.VAR_POSITIONAL:
            params += [Param(param.name, "unknown", True)]
            continue
        tag = _annotated(param.name, param.annotation)
        if tag == "unknown" and param.default is not param.empty:
            tag = _like(param.default)
        params.append(Param(param.name, tag, param.default is param.empty, param.kind is param.KEYWORD_ONLY))
    if not any(param.tag == "unknown" and param.required for param in params):
        return [params]
    # Nothing says what these take: each alternative stands for all of them.
    return [
        [Param(p.name, tag if p.tag == "unknown" and p.required else p.tag, p.required, p.keyword_only) for p in params]
        for tag in ("tensor", "tensors", "any-int", "ints", "str", "callable")
    ]


def _like(default: Any) -> str:
    tags = {bool: "bool", int: "int", float: "float", str: "str", tuple: "ints", list: "ints", torch.dtype: "dtype"}
    return tags.get(type(default), "none")


def _annotated(name: str, annotation: Any) -> str:
    named = _named(name)
    if named:
        return named
    if annotation is inspect.Parameter.empty:
        return "unknown"
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "") or str(annotation)
    if not isinstance(annotation, str) and (hasattr(annotation, "__args__") or " | " in str(annotation)):
        text = str(annotation)
    return _typed(text)


def _named(name: str) -> str:
    match name:
        case "dtype" | "device" | "layout" | "memory_format":
            return name
        case "out" | "generator" | "pin_memory" | "requires_grad":
            return "none"
        case _:
            return ""


def _typed(text: str) -> str:
    text = text.lower().replace("torch.", "").replace("typing.", "")
    listed = any(word in text for word in ("list[", "tuple[", "sequence[", "iterable[", "broadcasting"))
    if "callable" in text:
        return "callable"
    if "tensor" in text:
        return "tensors" if listed else "tensor"
    if "int" in text or "size" in text:
        return "ints" if listed else "int"
    if "float" in text or "number" in text or "scalar" in text:
        return "float"
    for word, tag in (("bool", "bool"), ("str", "str"), ("dtype", "dtype"), ("device", "device")):
        if word in text:
            return tag
    return "unknown"


def _schemas(name: str) -> list[list[Param]]:
    *_, space, last = name.split(".")
    candidates = (
        [f"aten::{space}_{last}", f"aten::{last}"] if space in ("linalg", "fft", "special") else [f"aten::{last}"]
    )
    candidates += [f"aten::_{last}", f"aten::{last.removeprefix('fft_')}"]
    for operator in candidates:
        found: list[list[Param]] = []
        for schema in torch._C._jit_get_schemas_for_operator(operator):
            params = [_schema_param(argument) for argument in schema.arguments]
            if any(param.tag == "none" and param.required for param in params) or params in found:
                continue
            found.append(params)
        if found:
            return found
    return []


def _schema_param(argument: Any) -> Param:
    kind = str(argument.type)
    tag = _named(argument.name)
    if not tag:
        inner = kind.removeprefix("Optional[").removesuffix("]") if kind.startswith("Optional[") else kind
        tag = {
            "Tensor": "tensor",
            "List[Tensor]": "tensors",
            "List[Optional[Tensor]]": "tensors",
            "int": "int",
            "List[int]": "ints",
            "List[int": "ints",
            "float": "float",
            "number": "float",
            "bool": "bool",
            "str": "str",
        }.get(inner, "none")
    name = "input" if argument.name == "self" else argument.name
    return Param(name, tag, not argument.has_default_value() and not kind.startswith("Optional["), argument.kwarg_only)


def baseline(params: Sequence[Param], samples: Samples) -> list[Argument]:
    """Real arguments for the required parameters."""
    return [_placed(samples.argument(param), param) for param in params if param.required]


def _placed(argument: Argument, param: Param) -> Argument:
    return Argument(argument.pattern, argument.make, param.name) if param.keyword_only else argument


def call(function: Callable[..., Any], arguments: Sequence[Argument]) -> Callable[[Any], Any]:
    """A function of the Proxy that makes the arguments and calls."""

    def run(p: Any) -> Any:
        positional = [argument.make(p) for argument in arguments if argument.keyword is None]
        keywords = {argument.keyword: argument.make(p) for argument in arguments if argument.keyword is not None}
        return function(*positional, **keywords)

    return run


def pattern(arguments: Sequence[Argument]) -> str:
    """How a form is written."""
    positional = [argument.pattern for argument in arguments if argument.keyword is None]
    keywords = sorted(
        f"{argument.keyword}={argument.pattern}" for argument in arguments if argument.keyword is not None
    )
    return ",".join([*positional, *keywords])


def question(function: Callable[..., Any], arguments: Sequence[Argument]) -> Question:
    """The question whether these arguments trace."""
    return Question(pattern(arguments), call(function, arguments))


PROXY = Argument("p", lambda p: p)


def proxied(param: Param, samples: Samples, *, few: bool = False) -> list[Argument]:
    """The ways to put a Proxy where a parameter takes its value; containers in all forms, or only a few."""
    ways = [PROXY]
    if param.tag in _CONTAINERS:
        real, mark = samples.argument(Param("", _CONTAINERS[param.tag], True)), _MARKS.get(param.tag, "c")
        for name in ("p", f"p,{mark}", f"{mark},p", "p,p")[1 if few else 0 : 3 if few else None]:
            ways += [_contained(name, real, tuple), _contained(name, real, list)][: 1 if few else None]
    if param.tag == "data" and not few:
        ways.append(Argument("[[p]]", lambda p: [[p]]))
    return [_placed(way, param) for way in ways]


_CONTAINERS = {"ints": "int", "data": "int", "tensors": "tensor", "arrays": "array"}
_MARKS = {"tensors": "t", "arrays": "t"}


def _contained(name: str, real: Argument, container: type) -> Argument:
    marks = name.split(",")
    brackets = "()" if container is tuple else "[]"
    return Argument(
        f"{brackets[0]}{name}{brackets[1]}", lambda p: container(p if mark == "p" else real.make(p) for mark in marks)
    )


def forms(params: Sequence[Param], samples: Samples, *, varargs: bool) -> Iterator[list[Argument]]:
    """Every form of a signature that holds a Proxy."""
    positional = [param for param in params if not param.keyword_only][:MAX_POSITIONAL]
    required = sum(param.required for param in positional)
    head = baseline(params, samples)
    every = [*(PROXY for param in positional if param.required), *head[required:]]
    yield every
    for place, param in enumerate(positional):
        count = max(required, place + 1)
        for leading in (False, True) if place else (False,):  # a Proxy first makes torch dispatch early
            for way in proxied(param, samples, few=leading):
                arguments = [_placed(samples.argument(each), each) for each in positional[:count]]
                arguments[place] = way
                if leading:
                    arguments[0] = PROXY
                yield [*arguments, *head[required:]]
        if place:
            arguments = list(head[:required])
            if place < required:
                continue
            for way in proxied(param, samples, few=True):
                yield [*arguments, *head[required:], Argument(way.pattern, way.make, param.name)]
                if arguments:
                    yield [PROXY, *arguments[1:], *head[required:], Argument(way.pattern, way.make, param.name)]
    for param in params:
        if param.keyword_only:
            others = [argument for argument in head if argument.keyword != param.name]
            for way in proxied(param, samples):
                yield [*others, way]
    if varargs:
        yield from _varargs(positional, samples, head[required:], params)


def _varargs(
    positional: Sequence[Param], samples: Samples, rest: Sequence[Argument], params: Sequence[Param]
) -> Iterator[list[Argument]]:
    """`zeros(n, 4)`: sizes given one by one."""
    constant = Argument("c", lambda p: samples.integer)
    for count in (2, 3, 4):
        for places in itertools.product((False, True), repeat=count):
            if any(places):
                yield [*(PROXY if proxy else constant for proxy in places), *rest]
    keywords = [param for param in params if param.keyword_only and param.name in ("device", "dtype")]
    for param in keywords:
        for first, second in ((PROXY, constant), (constant, PROXY), (constant, constant)):
            yield [first, second, *rest, Argument("p", lambda p: p, param.name)]
            yield [first, *rest, Argument("p", lambda p: p, param.name)]


def takes_varargs(function: Callable[..., Any], params: Sequence[Param], samples: Samples) -> bool:
    """Whether a callable whose first parameter is a list of ints also takes them one by one."""
    positional = [param for param in params if not param.keyword_only]
    if not positional or positional[0].tag != "ints" or sum(param.required for param in positional) > 1:
        return False
    one = Argument("c", lambda p: 1)
    for integers in ([one, one], [Argument("c", lambda p: 2), Argument("c", lambda p: 2)]):
        try:
            call(function, [*integers, *[a for a in baseline(params, samples) if a.keyword is not None]])(None)
        except Exception:
            continue
        return True
    return False
