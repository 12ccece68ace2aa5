"""Attributes of a Proxy: whatever the name, another Proxy, which remembers what the eager value would be."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from fxlint.interp.values import (
    PROXY_CLASS,
    UNKNOWN,
    External,
    Proxy,
    Value,
)

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

_FLAVOURS = {
    "shape": "size",
    "size": "size",
    "stride": "size",
    "ndim": "int",
    "dim": "int",
    "numel": "int",
    "nelement": "int",
    "ndimension": "int",
    "itemsize": "int",
    "nbytes": "int",
    "element_size": "int",
    "device": "device",
    "dtype": "dtype",
    "type": "str",
    "layout": "dtype",
    "names": "size",
    "is_cuda": "bool",
    "requires_grad": "bool",
    "is_leaf": "bool",
    "is_sparse": "bool",
    "is_quantized": "bool",
    "is_mps": "bool",
    "is_meta": "bool",
    "is_nested": "bool",
    "is_contiguous": "bool",
    "is_floating_point": "bool",
    "is_complex": "bool",
    "is_signed": "bool",
    "get_device": "int",
    "item": "float",
    "tolist": "list",
    "chunk": "list",
    "split": "list",
    "unbind": "list",
    "tensor_split": "list",
    "split_with_sizes": "list",
    "hsplit": "list",
    "vsplit": "list",
    "nonzero": "tensor",
    "keys": "list",
    "values": "list",
    "items": "list",
}


def flavour_of(name: str) -> str:
    """What the attribute or method result of a tensor is in eager mode."""
    return _FLAVOURS.get(name, "tensor")


def proxy_attribute(m: Machine, value: Proxy, name: str, node: ast.AST) -> Value:
    """An attribute of a Proxy is a Proxy, whatever its name."""
    if name == "__class__":
        return External(PROXY_CLASS)
    if name in ("node", "tracer"):
        return UNKNOWN
    return Proxy(flavour_of(name), attr=name, low=value.low, base=value.flavour, source=value, origin=value.origin)
