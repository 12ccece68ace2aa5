"""Things of the file: constants, tables, configuration objects, records."""

from __future__ import annotations

from .world import Body, Param, World


def _constant(world: World, key: str, make: tuple[str, tuple[str, ...]], count: int = 2) -> str:
    known = world.constants.setdefault(key, [])
    if len(known) < count and (not known or world.rng.random() < 0.4):
        stem, values = make
        name = world.fresh(stem)
        world.top.append(f"{name} = {world.rng.choice(values)}")
        known.append(name)
    return world.rng.choice(known)


def module_constant(b: Body, kind: str) -> str:
    """A constant of the file."""
    if kind == "I":
        return _constant(b.world, "I", ("LIMIT", ("1", "2", "3", "4")))
    return _constant(b.world, "B", ("FAST", ("True", "False")))


def options(b: Body) -> str:
    """A dict of settings."""
    return _constant(b.world, "options", ("OPTIONS", ('{"depth": 2, "heads": 4}', "dict(depth=3, heads=1)")), 1)


def function_table(b: Body) -> str:
    """A dict from NAMES to functions."""
    values = '{"relu": torch.relu, "tanh": torch.tanh, "gelu": F.gelu}'
    other = '{"relu": F.relu, "tanh": lambda t: torch.tanh(t), "gelu": F.gelu}'
    return _constant(b.world, "functions", ("FUNCTIONS", (values, other)), 1)


def module_table(b: Body) -> str:
    """A dict from NAMES to module classes."""
    return _constant(b.world, "classes", ("ACTIVATIONS", ('{"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU}',)), 1)


_CONFIGS = (
    (
        ("from dataclasses import dataclass",),
        "@dataclass\nclass Config:\n    depth: int = {a}\n    wide: bool = {b}",
        "Config()",
    ),
    (
        ("from dataclasses import dataclass",),
        "@dataclass(frozen=True)\nclass Config:\n    wide: bool\n    depth: int = {a}",
        "Config(wide={b})",
    ),
    (
        ("from typing import NamedTuple",),
        "class Config(NamedTuple):\n    depth: int = {a}\n    wide: bool = {b}",
        "Config(wide={c})",
    ),
    (("from types import SimpleNamespace",), "", "SimpleNamespace(depth={a}, wide={b})"),
    (
        (),
        "class Config:\n    wide = {b}\n\n    def __init__(self, depth={a}):\n        self.depth = depth",
        "Config({d})",
    ),
)


def config_field(b: Body, kind: str) -> str | None:
    """A field of a configuration object."""
    world, rng = b.world, b.rng
    if "config" not in world.constants:
        imports, text, value = rng.choice(_CONFIGS)
        world.imports.update(imports)
        names = {
            "a": rng.randrange(1, 4),
            "b": rng.choice((True, False)),
            "c": rng.choice((True, False)),
            "d": rng.randrange(1, 4),
        }
        if text:
            world.top.append("\n\n" + text.format(**names) + "\n\n")
        world.top.append(f"CONFIG = {value.format(**names)}")
        world.constants["config"] = ["CONFIG"]
        world.taken.update(("Config", "CONFIG"))
    owner = b.owner
    name = {"I": "depth", "B": "wide"}[kind]
    if owner is None or b.chance(0.3):
        return f"CONFIG.{name}"
    if not owner.known.get("config"):
        if not owner.constants and b.chance(0.5):
            owner.params.append(Param("cfg", "config", "CONFIG"))
            owner.init.append("self.cfg = cfg")
        else:
            owner.init.append("self.cfg = CONFIG")
        owner.learn("config", "self.cfg")
    return f"self.cfg.{name}"


def record(b: Body, form: str, first: str, second: str) -> str:
    """An instance of a pair-like class with the fields `first` and `second`."""
    world = b.world
    if form == "tuple":
        if "pair" not in world.constants:
            name = world.fresh("Pair")
            if b.chance(0.5):
                world.imports.add("from typing import NamedTuple")
                world.top.append(
                    f"\n\nclass {name}(NamedTuple):\n    first: torch.Tensor\n    second: torch.Tensor\n\n"
                )
            else:
                world.imports.add("from collections import namedtuple")
                world.top.append(f'{name} = namedtuple("{name}", ["first", "second"])')
            world.constants["pair"] = [name]
        return f"{world.constants['pair'][0]}({first}, {second})"
    if "record" not in world.constants:
        name = world.fresh("Output")
        if b.chance(0.6):
            world.imports.add("from dataclasses import dataclass")
            world.top.append(
                f"\n\n@dataclass\nclass {name}:\n    first: torch.Tensor\n    second: torch.Tensor = None\n\n"
            )
        else:
            world.top.append(
                f"\n\nclass {name}:\n    def __init__(self, first, second=None):\n"
                "        self.first = first\n        self.second = second\n\n"
            )
        world.constants["record"] = [name]
    return f"{world.constants['record'][0]}({first}, second={second})"
