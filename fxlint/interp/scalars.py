"""Abstract values that hold no others: constants, values of which only the type is known, Proxies and tensors."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fxlint.interp.events import RawStep


class Value:
    """Base of all abstract values."""

    __slots__ = ()

    @property
    def kind(self) -> Hashable:
        """Equal for values that interpreted code cannot tell apart."""
        return id(self)


class Missing(Value):
    """The alternative "not there": an attribute or key that only some paths set."""

    __slots__ = ()

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return "missing"


class Unknown(Value):
    """No knowledge. Never reports; whatever is done with it is Unknown again."""

    __slots__ = ("reason",)

    def __init__(self, reason: str = "") -> None:
        self.reason = reason

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return "unknown"


class Const(Value):
    """A constant scalar: None, bool, int, float, complex, str, bytes, Ellipsis, NotImplemented.

    `definite` marks an answer that torch.fx always gives of a Proxy (`isinstance` False, `is None` False …): a raise
    that such an answer decides is certain, whatever the model's input.
    """

    __slots__ = ("definite", "value")

    def __init__(self, value: Any, definite: bool = False) -> None:
        self.value = value
        self.definite = definite

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return (
            "const",
            type(self.value).__name__,
            repr(self.value) if isinstance(self.value, float) else self.value,
            self.definite,
        )


class Concrete(Value):
    """A real Python value that is surely no Proxy and holds none. `hint` is its type's name where that is known."""

    __slots__ = ("hint",)

    def __init__(self, hint: str = "") -> None:
        self.hint = hint

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("concrete", self.hint)


class Proxy(Value):
    """torch.fx's Proxy.

    `flavour`: what the eager value is: tensor, size, int, bool, float, dtype, device, str, list, dict, parameter,
    input. `param`: the root parameter it is, unchanged. `attr`: set when it is an attribute read off another Proxy (a
    method, if called). `low`: it stems from a call that could not be resolved. `optional`: the parameter admits None.
    `origin`: where it entered the trace, for the chain of a finding.
    """

    __slots__ = ("attr", "base", "flavour", "low", "optional", "origin", "param", "source")

    def __init__(
        self,
        flavour: str = "tensor",
        *,
        param: str = "",
        attr: str = "",
        base: str = "",
        low: bool = False,
        optional: bool = False,
        source: object = None,
        origin: RawStep | None = None,
    ) -> None:
        self.origin = origin
        self.flavour = flavour
        self.param = param
        self.attr = attr
        self.base = base
        self.low = low
        self.optional = optional
        self.source = source

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("proxy", self.flavour, self.param, self.attr, self.low)


class RealTensor(Value):
    """A tensor that exists while tracing.

    `tag`: buffer (registered), plain (an attribute that is a tensor), fresh (made by a factory during the trace),
    folded (computed from buffers), random.
    """

    __slots__ = ("tag",)

    def __init__(self, tag: str = "plain") -> None:
        self.tag = tag

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("real", self.tag)


class ParameterValue(Value):
    """An nn.Parameter object. `registered`: some module holds it under a name."""

    __slots__ = ("registered",)

    def __init__(self, registered: bool = False) -> None:
        self.registered = registered

    @property
    def kind(self) -> Hashable:
        """See `Value.kind`."""
        return ("parameter", self.registered)


PROXY_CLASS = "torch.fx.Proxy"
"""What `type(proxy)` is."""

MISSING = Missing()
NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
UNKNOWN = Unknown()
CONCRETE = Concrete()
