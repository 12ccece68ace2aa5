"""What a random program is made of while it is being written.

A program is a `World`: module-level lines, helper functions and `Klass`es, the last of which is the root `Net`. Things
are invented when an expression wants them: asking for a helper writes one, asking for `self.norm` adds a line to
`__init__`. Code is written into a `Body`, which knows the variables in scope by kind:

    T   a tensor of the program's main shape      V   a tensor of any other shape
    I   a positive int                            D0, D1 … the int that is the size of that axis of the main shape
    B   a bool      F   a float      S   a string out of NAMES
    L   a non-empty list of T        P   a pair of T           M   a dict of T by the keys "a" and "b"
    O   a T or None                  H   the shape of a T      C   a callable from T to T

A *production* writes an expression of one kind or a statement. Risky ones are those that a Proxy refuses when it is
one that arrives; a program's `risk` scales their weights, so that about half of all programs trace.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

NAMES = ("relu", "tanh", "gelu")
STATEMENT = "statement"

_SIMPLE = re.compile(r"[\w.]+(\([^()]*\)|\[[^\[\]]*\])?")
_STEMS = {
    "T": ("y", "h", "out", "feat", "z", "hidden", "res"),
    "V": ("flat", "pooled", "extra", "mixed"),
    "I": ("n", "k", "size", "width", "count"),
    "D": ("b", "c", "h_dim", "w_dim"),
    "B": ("ok", "use_it", "wide"),
    "F": ("scale", "ratio", "alpha"),
    "S": ("name", "kind"),
    "L": ("outs", "parts", "feats"),
    "P": ("pair", "both"),
    "M": ("table", "batch", "state"),
    "O": ("bias", "mask", "skip"),
    "H": ("shape", "dims"),
    "C": ("fn", "act", "op"),
}


def wrapped(text: str) -> str:
    """An expression that may stand before an operator or a dot."""
    return text if _SIMPLE.fullmatch(text) else f"({text})"


@dataclass(frozen=True)
class Var:
    name: str
    kind: str


@dataclass(frozen=True)
class Param:
    """A parameter: its kind, its default as source (None: it has none)."""

    name: str
    kind: str
    default: str | None = None


@dataclass(frozen=True)
class Signature:
    """Something callable that gives a value of `kind`; `self` is written before a method."""

    name: str
    params: tuple[Param, ...]
    kind: str
    star: str = ""  # "args" or "kwargs" when the rest is collected


@dataclass
class Klass:
    """A module class under construction."""

    name: str
    base: str = "nn.Module"
    constants: bool = False  # constructor choices are written into __init__ instead of being parameters
    params: list[Param] = field(default_factory=list)
    init: list[str] = field(default_factory=list)
    class_lines: list[str] = field(default_factory=list)
    methods: list[list[str]] = field(default_factory=list)
    known: dict[str, list[str]] = field(default_factory=dict)  # kind of attribute -> expressions
    method_signatures: list[Signature] = field(default_factory=list)
    forward: Signature | None = None
    inherited: bool = False

    def names(self) -> set[str]:
        found = {param.name for param in self.params} | {"dim", "forward", "cfg"}
        for line in (*self.init, *self.class_lines):
            found.update(re.findall(r"\w+", line))
        found.update(signature.name for signature in self.method_signatures)
        return found

    def fresh(self, stem: str) -> str:
        return _fresh(stem, self.names())

    def learn(self, kind: str, text: str) -> str:
        self.known.setdefault(kind, []).append(text)
        return text

    def choice(self, rng: random.Random, name: str, kind: str, values: tuple[str, ...]) -> str:
        """A constructor parameter (or a local constant) whose value is one of `values`."""
        name = self.fresh(name)
        value = rng.choice(values)
        if self.constants:
            self.init.insert(0, f"{name} = {value}")
            # Known through the line; no caller can pass it.
            return name
        self.params.append(Param(name, kind, value))
        return name


def _fresh(stem: str, taken: set[str]) -> str:
    if stem not in taken:
        return stem
    number = 2
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


class World:
    """One program."""

    def __init__(self, rng: random.Random, shape: tuple[int, ...], risk: float) -> None:
        self.rng = rng
        self.shape = shape
        self.risk = risk
        self.budget = rng.choice((5, 8, 12, 16))
        self.imports: set[str] = set()
        self.top: list[str] = []
        self.functions: list[list[str]] = []
        self.classes: list[Klass] = []
        self.signatures: list[Signature] = []
        self.taken: set[str] = {"Net", "make_model", "example_inputs", "torch", "nn", "F", "math"}
        self.constants: dict[str, list[str]] = {}
        self.nesting = 0

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def channel(self) -> int:
        """The axis that layers work on."""
        return 1 if self.rank == 4 else self.rank - 1

    @property
    def broadcast(self) -> str:
        """The size of a per-channel tensor, as source in terms of `dim`."""
        return "dim, 1, 1" if self.rank == 4 else "dim"

    def fresh(self, stem: str) -> str:
        name = _fresh(stem, self.taken)
        self.taken.add(name)
        return name


Production = Callable[["Body", int], "str | None"]


@dataclass(frozen=True)
class Entry:
    weight: float
    risky: bool
    make: Production


REGISTRY: dict[str, list[Entry]] = {}


def production(kind: str, weight: float = 1.0, *, risky: bool = False) -> Callable[[Production], Production]:
    """Register a production; it answers None where it does not apply."""

    def register(make: Production) -> Production:
        REGISTRY.setdefault(kind, []).append(Entry(weight, risky, make))
        return make

    return register


class Body:
    """The body of a function under construction."""

    def __init__(self, world: World, owner: Klass | None, variables: list[Var], *, helper: bool = False) -> None:
        self.world = world
        self.rng = world.rng
        self.owner = owner
        self.variables = variables
        self.lines: list[str] = []
        self.indent = 0
        self.loops = 0
        self.used = {variable.name for variable in variables} | {"self"}
        self.helper = helper
        self.returns: str = "T"

    def say(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def declare(self, kind: str, name: str | None = None) -> str:
        """A variable of `kind` from here on; a fresh name unless one is given."""
        if name is None:
            name = _fresh(self.rng.choice(_STEMS[kind[0]]), self.used | self.world.taken)
        self.used.add(name)
        self.variables = [variable for variable in self.variables if variable.name != name]
        self.variables.append(Var(name, kind))
        return name

    def names(self, kind: str) -> list[str]:
        """Variables of a kind; every D is an I."""
        return [
            variable.name
            for variable in self.variables
            if variable.kind == kind or (kind == "I" and variable.kind.startswith("D"))
        ]

    def variable(self, kind: str) -> str | None:
        """Some variable; late ones are likelier, as in code that goes forward."""
        names = self.names(kind)
        if not names:
            return None
        return names[max(self.rng.randrange(len(names)), self.rng.randrange(len(names)))]

    @contextmanager
    def block(self) -> Iterator[None]:
        """An indented block; what it declares is not known after it, and it is never empty."""
        saved = list(self.variables)
        self.indent += 1
        before = len(self.lines)
        try:
            yield
        finally:
            if len(self.lines) == before:
                self.say("pass")
            self.indent -= 1
            self.variables = saved

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    @property
    def dares(self) -> bool:
        """Whether to take a risk here."""
        return self.rng.random() < self.world.risk

    def write(self, kind: str, depth: int) -> str:
        """An expression of `kind` (or, for STATEMENT, lines)."""
        entries = list(REGISTRY[kind])
        weights = [entry.weight * (2.5 * self.world.risk if entry.risky else 1.0) for entry in entries]
        while any(weights):
            index = self.rng.choices(range(len(entries)), weights)[0]
            text = entries[index].make(self, depth)
            if text is not None:
                return text
            del entries[index], weights[index]
        raise AssertionError(f"no production of {kind} applies")

    def t(self, depth: int = 1) -> str:
        """A tensor of the main shape."""
        return self.write("T", depth)

    def tw(self, depth: int = 1) -> str:
        """One that may stand before an operator or a dot."""
        return wrapped(self.t(depth))

    def x(self) -> str:
        """A tensor variable."""
        name = self.variable("T")
        assert name is not None
        return name

    def safe_int(self, depth: int = 0) -> str:
        """An int that is a Python value while tracing, or, with the program's risk, any int."""
        return self.write("I", depth) if self.dares else self.write("K", depth)
