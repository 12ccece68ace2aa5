"""Random module programs that run in eager mode: `python -m tests.differential.generate SEED` prints one.

A program is a text that defines `make_model()` and `example_inputs()`. Most of what it does is harmless; how often it
asks something of a Proxy is drawn per program. Whether it traces is not known here: torch is asked.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass

from . import blocks, containers, loops, scalars, scenery, statements, tensors
from .world import Body, Klass, Param, Signature, Var, World

GRAMMAR = (tensors, scalars, containers, statements, loops)  # imported for their productions

SHAPES = ((2, 4), (3, 8), (2, 3, 4), (1, 5, 8), (2, 4, 3, 3), (1, 8, 4, 4))
RISKS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.8)


@dataclass(frozen=True)
class Program:
    """A source text; `exact` when nothing in its constructor is left open, so that a static verdict can be exact."""

    seed: int
    text: str
    exact: bool


def generate(seed: int) -> Program:
    """The program of a seed; it may still fail in eager mode."""
    rng = random.Random(seed)
    world = World(rng, rng.choice(SHAPES), rng.choice(RISKS))
    root = Klass("Net", constants=rng.random() < 0.5)
    if rng.random() < 0.15:
        scenery.inherit(root, scenery.new_class(world, world.fresh("BaseNet")), rng.random() < 0.4)
    params = [Param("x", "T")]
    if rng.random() < 0.35:
        params.append(Param("y", "T"))
    for param in (
        Param("mask", "O", "None"),
        Param("scale", "F", "1.0"),
        Param("flag", "B", "False"),
        Param("n", "I", "2"),
    ):
        if rng.random() < 0.1:
            params.append(param)
    body = Body(world, root, [Var(p.name, p.kind) for p in params])
    body.indent = 1
    blocks.block(body, rng.randrange(2, 8))
    if root.inherited and rng.random() < 0.4:
        body.say(f"{body.x()} = super().forward({body.x()})")
    _result(body)
    head = ["self", *(p.name if p.default is None else f"{p.name}={p.default}" for p in params)]
    root.methods.append([f"def forward({', '.join(head)}):", *body.lines])
    root.forward = Signature("forward", tuple(params), "T")
    return Program(seed, _assemble(world, root, len([p for p in params if p.default is None])), root.constants)


def _result(body: Body) -> None:
    form = body.rng.randrange(10)
    if form == 0:
        body.say(f'return {{"out": {body.t(1)}, "x": {body.x()}}}')
    elif form == 1:
        body.say(f"return {body.t(1)}, {body.x()}")
    elif form == 2 and body.names("L"):
        body.say(f"return {body.variable('L')}")
    elif form == 3 and body.names("M"):
        body.say(f"return {body.variable('M')}")
    elif form == 4 and body.names("H"):
        body.say(f"return {body.x()}, {body.variable('H')}[0]")
    else:
        blocks.finish(body, "T")


def _class(world: World, klass: Klass) -> list[str]:
    lines = [f"class {klass.name}({klass.base}):"]
    lines += [f"    {line}" for line in klass.class_lines if not line.startswith("#")]
    dim = str(world.shape[world.channel])
    head = ["self"]
    if klass.constants:
        klass.init.insert(0, f"dim = {dim}")
    else:
        head.append(f"dim={dim}" if klass.name == "Net" else "dim")
        head += [f"{param.name}={param.default}" for param in klass.params]
    if len(lines) > 1:
        lines.append("")
    lines.append(f"    def __init__({', '.join(head)}):")
    above = (dim if klass.constants else "dim") if klass.inherited else ""
    lines.append(f"        super().__init__({above})")
    lines += [f"        {line}" for line in klass.init]
    for method in klass.methods:
        lines.append("")
        lines += [f"    {line}" if line else "" for line in method]
    return lines


def _assemble(world: World, root: Klass, inputs: int) -> str:
    parts = sorted(world.imports)
    text = "\n".join(
        [
            *parts,
            *([""] if parts else []),
            "import torch",
            "import torch.nn.functional as F",
            "from torch import nn",
            "",
        ]
    )
    if world.top:
        text += "\n" + "\n".join(world.top) + "\n"
    blocks = [*world.functions, *(_class(world, klass) for klass in world.classes), _class(world, root)]
    shape = ", ".join(str(size) for size in world.shape)
    blocks.append(["def make_model():", "    return Net()"])
    blocks.append(["def example_inputs():", f"    return ({', '.join([f'torch.randn({shape})'] * inputs)},)"])
    for block in blocks:
        text += "\n\n" + "\n".join(block) + "\n"
    return text


if __name__ == "__main__":
    print(generate(int(sys.argv[1])).text)
