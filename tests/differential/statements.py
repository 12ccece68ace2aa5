"""Productions of statements: assignments, branches, checks and writes."""

from __future__ import annotations

from . import scenery
from .blocks import finish, nested
from .world import STATEMENT, Body, Var, production, wrapped


@production(STATEMENT, 6)
def assign(b: Body, d: int) -> str:
    text = b.t(d)
    name = b.x() if b.chance(0.55) else b.declare("T")
    b.say(f"{name} = {text}")
    return ""


@production(STATEMENT, 1)
def augmented(b: Body, d: int) -> str:
    b.say(f"{b.x()} {b.rng.choice('+-*')}= {b.t(d - 1)}")
    return ""


@production(STATEMENT, 1.6)
def assign_int(b: Body, d: int) -> str:
    text = b.write("I", d)
    b.say(f"{b.declare('I')} = {text}")
    return ""


@production(STATEMENT, 1)
def assign_bool(b: Body, d: int) -> str:
    text = b.write("B", 1)
    b.say(f"{b.declare('B')} = {text}")
    return ""


@production(STATEMENT, 2.5)
def assign_other(b: Body, d: int) -> str:
    kind = b.rng.choice("LLPPMFSHOC")
    text = b.write(kind, 1)
    b.say(f"{b.declare(kind)} = {text}")
    return ""


@production(STATEMENT, 1.5)
def unpack_shape(b: Body, d: int) -> str:
    source = b.rng.choice((f"{b.x()}.shape", f"{b.x()}.size()"))
    if b.dares and b.chance(0.4):
        first, rest = b.declare("D0"), b.declare("H")
        b.variables.pop()
        b.say(f"{first}, *{rest} = {source}")
        return ""
    names = [b.declare(f"D{axis}") if b.chance(0.7) or axis == 0 else "_" for axis in range(b.world.rank)]
    b.say(f"{', '.join(names)} = {source}")
    return ""


@production(STATEMENT, 1.2)
def unpack_pair(b: Body, d: int) -> str:
    text = b.write("P", 1)
    first, second = b.declare("T"), b.declare("T")
    b.say(f"{first}, {second} = {text}")
    return ""


@production(STATEMENT, 1)
def unpack_chunks(b: Body, d: int) -> str:
    source = b.x()
    first, second = b.declare("V"), b.declare("V")
    split = b.rng.choice(
        (f"{source}.chunk(2, dim={b.world.channel})", f"torch.chunk({source}, 2, dim={b.world.channel})")
    )
    b.say(f"{first}, {second} = {split}")
    b.say(f"{b.declare('T')} = torch.cat([{second}, {first}], dim={b.world.channel})")
    return ""


@production(STATEMENT, 3)
def if_else(b: Body, d: int) -> str:
    b.say(f"if {b.write('B', 1)}:")
    nested(b)
    if b.chance(0.3):
        b.say(f"elif {b.write('B', 1)}:")
        nested(b)
    if b.chance(0.5):
        b.say("else:")
        nested(b)
    return ""


@production(STATEMENT, 1.2)
def optional_guard(b: Body, d: int) -> str | None:
    name = b.variable("O")
    if name is None:
        return None
    form = b.rng.randrange(4)
    if form == 0:
        b.say(f"if {name} is not None:")
        with b.block():
            b.say(f"{b.x()} = {b.tw(0)} + {name}")
    elif form == 1:
        b.say(f"if {name} is None:")
        with b.block():
            b.say(f"{name} = {b.t(1)}")
        b.variables = [Var(v.name, "T" if v.name == name else v.kind) for v in b.variables]
    elif form == 2:
        b.say(f"{name} = {b.x()} if {name} is None else {name}")
        b.variables = [Var(v.name, "T" if v.name == name else v.kind) for v in b.variables]
    elif b.dares:
        b.say(f"if {name} is not None and {name}.shape[0] > 1:")
        with b.block():
            b.say(f"{b.x()} = {b.tw(0)} * {name}")
    else:
        return None
    return ""


@production(STATEMENT, 1.2)
def early_return(b: Body, d: int) -> str | None:
    if b.loops or b.returns == "G":
        return None
    b.say(f"if {b.write('B', 1)}:")
    with b.block():
        finish(b, b.returns)
    return ""


@production(STATEMENT, 1)
def check(b: Body, d: int) -> str:
    if b.dares:
        test = b.write("B", 1)
        # A check that holds in eager mode whatever the test says, and still asks for its truth.
        b.say(
            b.rng.choice(
                (
                    f"assert {wrapped(test)} or {b.x()} is not None",
                    f"assert {b.x()}.dim() == {b.world.rank}",
                    f"assert {b.x()}.shape[0] > 0, 'empty'",
                )
            )
        )
    else:
        b.say(b.rng.choice((f"assert {wrapped(b.write('K', 0))} > 0", "assert True", f"assert {b.x()} is not None")))
    return ""


@production(STATEMENT, 1)
def raise_unless(b: Body, d: int) -> str:
    name = b.x()
    tests = [
        f"{name} is None",
        f"{wrapped(b.write('K', 0))} < 0",
        f"not isinstance({b.write('S', 0)}, str)",
        f'{b.write("S", 0)} not in ("relu", "tanh", "gelu")',
    ]
    if b.dares:
        tests = [
            f"not isinstance({name}, torch.Tensor)",
            f"{name}.dim() != {b.world.rank}",
            f"{name}.shape[0] == 0",
            f"not torch.is_tensor({name})",
            f"isinstance({name}, list)",
        ]
    b.say(f"if {b.rng.choice(tests)}:")
    with b.block():
        b.say(
            b.rng.choice(
                (
                    'raise ValueError("bad input")',
                    f'raise TypeError(f"expected a tensor, got {{type({name})}}")',
                    "raise NotImplementedError",
                )
            )
        )
    return ""


@production(STATEMENT, 1.2, risky=True)
def set_item(b: Body, d: int) -> str:
    x, y = b.x(), b.x()
    b.say(f"{x} = {x}.clone()")
    b.say(b.rng.choice((f"{x}[:, 0] = 0", f"{x}[0] = {y}[1]", f"{x}[..., 0] += 1", f"{x}[{y} > 0] = 0.5")))
    return ""


@production(STATEMENT, 0.6)
def set_real(b: Body, d: int) -> str:
    name = b.declare("V")
    x = b.x()
    if b.dares:
        b.say(f"{name} = torch.zeros(4)")
        b.say(f"{name}[0] = {b.rng.choice((f'{x}.mean()', f'{x}.shape[0]', '1.0'))}")
    else:
        b.say(f"{name} = torch.zeros(4)")
        b.say(f"{name}[{b.write('K', 0)} % 4] = 1.0")
    b.say(f"{x} = {x} + {name}.sum()")
    return ""


@production(STATEMENT, 0.8)
def in_place(b: Body, d: int) -> str:
    x = b.x()
    b.say(f"{x} = {x}.clone()")
    b.say(b.rng.choice((f"{x}.add_({b.write('K', 0)})", f"{x}.mul_(0.5)", f"{x}[:, 0].fill_(0)", f"torch.relu_({x})")))
    return ""


@production(STATEMENT, 0.8)
def match(b: Body, d: int) -> str:
    if b.chance(0.6):
        b.say(f"match {b.write('S', 0)}:")
        cases = ['"relu"', '"tanh" | "gelu"', "_"]
    else:
        b.say(f"match {b.safe_int()}:")
        cases = ["1 | 2", "3", "_"]
    with b.block():
        for case in cases:
            b.say(f"case {case}:")
            with b.block():
                b.say(f"{b.x()} = {b.t(1)}")
    return ""


@production(STATEMENT, 0.8)
def walrus_test(b: Body, d: int) -> str | None:
    value = b.safe_int(1)
    name = b.declare("I")
    b.say(f"if ({name} := {value}) > {wrapped(b.write('K', 0))}:")
    with b.block():
        b.say(f"{b.x()} = {b.tw(0)} * {name}")
    return ""


@production(STATEMENT, 0.6)
def text(b: Body, d: int) -> str:
    value = b.safe_int()
    spec = b.rng.choice(("{%s:d}", "{%s:03d}", "{%s}", "{%s!r}")) % value
    quoted = b.rng.choice((f"f'size {spec}'", f"'%d' % ({value})", f"'{{}}'.format({value})"))
    b.say(f"{b.declare('V')} = {quoted}")
    b.variables.pop()
    return ""


@production(STATEMENT, 1)
def optional_module(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = scenery.maybe_module(b)
    x = b.x()
    form = b.rng.randrange(3)
    if form == 0:
        b.say(f"if {name} is not None:")
        with b.block():
            b.say(f"{x} = {name}({x})")
    elif form == 1:
        b.say(f"{x} = {name}({x}) if {name} is not None else {b.t(0)}")
    else:
        b.say(f"{x} = {x} if {name} is None else {x} + {name}({x})")
    return ""


@production(STATEMENT, 0.7)
def state(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = b.owner.fresh("calls")
    if b.chance(0.5):
        b.owner.init.append(f"self.{name} = 0")
        b.say(f"self.{name} += 1")
        if b.chance(0.5):
            b.say(f"if self.{name} > {wrapped(b.write('K', 0))}:")
            nested(b)
    else:
        b.owner.init.append(f"self.{name} = None")
        b.say(f"self.{name} = {b.x()}")
        if b.chance(0.5):
            b.say(f"{b.x()} = {b.x()} + self.{name}")
        elif b.dares:
            b.say(f"if self.{name} is not None and self.{name}.shape[0] > 1:")
            nested(b)
    return ""


@production(STATEMENT, 0.5)
def delete(b: Body, d: int) -> str | None:
    if b.indent or len(b.names("T")) < 3:
        return None
    victim = b.names("T")[0]
    if victim == "x":
        return None
    b.say(f"del {victim}")
    b.variables = [v for v in b.variables if v.name != victim]
    return ""


@production(STATEMENT, 0.8)
def record(b: Body, d: int) -> str:
    text = scenery.record(b, "object", b.t(1), b.t(1))
    name = b.declare("V")
    b.say(f"{name} = {text}")
    b.say(f"{b.x()} = {name}.first + {name}.second")
    return ""
