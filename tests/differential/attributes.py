"""Attributes of the module class that is being written; asking for one adds its line to `__init__`."""

from __future__ import annotations

from .settings import module_table
from .world import NAMES, Body, World, wrapped


def _known(b: Body, kind: str, reuse: float = 0.6) -> str | None:
    if b.owner is None:
        return None
    texts = b.owner.known.get(kind)
    return b.rng.choice(texts) if texts and b.chance(reuse) else None


def _plain_layer(world: World, dim: str = "dim") -> str:
    four = world.rank == 4
    return world.rng.choice(
        (
            f"nn.Conv2d({dim}, {dim}, 1)" if four else f"nn.Linear({dim}, {dim})",
            f"nn.Conv2d({dim}, {dim}, 3, padding=1, bias=False)" if four else f"nn.Linear({dim}, {dim}, bias=False)",
            f"nn.BatchNorm2d({dim})" if four else f"nn.LayerNorm({dim})",
            "nn.ReLU()",
            "nn.GELU()",
            "nn.Identity()",
            "nn.Dropout(0.1)",
        )
    )


def module(b: Body) -> str:
    """A submodule from T to T."""
    owner, world = b.owner, b.world
    assert owner is not None
    known = _known(b, "module", 0.55)
    if known is not None:
        return known
    rng = b.rng
    form = rng.choices(range(9), (4, 3, 2, 2, 1.5, 1.5, 1.5, 1, 1))[0]
    if form == 1 and (name := _submodule(b)) is not None:
        attribute = owner.fresh(rng.choice(("block", "stage", "encoder", "mixer")))
        owner.init.append(f"self.{attribute} = {name}")
        return owner.learn("module", f"self.{attribute}")
    if form == 2:
        attribute = owner.fresh(rng.choice(("net", "mlp", "body")))
        layers = ", ".join(_plain_layer(world) for _ in range(rng.randrange(1, 4)))
        owner.init.append(f"self.{attribute} = nn.Sequential({layers})")
        owner.learn("layers", f"self.{attribute}")
        return owner.learn("module", f"self.{attribute}")
    if form == 3:
        attribute = owner.fresh("norm")
        first = "nn.BatchNorm2d" if world.rank == 4 else "nn.LayerNorm"
        chosen = owner.choice(rng, "norm_layer", "class", (first, "nn.Identity"))
        owner.init.append(f"self.{attribute} = {chosen}(dim)")
        return owner.learn("module", f"self.{attribute}")
    if form == 4:
        attribute = owner.fresh("drop")
        rate = owner.choice(rng, "drop", "F", ("0.0", "0.2"))
        owner.init.append(f"self.{attribute} = nn.Dropout({rate}) if {rate} > 0 else nn.Identity()")
        return owner.learn("module", f"self.{attribute}")
    if form == 5:
        attribute = owner.fresh("act")
        table = module_table(b)
        chosen = owner.choice(rng, "act", "S", tuple(f'"{name}"' for name in NAMES))
        owner.init.append(f"self.{attribute} = {table}[{chosen}]()")
        return owner.learn("module", f"self.{attribute}")
    if form == 6:
        attribute = owner.fresh("stack")
        depth = owner.choice(rng, "depth", "I", ("1", "2", "3"))
        owner.init.append(f"self.{attribute} = nn.Sequential(*[{_plain_layer(world)} for _ in range({depth})])")
        return owner.learn("module", f"self.{attribute}")
    if form == 7:
        attribute = owner.fresh("tail")
        owner.init.append(f"layers = [{_plain_layer(world)}]")
        owner.init.append(f"if {flag_name(b)}:")
        owner.init.append(f"    layers.append({_plain_layer(world)})")
        owner.init.append(f"self.{attribute} = nn.Sequential(*layers)")
        return owner.learn("module", f"self.{attribute}")
    if form == 8:
        attribute = owner.fresh("head")
        owner.init.append(f'setattr(self, "{attribute}", {_plain_layer(world)})')
        return owner.learn("module", rng.choice((f"self.{attribute}", f'getattr(self, "{attribute}")')))
    attribute = owner.fresh(rng.choice(("proj", "fc", "layer", "lin")))
    owner.init.append(f"self.{attribute} = {_plain_layer(world)}")
    return owner.learn("module", f"self.{attribute}")


def leaf(b: Body) -> str:
    """A Linear (or a Conv2d) layer with a weight and a bias."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "leaf", 0.7)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("embed", "out_proj", "gate")))
    owner.init.append(f"self.{attribute} = {'nn.Conv2d(dim, dim, 1)' if b.world.rank == 4 else 'nn.Linear(dim, dim)'}")
    owner.learn("module", f"self.{attribute}")
    return owner.learn("leaf", f"self.{attribute}")


def flag_name(b: Body) -> str:
    """A bool of the constructor, for use in `__init__`."""
    assert b.owner is not None
    return b.owner.choice(b.rng, b.rng.choice(("deep", "extra", "bias")), "B", ("True", "False"))


def module_list(b: Body) -> str:
    """A ModuleList (or an iterable Sequential) of modules from T to T."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "layers", 0.75)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("layers", "blocks", "convs")))
    form = b.rng.randrange(4)
    count = owner.choice(b.rng, "depth", "I", ("1", "2", "3"))
    item = _plain_layer(b.world)
    if b.chance(0.35) and (made := _submodule(b)) is not None:
        item = made
    if form == 0:
        owner.init.append(f"self.{attribute} = nn.ModuleList([{item} for _ in range({count})])")
    elif form == 1:
        owner.init.append(f"self.{attribute} = nn.ModuleList()")
        owner.init.append(f"for i in range({count}):")
        owner.init.append(f"    self.{attribute}.append({item})")
    elif form == 2:
        owner.init.append(f"self.{attribute} = nn.ModuleList({item} for i in range({count}))")
    else:
        owner.init.append(f"self.{attribute} = nn.Sequential({item}, {_plain_layer(b.world)})")
    return owner.learn("layers", f"self.{attribute}")


def module_dict(b: Body) -> str:
    """A ModuleDict with the keys "a" and "b"."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "table", 0.9)
    if known is not None:
        return known
    attribute = owner.fresh("branches")
    first, second = _plain_layer(b.world), _plain_layer(b.world)
    owner.init.append(f'self.{attribute} = nn.ModuleDict({{"a": {first}, "b": {second}}})')
    owner.learn("module", f'self.{attribute}["a"]')
    return owner.learn("table", f"self.{attribute}")


def maybe_module(b: Body) -> str:
    """An attribute that is a module or None."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "maybe", 0.6)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("shortcut", "pre_norm", "post")))
    flag = flag_name(b)
    layer = _plain_layer(b.world)
    if b.chance(0.5):
        owner.init.append(f"self.{attribute} = {layer} if {flag} else None")
    else:
        owner.init.append(f"self.{attribute} = None")
        owner.init.append(f"if {flag}:")
        owner.init.append(f"    self.{attribute} = {layer}")
    return owner.learn("maybe", f"self.{attribute}")


def parameter(b: Body) -> str:
    """An nn.Parameter that broadcasts with T."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "parameter", 0.7)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("weight", "gamma", "bias_p")))
    owner.init.append(
        f"self.{attribute} = nn.Parameter(torch.{b.rng.choice(('ones', 'zeros', 'randn'))}({b.world.broadcast}))"
    )
    return owner.learn("parameter", f"self.{attribute}")


def buffer(b: Body) -> str:
    """A buffer that broadcasts with T."""
    owner = b.owner
    assert owner is not None
    known = _known(b, "buffer", 0.7)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("offset", "grid", "steps")))
    owner.init.append(f'self.register_buffer("{attribute}", torch.ones({b.world.broadcast}))')
    return owner.learn("buffer", f"self.{attribute}")


def tensor_attribute(b: Body) -> str:
    """A Parameter, a buffer or something made of one."""
    if b.chance(0.55):
        return parameter(b)
    name = buffer(b)
    if b.dares:
        return f"{name}[:{wrapped(b.write('I', 0))}].mean()"
    return name


def int_attribute(b: Body) -> str | None:
    """An int held by the owner."""
    owner = b.owner
    if owner is None:
        return None
    known = _known(b, "I", 0.65)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("heads", "groups", "repeats", "width")))
    form = b.rng.randrange(5)
    if form == 0:
        owner.class_lines.append(f"{attribute} = {b.rng.randrange(1, 4)}")
    elif form == 1:
        owner.init.append(f"self.{attribute} = dim // 2")
    elif form == 2:
        owner.methods.append(
            ["@property", f"def {attribute}(self):", f"    return {b.rng.choice(('2', '3', '1 + 1'))}"]
        )
        owner.class_lines.append(f"# {attribute} is a property")
    else:
        value = owner.choice(b.rng, attribute, "I", ("1", "2", "3", "4"))
        attribute = owner.fresh(attribute + "_") if owner.constants else attribute
        owner.init.append(f"self.{attribute} = {value}")
    return owner.learn("I", f"self.{attribute}")


def flag(b: Body) -> str | None:
    """A bool held by the owner."""
    owner = b.owner
    if owner is None:
        return None
    known = _known(b, "B", 0.5)
    if known is not None:
        return known
    attribute = owner.fresh(b.rng.choice(("use_norm", "residual", "causal", "pre", "gated")))
    if b.chance(0.25):
        owner.class_lines.append(f"{attribute} = {b.rng.choice(('True', 'False'))}")
    else:
        value = owner.choice(b.rng, attribute, "B", ("True", "False"))
        attribute = owner.fresh("is_" + attribute) if owner.constants else attribute
        owner.init.append(f"self.{attribute} = {value}")
    return owner.learn("B", f"self.{attribute}")


def string_attribute(b: Body) -> str | None:
    """A string out of NAMES held by the owner."""
    owner = b.owner
    if owner is None:
        return None
    known = _known(b, "S", 0.7)
    if known is not None:
        return known
    attribute = owner.fresh("mode")
    value = owner.choice(b.rng, "mode", "S", tuple(f'"{name}"' for name in NAMES))
    attribute = owner.fresh("mode_") if owner.constants else attribute
    owner.init.append(f"self.{attribute} = {value}")
    return owner.learn("S", f"self.{attribute}")


def _submodule(b: Body) -> str | None:
    # A class has attributes, and attributes have classes.
    from .classes import submodule_class

    return submodule_class(b)
