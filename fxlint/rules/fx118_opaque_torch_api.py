"""FX118: a torch function that fx does not record and that refuses a Proxy."""

from __future__ import annotations

from fxlint.interp.events import Event, Hook
from fxlint.model.finding import Effect
from fxlint.rules.define import Report, rule
from fxlint.rules.words import asker, callee, code, is_whole_call, kind, more, subject


@rule(
    "FX118",
    "opaque-torch-api",
    "a torch function that fx cannot record is given a Proxy",
    hooks=(Hook.API,),
    effects=frozenset({Effect.UNTRACEABLE, Effect.BREAKS_LATER}),
    says=(
        r"but got|Expected pred to be bool or tensor|cannot vmap over non-Tensor|must be Tensor"
        r"|doesn't apply to a 'Proxy'|must be tuple of ints"
    ),
)
def opaque_torch_api(event: Event) -> Report | None:
    """Not all of torch goes through `__torch_function__`: higher-order operators, function transforms, checks and
    unbound methods of Tensor examine their arguments themselves and find a Proxy instead of a tensor."""
    api = asker(event, "this torch function")
    name = callee(event).rsplit(".", 1)[-1]
    if event.effect is not Effect.UNTRACEABLE:
        return Report(
            f"{api} is recorded with {subject(event)}, {kind(event)}, in a form that fails when the graph "
            "module is called"
            f"{more(event)}",
            (
                "Pass the Proxy in a form that the recorded function takes at run time, such as `torch.narrow` "
                "for one piece.",
            ),
        )
    if name.startswith("_check"):
        helps: tuple[str, ...] = ("Write `torch._assert(condition, message)`, which is recorded.",)
    elif event.via.startswith(("torch.Tensor.", "Tensor.")):
        helps = (f"Call the method on the value, {code(f'x.{name}(...)')}, or the function `torch.{name}(x, ...)`.",)
    elif name == "cond":
        helps = ("If both sides may be computed always, select with `torch.where`.", _WRAPPED)
    else:
        helps = (_WRAPPED,)
    if is_whole_call(event):
        return Report(f"{subject(event)} refuses {kind(event)}{more(event)}", helps)
    return Report(f"{api} refuses {subject(event)}, which is {kind(event)}{more(event)}", helps)


_WRAPPED = (
    "Call it in a function at module level of this file, decorated with `@torch.fx.wrap`: "
    "the graph then records one call of that function."
)
