"""Helper functions and methods, and calls of them."""

from __future__ import annotations

from . import blocks
from .attributes import flag
from .world import Body, Klass, Param, Signature, Var, World

_PARAMETERS = (
    ("n", "I", ("2", "1", "4")),
    ("flag", "B", ("True", "False")),
    ("scale", "F", ("1.0", "0.5")),
    ("mask", "O", ("None",)),
    ("other", "T", (None,)),
    ("kind", "S", ('"relu"', '"tanh"')),
    ("fn", "C", ("torch.relu",)),
    ("parts", "L", (None,)),
    ("shape", "H", (None,)),
)


def _parameters(b: Body) -> list[Param]:
    rng = b.rng
    params = [Param("x", "T")]
    chosen = rng.sample(_PARAMETERS, rng.choices((0, 1, 2, 3), (2, 4, 3, 1))[0])
    with_default: list[Param] = []
    for name, kind, defaults in chosen:
        default = rng.choice(defaults)
        if default is not None and (kind == "O" or rng.random() < 0.5):
            with_default.append(Param(name, kind, default))
        else:
            params.append(Param(name, kind))
    return params + with_default


def _new_function(b: Body, kind: str, owner: Klass | None, *, method: bool) -> Signature | None:
    """Write a function (or a method of `owner`) that gives a value of `kind`."""
    world, rng = b.world, b.rng
    if world.nesting >= 2 or world.budget <= 0:
        return None
    stems = ("mix", "apply_it", "fold", "prepare", "merge", "helper", "measure", "pick")
    name = owner.fresh(rng.choice(stems)) if method and owner is not None else world.fresh(rng.choice(stems))
    params = _parameters(b)
    style = rng.choices(("plain", "static", "class"), (6, 1.5, 1 if method else 0))[0] if method else "plain"
    star = rng.choices(("", "args", "kwargs", "wrap"), (8, 1, 1.5, 0.7))[0]
    if kind not in "TL" and star == "args":
        star = ""
    inner = Body(world, owner if style == "plain" else None, [Var(p.name, p.kind) for p in params])
    inner.returns = kind
    head = [p.name if p.default is None else f"{p.name}={p.default}" for p in params]
    if style == "plain" and method:
        head.insert(0, "self")
    elif style == "class":
        head.insert(0, "cls")
    inner.indent = 1
    if star == "args":
        head = [text for text in head if "=" not in text]
        params = [p for p in params if p.default is None]
        inner.variables = [Var(p.name, p.kind) for p in params]
        head.append("*more")
        inner.used.add("more")
        inner.say("rest = [x, *more]")
        inner.declare("L", "rest")
    elif star == "kwargs":
        head.append("**kwargs")
        inner.used.add("kwargs")
        default = rng.choice(("False", "True"))
        inner.say(
            f'option = kwargs.get("option", {default})'
            if rng.random() < 0.5
            else f'option = kwargs.pop("option", {default})'
        )
        inner.declare("B", "option")
    world.nesting += 1
    blocks.block(inner, rng.choices((0, 1, 2, 3), (2, 4, 3, 1))[0])
    blocks.finish(inner, kind)
    world.nesting -= 1
    lines = [f"def {name}({', '.join(head)}):", *inner.lines]
    if not method and star == "wrap":
        # A decorator that hands everything on.
        decorator = _decorator(world)
        lines.insert(0, f"@{decorator}")
        star = ""
    star = "" if star == "wrap" else star
    signature = Signature(name, tuple(params), kind, star)
    if method and owner is not None:
        if style == "static":
            lines.insert(0, "@staticmethod")
        elif style == "class":
            lines.insert(0, "@classmethod")
        owner.methods.append(lines)
        owner.method_signatures.append(signature)
    else:
        world.functions.append(lines)
        world.signatures.append(signature)
    return signature


def _decorator(world: World) -> str:
    if "decorator" not in world.constants:
        name = world.fresh("logged")
        world.imports.add("import functools")
        world.functions.append(
            [
                f"def {name}(fn):",
                "    @functools.wraps(fn)",
                "    def wrapper(*args, **kwargs):",
                "        return fn(*args, **kwargs)",
                "",
                "    return wrapper",
            ]
        )
        world.constants["decorator"] = [name]
    return world.constants["decorator"][0]


def _argument(b: Body, param: Param) -> str:
    if param.kind == "I":
        return b.safe_int(0)
    if param.kind == "T":
        return b.t(0)
    if param.kind == "B" and not b.dares:
        name = flag(b) if b.chance(0.5) else None
        return name or b.rng.choice(("True", "False"))
    return b.write(param.kind, 0)


def arguments(b: Body, params: tuple[Param, ...], star: str = "") -> str:
    """Arguments for a signature: defaults left out at times, late ones by keyword at times."""
    texts: list[str] = []
    by_keyword = False
    for index, param in enumerate(params):
        if param.default is not None and b.chance(0.45):
            by_keyword = True
            continue
        text = _argument(b, param)
        if by_keyword or (index > 0 and star != "args" and b.chance(0.35)):
            by_keyword = True
            text = f"{param.name}={text}"
        texts.append(text)
    if star == "args":
        texts += [b.t(0) for _ in range(b.rng.randrange(0, 3))]
    elif star == "kwargs" and b.chance(0.6):
        value = b.write("B", 0) if b.dares else b.rng.choice(("True", "False"))
        texts.append(f"option={value}" if b.chance(0.7) else f'**{{"option": {value}}}')
    return ", ".join(texts)


def call_helper(b: Body, kind: str) -> str | None:
    """A call of a function of the file."""
    known = [signature for signature in b.world.signatures if signature.kind == kind]
    if known and b.chance(0.6):
        signature = b.rng.choice(known)
    else:
        made = _new_function(b, kind, None, method=False)
        if made is None:
            return None
        signature = made
    return f"{signature.name}({arguments(b, signature.params, signature.star)})"


def call_method(b: Body, kind: str) -> str | None:
    """A call of a method of the owner."""
    owner = b.owner
    if owner is None:
        return None
    known = [signature for signature in owner.method_signatures if signature.kind == kind]
    if known and b.chance(0.6):
        signature = b.rng.choice(known)
    else:
        made = _new_function(b, kind, owner, method=True)
        if made is None:
            return None
        signature = made
    return f"self.{signature.name}({arguments(b, signature.params, signature.star)})"


def partial(b: Body) -> str | None:
    """A helper with all but its first argument bound."""
    known = [signature for signature in b.world.signatures if signature.kind == "T" and not signature.star]
    if not known:
        return None
    signature = b.rng.choice(known)
    b.world.imports.add("from functools import partial")
    bound = [
        f"{param.name}={_argument(b, param)}"
        for param in signature.params[1:]
        if param.default is None or b.chance(0.4)
    ]
    return f"partial({', '.join([signature.name, *bound])})" if bound else signature.name
