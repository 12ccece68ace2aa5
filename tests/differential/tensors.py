"""Productions of tensors of the main shape: kind T (see `world`)."""

from __future__ import annotations

from . import scenery
from .world import Body, production, wrapped


@production("T", 4)
def variable(b: Body, d: int) -> str | None:
    return b.variable("T")


@production("T", 5)
def layer(b: Body, d: int) -> str | None:
    if d <= 0 or b.owner is None:
        return None
    return f"{scenery.module(b)}({b.t(d - 1)})"


@production("T", 2)
def binary(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"{b.tw(d - 1)} {b.rng.choice('+-*')} {b.tw(d - 1)}"


@production("T", 2)
def scaled(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"{b.tw(d - 1)} {b.rng.choice('*/')} {wrapped(b.write(b.rng.choice('IFK'), d - 1))}"


@production("T", 2)
def functional(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    name = b.rng.choice(("torch.relu", "F.gelu", "torch.tanh", "torch.sigmoid", "F.silu", "F.relu", "torch.zeros_like"))
    return f"{name}({b.t(d - 1)})"


@production("T", 2)
def method(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    tail = b.rng.choice(
        (
            "clamp(min=0)",
            "relu()",
            "contiguous()",
            "abs()",
            "softmax(dim=-1)",
            "detach()",
            "float()",
            "flip(0)",
            "clone()",
        )
    )
    return f"{b.tw(d - 1)}.{tail}"


@production("T", 1.2)
def parameter_scale(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    return f"{b.tw(d - 1)} {b.rng.choice('*+')} {scenery.tensor_attribute(b)}"


@production("T", 2.5)
def helper_call(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "T") if d > 0 else None


@production("T", 2)
def method_call(b: Body, d: int) -> str | None:
    return scenery.call_method(b, "T") if d > 0 else None


@production("T", 1)
def ternary(b: Body, d: int) -> str | None:
    return f"{b.tw(d - 1)} if {b.write('B', d - 1)} else {b.tw(d - 1)}" if d > 0 else None


@production("T", 1)
def optional_ternary(b: Body, d: int) -> str | None:
    name = b.variable("O")
    if name is None or d <= 0:
        return None
    other = b.tw(0)
    return b.rng.choice(
        (f"{other} if {name} is None else {other} + {name}", f"{name} if {name} is not None else {other}")
    )


@production("T", 1)
def concatenated(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"torch.stack([{b.t(d - 1)}, {b.t(d - 1)}], dim=0).{b.rng.choice(('sum(0)', 'mean(dim=0)', 'amax(0)'))}"


@production("T", 1)
def stacked_list(b: Body, d: int) -> str | None:
    name = b.variable("L")
    if name is None:
        return None
    return b.rng.choice(
        (
            f"torch.stack({name}).sum(0)",
            f"sum({name})",
            f"{name}[-1]",
            f"{name}[0]",
            f"torch.stack({name}, dim=0).mean(0)",
        )
    )


@production("T", 0.8)
def list_item(b: Body, d: int) -> str | None:
    name = b.variable("L")
    return f"{name}[{b.safe_int()} % len({name})]" if name is not None else None


@production("T", 1.2)
def pair_item(b: Body, d: int) -> str | None:
    name = b.variable("P")
    return f"{name}[{b.rng.choice(('0', '1', '-1'))}]" if name is not None else None


@production("T", 1.2)
def table_item(b: Body, d: int) -> str | None:
    name = b.variable("M")
    if name is None:
        return None
    key = b.rng.choice("ab")
    return b.rng.choice((f'{name}["{key}"]', f'{name}.get("{key}")', f'{name}.get("zz", {b.x()})'))


@production("T", 0.7)
def literal_index(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"({b.t(d - 1)}, {b.t(d - 1)})[{b.safe_int()} % 2]"


@production("T", 0.6)
def literal_table(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    name = b.write("S", 0)
    return f'{{"relu": {b.t(0)}, "tanh": {b.t(0)}, "gelu": {b.t(0)}}}[{name}]'


@production("T", 1)
def by_name(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    name = b.rng.choice((b.write("S", 0), '"relu"', '"tanh"'))
    holder = "torch" if name in ('"relu"', '"tanh"') and b.chance(0.7) else "F"
    if name.startswith('"'):
        return f"getattr({holder}, {name})({b.t(d - 1)})"
    return f"{scenery.function_table(b)}[{name}]({b.t(d - 1)})"


@production("T", 1)
def callable_variable(b: Body, d: int) -> str | None:
    name = b.variable("C")
    return f"{name}({b.t(d - 1)})" if name is not None and d > 0 else None


@production("T", 0.5)
def immediate_lambda(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"(lambda t: t {b.rng.choice('*+')} {wrapped(b.write('I', 0))})({b.t(d - 1)})"


@production("T", 0.8)
def reshaped(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    name = b.x()
    axis = b.rng.randrange(b.world.rank)
    return b.rng.choice(
        (
            f"{name}.reshape({name}.shape[0], -1).view_as({name})",
            f"{name}.view({name}.shape)",
            f"{name}.flatten(1).reshape({name}.size())",
            f"{name}.view({name}.size(0), -1).reshape({name}.shape)",
            f"{name}.unsqueeze({axis}).squeeze({axis})",
            f"{name}.transpose(0, 1).transpose(1, 0)",
            f"{name}.expand({name}.shape)",
        )
    )


@production("T", 0.6)
def shape_star(b: Body, d: int) -> str | None:
    name, shape = b.variable("T"), b.variable("H")
    if not b.dares or name is None:
        return None
    return f"{name}.view(*{shape or name + '.shape'})"


@production("T", 0.8)
def dims_view(b: Body, d: int) -> str | None:
    dims = [b.variable(f"D{axis}") for axis in range(b.world.rank)]
    if any(dim is None for dim in dims):
        return None
    return f"{b.x()}.reshape({', '.join(str(dim) for dim in dims)})"


@production("T", 0.8)
def factory(b: Body, d: int) -> str | None:
    x = b.x()
    n, c = f"{x}.shape[0]", f"{x}.shape[-1]"
    size = b.write("K", 0)
    safe = (
        f"{x} + torch.arange({c})" if b.world.rank < 4 else f"{x} * torch.ones({c})",
        f"{x} + torch.zeros({x}.shape)",
        f"{x} + {x}.new_zeros({n}, *([1] * {b.world.rank - 1}))",
        f"{x} + torch.zeros(({n},) + (1,) * {b.world.rank - 1})",
        f"{x} + torch.full((1, {c}), 0.5)",
        f"{x} * torch.ones({size}, 1, *({', '.join(['1'] * (b.world.rank - 1))},)).mean(0)",
        f"{x} + torch.zeros(1, {c})",
        f"{x} + torch.linspace(0, 1, {size}).mean()",
    )
    risky = (
        f"{x} + torch.zeros({', '.join([n] + ['1'] * (b.world.rank - 1))})",
        f"{x} * torch.ones({c}, {c}).mean()",
        f"{x} + torch.rand({c}, 3).mean() * 0",
        f"{x} * torch.eye({c}).sum()",
        f"{x} + torch.tensor([{n}, 1]).sum()",
        f"{x} * torch.tensor({n})",
        f"{x} + torch.empty({c}, 2).fill_(1.0).mean()",
    )
    return b.rng.choice(risky if b.dares else safe)


@production("T", 0.5)
def buffer_methods(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    x, name = b.x(), scenery.buffer(b)
    n, c = f"{x}.shape[0]", f"{x}.shape[{b.world.channel}]"
    ones = ", ".join(["1"] * b.world.rank)
    safe = (
        f"{x} * {name}.expand_as({x})",
        f"{x} + {name}.expand({x}.shape)",
        f"{x} + {name}.to({x}.dtype)",
        f"{x} * {name}.clone().mean()",
        f"{x} - {name}.unsqueeze(0)",
        f"{x} + {name}.new_zeros({c})" if b.world.rank < 4 else f"{x} + {name}.sum()",
        f"{x} + torch.zeros_like({name})",
        f"{x} + {name}[{b.write('K', 0)} - 1:].mean()",
        f"{x} * {name}.repeat(({n}, {ones})).mean()",
    )
    risky = (
        f"{x} + {name}.sum().expand({n}, {', '.join(['1'] * (b.world.rank - 1))})",
        f"{x} * {name}.flatten().repeat({n}, 1).mean()",
        f"{x} + {name}.new_zeros({n}, 1).mean()",
        f"{x} + {name}.flatten()[:{c}].mean()",
        f"{x} * {name}.flatten()[{n} - 1]",
        f"{x} + {name}.view(1, {c}).mean()",
    )
    return b.rng.choice(risky if b.dares else safe)


@production("T", 0.6)
def where(b: Body, d: int) -> str | None:
    return f"torch.where({b.tw(d - 1)} > 0, {b.t(d - 1)}, {b.t(d - 1)})" if d > 0 else None


@production("T", 0.8)
def broadcast(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    rest = ", ".join(str(axis) for axis in range(1, b.world.rank)) if b.world.rank > 2 else "1"
    return b.rng.choice(
        (
            f"{b.tw(0)} * {b.tw(d - 1)}.mean(dim=({rest},), keepdim=True)",
            f"{b.tw(0)} - {b.tw(d - 1)}.amax(dim=-1, keepdim=True)",
            f"{b.tw(0)} + {b.tw(d - 1)}.mean()",
            f"{b.tw(0)} / {b.tw(d - 1)}.norm(dim=-1, keepdim=True)",
        )
    )


@production("T", 0.6)
def default_or(b: Body, d: int) -> str | None:
    name = b.variable("O")
    return f"({name} or {b.x()})" if name is not None and b.dares else None


@production("T", 0.5)
def reduced(b: Body, d: int) -> str | None:
    name = b.variable("L")
    if name is None:
        return None
    b.world.imports.add("import functools")
    return f"functools.reduce({b.rng.choice(('torch.add', 'lambda p, q: p + q', 'torch.maximum'))}, {name})"


@production("T", 0.4)
def next_item(b: Body, d: int) -> str | None:
    name = b.variable("L")
    return f"next(iter({name}))" if name is not None else None


@production("T", 0.5)
def star_call(b: Body, d: int) -> str | None:
    name = b.variable("P")
    if name is None:
        return None
    return b.rng.choice((f"torch.add(*{name})", f"torch.maximum(*{name})", f"torch.stack([*{name}]).sum(0)"))


@production("T", 0.5)
def walrus(b: Body, d: int) -> str | None:
    if d <= 0 or b.loops:
        return None
    text = b.t(d - 1)
    name = f"w{len(b.used)}"
    b.used.add(name)
    return f"({name} := {text}) + {name}"


@production("T", 2)
def submodule_call(b: Body, d: int) -> str | None:
    return scenery.call_submodule(b) if d > 0 else None
