"""The facts of the torch model, as plain frozen data, and the language in which calls are described.

A *form* is a call written by what its arguments are:

    p      a Proxy                      (p,c)  [c,p]  [p]   a tuple or list: is the first a Proxy, is a later one
    t      a real tensor                [t]                 a container that holds real tensors and no Proxy
    c      any other real value (numbers, strings, None, dtypes, containers of them)
    device=p                            keywords, after the positional arguments

An *outcome* is what torch did with it while tracing. The data says which forms were run; a form that was not is looked
up by the nearest form that was: constant keywords and trailing constants dropped, keywords put at their position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Answer = Literal["proxy", "proxies", "tensor", "tensors", "value", "raises", "dies", "hangs"]

MAX_VARARGS = 4


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call did.

    answer    proxy: recorded, gives a Proxy      proxies: gives a real container of Proxies (`type`)
              tensor, tensors: computed for real, so the result is baked      value: gave a real value of class `type`
              raises: `type` is the exception, `text` its first line          dies, hangs: the process did
    text      for a plain constant, its `repr`
    """

    answer: Answer
    type: str = ""
    text: str = ""

    @property
    def raises(self) -> bool:
        """Whether tracing ends here."""
        return self.answer in ("raises", "dies", "hangs")

    @property
    def is_constant(self) -> bool:
        """Whether `text` is the `repr` of the very value."""
        return self.answer == "value" and bool(self.text)

    @classmethod
    def parse(cls, words: str, name: str = "") -> Outcome:
        """Read the words of the data file; `{name}` in a text stands for the name of what was called."""
        answer, _, rest = words.partition(" ")
        kind, _, text = rest.partition(": " if answer == "raises" else " ")
        return cls(answer, kind, text.replace("{name}", name))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Form:
    """A call, by what its arguments are."""

    args: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, *args: str, **keywords: str) -> Form:
        """`Form.of("p", "c", device="p")` is `f(proxy, 4, device=proxy)`."""
        return cls(tuple(args), tuple(sorted(keywords.items())))

    @staticmethod
    def container(brackets: str, items: Sequence[str]) -> str:
        """How a tuple or list is written: `Form.container("()", ["p", "c", "c"])` is `(p,c)`."""
        held = [_holds_proxy(item) for item in items]
        real = "t" if any("t" in item for item in items) else "c"
        if not any(held):
            return f"{brackets[0]}t{brackets[1]}" if real == "t" else "c"
        if any(item[0] in "([" for item in items if _holds_proxy(item)):
            inside = f"{brackets[0]}p{brackets[1]}"
        elif all(held):
            inside = "p" if len(items) == 1 else "p,p"
        else:
            inside = f"p,{real}" if held[0] else f"{real},p"
        return f"{brackets[0]}{inside}{brackets[1]}"

    @property
    def has_proxy(self) -> bool:
        """Whether any argument is or holds a Proxy."""
        return any(_holds_proxy(item) for item in self.args) or any(_holds_proxy(item) for _, item in self.keywords)

    @property
    def text(self) -> str:
        """The form as the data file writes it."""
        return ",".join([*self.args, *(f"{name}={item}" for name, item in self.keywords)])


def _holds_proxy(item: str) -> bool:
    return "p" in item


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a callable."""

    name: str
    required: bool
    keyword_only: bool = False


def parameters(words: str) -> tuple[Parameter, ...]:
    """Read `input size= * dtype=`."""
    found: list[Parameter] = []
    keyword_only = False
    for word in words.split():
        if word == "*":
            keyword_only = True
        else:
            found.append(Parameter(word.rstrip("="), not word.endswith("="), keyword_only))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class CallFact:
    """What calls of one callable do.

    `call` is the outcome of every form that holds a Proxy and is not in `but`; None when none could be judged. `real`
    is the outcome with real values; for a callable without required parameters that is the constant it is under trace.
    """

    params: tuple[Parameter, ...] = ()
    call: Outcome | None = None
    but: Mapping[str, Outcome] = field(default_factory=dict)
    real: Outcome | None = None
    random: bool = False
    varargs: bool = False
    enters: bool = False

    def outcome(self, form: Form) -> Outcome | None:
        """What torch does with a form; None when torch was not asked anything near enough."""
        if not form.has_proxy:
            return self.real
        for text in self._near(form):
            if text in self.but:
                return self.but[text]
        return self.call

    def _near(self, form: Form) -> Iterator[str]:
        """The texts of a form and of those that differ from it only in constants."""
        yield form.text
        keywords = tuple((name, item) for name, item in form.keywords if item != "c")
        bare = Form(form.args, keywords)
        yield bare.text
        if self.varargs:
            first = bare.args[:MAX_VARARGS]
            yield Form(first, keywords).text
            yield Form(bare.args[:2], keywords).text
            return
        positions = {param.name: place for place, param in enumerate(self.params) if not param.keyword_only}
        required = sum(param.required and not param.keyword_only for param in self.params)
        args = list(bare.args)
        moved = dict(keywords)
        for name, item in form.keywords:
            place = positions.get(name)
            if place is not None and place >= len(args):
                args += ["c"] * (place - len(args) + 1)
                args[place] = item
                moved.pop(name, None)
        yield from _shorter(args, tuple(sorted(moved.items())), required)
        yield from _shorter(list(bare.args), keywords, required)
        # `f(t, 1, n)` was perhaps only asked as `f(t, dim=n)`.
        proxies = [place for place, item in enumerate(args) if _holds_proxy(item) and place >= required]
        if len(proxies) == 1 and proxies[0] < len(self.params):
            place = proxies[0]
            head = (*args[:required],)
            yield Form(head, ((self.params[place].name, args[place]),)).text


def _shorter(args: list[str], keywords: tuple[tuple[str, str], ...], required: int) -> Iterator[str]:
    """The form with trailing constants dropped one after the other."""
    args = list(args)
    yield Form(tuple(args), keywords).text
    while len(args) > required and args and args[-1] == "c":
        args.pop()
        yield Form(tuple(args), keywords).text


@dataclass(frozen=True, slots=True)
class Fact(CallFact):
    """What one dotted name is.

    kind      function, builtin, callable, class, nn-module, autograd-function, exception, module, constant
    home      the dotted name where the source defines it, when that is another one
    bases     for classes, the MRO without itself and object
    context   for classes, whether it is a context manager
    type      for constants, the class of the value; `text` its `repr` when that is short
    """

    name: str = ""
    kind: str = ""
    home: str = ""
    bases: tuple[str, ...] = ()
    context: bool = False
    type: str = ""
    text: str = ""

    @property
    def constant(self) -> Outcome | None:
        """The constant that a call without arguments is under trace (`torch.jit.is_scripting()` is False)."""
        if self.real is not None and self.real.is_constant and not any(param.required for param in self.params):
            return self.real
        return None


@dataclass(frozen=True, slots=True)
class AttributeFact(CallFact):
    """What one attribute of a real `torch.Tensor` is; `call` and `but` are calls with a Proxy among the arguments.

    kind      method, property, other
    inplace   the method changes its tensor
    real      of a property: the value; of a method: what it returns
    unbound   `torch.Tensor.name(proxy, ...)`
    """

    name: str = ""
    kind: str = ""
    inplace: bool = False
    unbound: Outcome | None = None


@dataclass(frozen=True, slots=True)
class ModuleClassFact:
    """What one class of `torch.nn` is, and how an instance looks.

    leaf          fx records a call of an instance as one node when it is a submodule
    container     "" or which: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict
    init, forward parameter names in order, with the `repr` of defaults
    arguments     with which an instance was built; None when none could be
    parameters    registered names; False means registered as None with these arguments
    buffers       likewise
    attributes    other instance attributes: the value's class, and its `repr` when it is a plain constant
    traced        what `symbolic_trace(instance)` does, forward being entered
    subclass      what tracing a model with an instance of a trivial subclass does
    methods       methods that a subclass may call, each with what Proxy arguments do (None: not judged)
    """

    name: str
    home: str
    leaf: bool
    container: str
    bases: tuple[str, ...]
    init: tuple[tuple[str, str | None], ...]
    forward: tuple[tuple[str, str | None], ...]
    arguments: str | None
    parameters: Mapping[str, bool]
    buffers: Mapping[str, bool]
    submodules: Mapping[str, str]
    attributes: Mapping[str, str]
    traced: Outcome | None
    subclass: Outcome | None
    methods: Mapping[str, Outcome | None]
