"""Blocks of statements, and the return that ends a function."""

from __future__ import annotations

from .world import STATEMENT, Body


def block(b: Body, count: int) -> None:
    """Up to `count` statements, while the program's budget lasts."""
    for _ in range(count):
        if b.world.budget <= 0:
            break
        b.world.budget -= 1
        b.write(STATEMENT, 2)


def nested(b: Body) -> None:
    """The body of a compound statement: it always does something to a tensor."""
    with b.block():
        if b.indent < 4:
            block(b, b.rng.randrange(0, 2))
        b.say(f"{b.x()} = {b.t(1)}" if b.chance(0.8) else f"{b.x()} += 1")


def finish(b: Body, kind: str) -> None:
    """The return statement."""
    if kind == "T" and b.variable("L") and b.chance(0.3):
        b.say(f"return torch.stack({b.variable('L')}).mean(0)")
        return
    b.say(f"return {b.write(kind, 1)}")
