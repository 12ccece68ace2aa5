"""FX125: a Parameter that is not registered is used in forward."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import more, subject


@rule(
    "FX125",
    "unregistered-parameter",
    "a Parameter that is not registered is used",
    hooks=(Hook.UNREGISTERED_PARAMETER,),
    says=r"parameter is not a member of this module",
)
def unregistered_parameter(event: Event) -> Report | None:
    """A Parameter in a graph is read by its path in the root; one in a plain list or dict, or made inside
    forward(), has no path (and no optimizer sees it)."""
    return Report(
        f"{subject(event, 'this')} uses a Parameter that is not registered in the root{more(event)}",
        ("Keep Parameters in `nn.ParameterList`, `nn.ParameterDict` or attributes: these register them.",),
    )
