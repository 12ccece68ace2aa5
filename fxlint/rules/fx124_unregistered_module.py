"""FX124: a module that is not a registered submodule is called."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.rules.define import Report, rule
from fxlint.rules.words import code, more, subject


@rule(
    "FX124",
    "unregistered-module",
    "a module that is not registered as a submodule is called",
    hooks=(Hook.UNREGISTERED_MODULE,),
    says=r"module is not installed as a submodule",
)
def unregistered_module(event: Event) -> Report | None:
    """A call of a module is recorded under its path in the root, such as `self.blocks.0`; a module in a plain list
    or dict, or made inside forward(), has no path (and its weights are in no state_dict)."""
    text = event.subject
    helps: tuple[str, ...]
    if text.startswith("nn."):
        name = text.split("(")[0].removeprefix("nn.")
        helps = (f"Make the module in `__init__` ({code(f'self.{name.lower()} = {text}')}) and call that.",)
    else:
        helps = (
            "Keep modules in `nn.ModuleList`, `nn.ModuleDict` or attributes of the module, which register them.",
            "Instead of calling a slice of an `nn.Sequential`, loop over it: `for layer in self.layers[:2]: x = "
            "layer(x)`.",
        )
    return Report(
        f"{subject(event, 'the module')} is called, and it is no registered submodule of the root{more(event)}", helps
    )
