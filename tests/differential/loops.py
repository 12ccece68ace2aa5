"""Productions of statements: loops, containers that grow, contexts and local functions."""

from __future__ import annotations

from . import scenery
from .blocks import nested
from .world import STATEMENT, Body, production, wrapped


@production(STATEMENT, 2)
def over_modules(b: Body, d: int) -> str | None:
    if b.owner is None or b.loops:
        return None
    name = scenery.module_list(b)
    x = b.x()
    form = b.rng.randrange(5)
    if form == 0:
        b.say(f"for layer in {name}:")
        with b.block():
            b.say(f"{x} = layer({x})")
    elif form == 1:
        b.say(f"for i, layer in enumerate({name}):")
        with b.block():
            b.say(f"{x} = layer({x})")
            b.say(f"if i == {b.write('K', 0)}:")
            with b.block():
                b.say(b.rng.choice((f"{x} = {b.t(0)}", "break", "continue")))
    elif form == 2:
        outs = b.declare("L")
        b.say(f"{outs} = []")
        b.say(f"for layer in {name}:")
        with b.block():
            b.say(f"{x} = layer({x})")
            b.say(f"{outs}.append({x})")
    elif form == 3:
        b.say(f"for i in range(len({name})):")
        with b.block():
            b.say(f"{x} = {name}[i]({x})")
    else:
        b.say(f"for key, layer in {scenery.module_dict(b)}.items():")
        with b.block():
            b.say(f'{x} = layer({x}) if key != "b" else {x}')
    return ""


@production(STATEMENT, 1.4)
def over_range(b: Body, d: int) -> str | None:
    if b.loops:
        return None
    b.say(f"for i in range({b.safe_int(1)}):")
    b.loops += 1
    with b.block():
        b.declare("I", "i")
        b.say(f"{b.x()} = {b.tw(1)} + i")
        if b.chance(0.3):
            b.say(f"if i {b.rng.choice('<>')} {wrapped(b.write('K', 0))}:")
            with b.block():
                b.say(b.rng.choice(("break", "continue", f"{b.x()} = {b.t(0)}")))
    b.loops -= 1
    return ""


@production(STATEMENT, 1)
def over_list(b: Body, d: int) -> str | None:
    name = b.variable("L") or b.variable("P")
    if name is None or b.loops:
        return None
    x = b.x()
    form = b.rng.randrange(3)
    b.say((f"for t in {name}:", f"for i, t in enumerate({name}):", f"for t, u in zip({name}, {name}[::-1]):")[form])
    with b.block():
        b.say(f"{x} = {x} {b.rng.choice('+*')} {('t', 't * i', '(t - u)')[form]}")
    return ""


@production(STATEMENT, 1.2, risky=True)
def over_proxy(b: Body, d: int) -> str | None:
    if b.loops:
        return None
    x, y = b.x(), b.x()
    axis = b.world.channel
    b.say(
        b.rng.choice(
            (
                f"for t in {x}.chunk(2, dim={axis}):",
                f"for t in {x}:",
                f"for t in {x}.split(1, dim=0):",
                f"for t in torch.unbind({x}, 0):",
                f"for i, t in enumerate({x}.chunk(2, dim={axis})):",
                f"for t, u in zip({x}.chunk(2, {axis}), {y}.chunk(2, {axis})):",
            )
        )
    )
    with b.block():
        b.say(f"{y} = {y} + t.mean()")
    return ""


@production(STATEMENT, 0.8)
def while_loop(b: Body, d: int) -> str | None:
    if b.loops:
        return None
    stop = b.safe_int(1)
    name = b.declare("I")
    b.say(f"{name} = 0")
    b.say(f"while {name} < {wrapped(stop)}:")
    b.loops += 1
    with b.block():
        b.say(f"{b.x()} = {b.t(1)}")
        b.say(f"{name} += 1")
    b.loops -= 1
    return ""


@production(STATEMENT, 1)
def grow_list(b: Body, d: int) -> str:
    name = b.variable("L")
    if name is None:
        text = b.t(1)
        name = b.declare("L")
        b.say(f"{name} = [{text}]")
    b.say(
        b.rng.choice(
            (
                f"{name}.append({b.t(1)})",
                f"{name} += [{b.x()}]",
                f"{name}.insert(0, {b.x()})",
                f"{name}.extend([{b.x()}, {b.x()}])",
            )
        )
    )
    return ""


@production(STATEMENT, 0.8)
def set_table(b: Body, d: int) -> str | None:
    name = b.variable("M")
    if name is None:
        return None
    x = b.x()
    text = b.t(1)
    form = b.rng.randrange(4)
    if form == 0:
        b.say(f'{name}["a"] = {text}')
    elif form == 1:
        b.say(f"{name}.update(b={text})")
    elif form == 2:
        b.say(f"for value in {name}.values():")
        with b.block():
            b.say(f"{x} = {x} + value")
    else:
        b.say(f"for key, value in sorted({name}.items()):")
        with b.block():
            b.say(f'{x} = {x} * value if key == "a" else {x}')
    return ""


@production(STATEMENT, 0.6)
def context(b: Body, d: int) -> str:
    b.say(f"with {b.rng.choice(('torch.no_grad()', 'torch.set_grad_enabled(False)'))}:")
    nested(b)
    return ""


@production(STATEMENT, 0.7)
def attempt(b: Body, d: int) -> str | None:
    b.say("try:")
    nested(b)
    b.say(
        b.rng.choice(
            (
                "except ValueError:",
                "except (TypeError, KeyError):",
                "except Exception:",
                "except RuntimeError as error:",
                "except AttributeError:",
            )
        )
    )
    nested(b)
    if b.chance(0.2):
        b.say("finally:")
        with b.block():
            b.say(f"{b.x()} = {b.t(0)}")
    return ""


@production(STATEMENT, 1)
def local_function(b: Body, d: int) -> str | None:
    if b.loops or b.indent > 1:
        return None
    name = b.declare("C")
    body = b.rng.choice(("t * {int} + {x}", "t + {x} if {flag} else t", "torch.relu(t) / {int}"))
    text = body.format(int=wrapped(b.write("I", 0)), x=b.x(), flag=b.write("B", 0))
    b.say(f"def {name}(t):")
    with b.block():
        b.say(f"return {text}")
    return ""


@production(STATEMENT, 0.7)
def local_generator(b: Body, d: int) -> str | None:
    if b.loops or b.indent > 0:
        return None
    name = b.world.fresh("steps")
    count = b.safe_int()
    b.say(f"def {name}(t):")
    with b.block():
        b.say(f"for i in range({count}):")
        with b.block():
            b.say("yield t * i")
    x = b.x()
    b.say(f"for part in {name}({x}):")
    with b.block():
        b.say(f"{x} = {x} + part")
    return ""
