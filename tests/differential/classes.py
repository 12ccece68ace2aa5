"""Module classes below the root, and calls of their instances."""

from __future__ import annotations

from . import blocks
from .functions import arguments
from .world import NAMES, Body, Klass, Param, Signature, Var, World


def submodule_class(b: Body) -> str | None:
    """A construction `Block(dim, …)` of a module class of the file, new or known."""
    world, rng = b.world, b.rng
    known = [klass for klass in world.classes if klass is not b.owner and klass.forward is not None]
    if known and rng.random() < 0.5:
        klass = rng.choice(known)
    else:
        if world.nesting >= 2 or world.budget <= 0 or len(world.classes) > 3:
            return None
        klass = new_class(world, world.fresh(rng.choice(("Block", "Gate", "Mixer", "Residual", "Stage"))))
    return construction(b, klass)


def construction(b: Body, klass: Klass) -> str:
    """Call the class, with some of its choices made."""
    texts = ["dim"]
    for param in klass.params:
        if b.chance(0.5):
            value = {
                "B": ("True", "False"),
                "I": ("1", "2", "3"),
                "F": ("0.0", "0.3"),
                "S": tuple(f'"{name}"' for name in NAMES),
                "class": ("nn.Identity",),
            }.get(param.kind)
            if value is not None:
                texts.append(f"{param.name}={b.rng.choice(value)}")
    return f"{klass.name}({', '.join(texts)})"


def new_class(world: World, name: str, *, parent: Klass | None = None) -> Klass:
    """Write a module class whose forward goes from T to T."""
    rng = world.rng
    klass = Klass(name)
    if parent is None and rng.random() < 0.2 and world.budget > 3:
        parent = new_class(world, world.fresh(rng.choice(("Base", "Common"))))
    if parent is not None:
        inherit(klass, parent, rng.random() < 0.4)
    world.nesting += 1
    extra = _extra_forward(world)
    inner = Body(world, klass, [Var("x", "T"), *(Var(p.name, p.kind) for p in extra)])
    inner.indent = 1
    blocks.block(inner, rng.choices((1, 2, 3), (3, 3, 1))[0])
    if parent is not None and rng.random() < 0.4:
        inner.say(f"{inner.x()} = super().forward({inner.x()})")
    blocks.finish(inner, "T")
    world.nesting -= 1
    klass.forward = Signature("forward", (Param("x", "T"), *extra), "T")
    head = ["self", "x", *(f"{p.name}={p.default}" for p in extra)]
    klass.methods.append([f"def forward({', '.join(head)}):", *inner.lines])
    world.classes.append(klass)
    return klass


def inherit(klass: Klass, parent: Klass, override: bool) -> None:
    """Make `klass` a subclass: it has what the parent has, and may change a class attribute."""
    klass.base = parent.name
    klass.inherited = True
    klass.known = {kind: list(texts) for kind, texts in parent.known.items()}
    klass.method_signatures = list(parent.method_signatures)
    if override:
        for line in parent.class_lines:
            if line.endswith("= True"):
                klass.class_lines.append(line.replace("True", "False"))
            elif line.endswith("= 2"):
                klass.class_lines.append(line.replace("= 2", "= 3"))


def _extra_forward(world: World) -> list[Param]:
    choices = (Param("mask", "O", "None"), Param("n", "I", "2"), Param("flag", "B", "False"))
    count = world.rng.choices((0, 1, 2), (6, 3, 1))[0]
    return world.rng.sample(choices, count)


def call_submodule(b: Body) -> str | None:
    """A call of a submodule of a class of the file, with all that its forward takes."""
    owner = b.owner
    if owner is None:
        return None
    known = [
        (text, klass)
        for klass in b.world.classes
        if klass.forward is not None and len(klass.forward.params) > 1
        for text in owner.known.get(f"instance of {klass.name}", ())
    ]
    if known and b.chance(0.7):
        text, klass = b.rng.choice(known)
    else:
        others = [klass for klass in b.world.classes if klass is not owner and klass.name != owner.base]
        if not others and (b.world.nesting >= 2 or b.world.budget <= 0):
            return None
        if others and b.chance(0.5):
            klass = b.rng.choice(others)
        elif b.world.nesting < 2 and b.world.budget > 0 and len(b.world.classes) < 4:
            klass = new_class(b.world, b.world.fresh(b.rng.choice(("Attention", "Expert", "Router"))))
        else:
            return None
        attribute = owner.fresh(klass.name.lower())
        owner.init.append(f"self.{attribute} = {construction(b, klass)}")
        text = owner.learn(f"instance of {klass.name}", f"self.{attribute}")
    assert klass.forward is not None
    return f"{text}({arguments(b, klass.forward.params)})"
