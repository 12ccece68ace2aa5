"""Productions of containers, shapes, optional tensors and callables: kinds L, P, M, H, O and C (see `world`)."""

from __future__ import annotations

from . import scenery
from .world import Body, production, wrapped


@production("L", 2)
def list_literal(b: Body, d: int) -> str | None:
    return f"[{', '.join(b.t(max(d - 1, 0)) for _ in range(b.rng.randrange(1, 4)))}]"


@production("L", 2)
def list_variable(b: Body, d: int) -> str | None:
    return b.variable("L")


@production("L", 2)
def over_layers(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = scenery.module_list(b)
    return b.rng.choice(
        (
            f"[m({b.x()}) for m in {name}]",
            f"[m({b.x()}) * i for i, m in enumerate({name})]",
            f"[m({b.x()}) for m in {name}[:1]]",
        )
    )


@production("L", 1)
def over_range(b: Body, d: int) -> str | None:
    return f"[{b.x()} * (i + 1) for i in range({b.safe_int()})]"


@production("L", 1)
def mapped(b: Body, d: int) -> str | None:
    name = b.variable("L")
    if name is None:
        return None
    return b.rng.choice(
        (
            f"[t + 1 for t in {name}]",
            f"{name} + [{b.x()}]",
            f"list(map(torch.relu, {name}))",
            f"[p * q for p, q in zip({name}, {name})]",
            f"list(reversed({name}))",
            f"{name}[::-1]",
            f"[t for t in {name} if t is not None]",
        )
    )


@production("L", 1)
def split_list(b: Body, d: int) -> str | None:
    name = b.x()
    if not b.dares:
        return None
    return b.rng.choice(
        (
            f"[torch.cat([t, t], dim=-1) for t in {name}.chunk(2, dim=-1)]",
            f"[{name} * t.mean() for t in {name}]",
            f"[{name} * s for s in {name}.shape]",
            f"list(torch.stack([{name}, {name}]).unbind(0))",
        )
    )


@production("L", 0.8)
def helper_list(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "L") if d > 0 else None


@production("L", 0.8)
def method_list(b: Body, d: int) -> str | None:
    return scenery.call_method(b, "L") if d > 0 else None


@production("P", 2)
def pair_literal(b: Body, d: int) -> str | None:
    return f"({b.t(d - 1)}, {b.t(d - 1)})"


@production("P", 1)
def pair_variable(b: Body, d: int) -> str | None:
    return b.variable("P")


@production("P", 1.5)
def helper_pair(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "P") if d > 0 else None


@production("P", 1)
def method_pair(b: Body, d: int) -> str | None:
    return scenery.call_method(b, "P") if d > 0 else None


@production("P", 1)
def record(b: Body, d: int) -> str | None:
    return scenery.record(b, "tuple", b.t(d - 1), b.t(d - 1))


@production("P", 0.7)
def unbound(b: Body, d: int) -> str | None:
    return f"torch.stack([{b.t(d - 1)}, {b.x()}]).unbind(0)" if b.dares or b.chance(0.3) else None


@production("M", 2)
def table_literal(b: Body, d: int) -> str | None:
    first, second = b.t(max(d - 1, 0)), b.t(max(d - 1, 0))
    return b.rng.choice(
        (
            f'{{"a": {first}, "b": {second}}}',
            f"dict(a={first}, b={second})",
            f'{{k: v for k, v in (("a", {first}), ("b", {second}))}}',
        )
    )


@production("M", 1)
def table_variable(b: Body, d: int) -> str | None:
    return b.variable("M")


@production("M", 0.7)
def table_merged(b: Body, d: int) -> str | None:
    name = b.variable("M")
    return f'{{**{name}, "a": {b.x()}}}' if name is not None else None


@production("M", 0.7)
def helper_table(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "M") if d > 0 else None


@production("H", 2)
def shape_of(b: Body, d: int) -> str | None:
    return b.rng.choice((f"{b.x()}.shape", f"{b.x()}.size()"))


@production("H", 1)
def shape_variable(b: Body, d: int) -> str | None:
    return b.variable("H")


@production("O", 1)
def optional_variable(b: Body, d: int) -> str | None:
    return b.variable("O")


@production("O", 1)
def optional_none(b: Body, d: int) -> str | None:
    return "None"


@production("O", 1.5)
def optional_tensor(b: Body, d: int) -> str | None:
    return b.t(d - 1)


@production("O", 0.6)
def optional_choice(b: Body, d: int) -> str | None:
    return f"{b.x()} if {b.write('B', 0)} else None"


@production("C", 1)
def callable_function(b: Body, d: int) -> str | None:
    return b.rng.choice(("torch.relu", "F.gelu", "torch.tanh"))


@production("C", 1)
def callable_lambda(b: Body, d: int) -> str | None:
    return f"lambda t: t {b.rng.choice('*+')} {wrapped(b.write('I', 0))}"


@production("C", 1)
def callable_module(b: Body, d: int) -> str | None:
    return scenery.module(b) if b.owner is not None else None


@production("C", 1)
def callable_partial(b: Body, d: int) -> str | None:
    return scenery.partial(b)


@production("C", 0.6)
def callable_choice(b: Body, d: int) -> str | None:
    return f"torch.relu if {b.write('B', 0)} else torch.tanh"
