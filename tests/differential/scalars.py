"""Productions of numbers, bools and strings: kinds K, I, F, B and S (see `world`)."""

from __future__ import annotations

from . import scenery
from .world import NAMES, Body, production, wrapped


@production("K", 2)
def literal(b: Body, d: int) -> str | None:
    return str(b.rng.randrange(1, 5))


@production("K", 3)
def int_attribute(b: Body, d: int) -> str | None:
    return scenery.int_attribute(b)


@production("K", 1)
def constant(b: Body, d: int) -> str | None:
    return scenery.module_constant(b, "I")


@production("K", 1)
def list_length(b: Body, d: int) -> str | None:
    names = b.names("L") + b.names("P") + b.names("M")
    return f"len({b.rng.choice(names)})" if names else None


@production("K", 0.8)
def layer_count(b: Body, d: int) -> str | None:
    return f"len({scenery.module_list(b)})" if b.owner is not None else None


@production("K", 0.8)
def buffer_size(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = scenery.buffer(b)
    return b.rng.choice((f"{name}.shape[0]", f"{name}.numel()", f"len({name})", f"{name}.size(0)"))


@production("K", 0.6)
def layer_width(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    return f"{scenery.leaf(b)}.{'out_channels' if b.world.rank == 4 else 'out_features'}"


@production("K", 1)
def config_int(b: Body, d: int) -> str | None:
    return scenery.config_field(b, "I")


@production("K", 0.7)
def int_arithmetic(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    left, right = b.write("K", d - 1), b.write("K", d - 1)
    return b.rng.choice(
        (
            f"{wrapped(left)} + {wrapped(right)}",
            f"{wrapped(left)} * 2",
            f"max({left}, {right})",
            f"min({left}, {right})",
            f"{wrapped(left)} // 2 + 1",
        )
    )


@production("K", 0.4)
def config_get(b: Body, d: int) -> str | None:
    return f'{scenery.options(b)}.get("{b.rng.choice(("depth", "heads", "missing"))}", 2)'


@production("I", 2)
def int_python(b: Body, d: int) -> str | None:
    return b.write("K", d)


@production("I", 2)
def int_variable(b: Body, d: int) -> str | None:
    return b.variable("I")


@production("I", 2)
def traced_size(b: Body, d: int) -> str | None:
    name, axis = b.x(), b.rng.randrange(b.world.rank)
    return b.rng.choice(
        (
            f"{name}.shape[{axis}]",
            f"{name}.size({axis})",
            f"{name}.shape[-1]",
            f"{name}.dim()",
            f"{name}.ndim",
            f"{name}.numel()",
        )
    )


@production("I", 1)
def shape_item(b: Body, d: int) -> str | None:
    name = b.variable("H")
    return f"{name}[{b.rng.choice(('0', '1', '-1'))}]" if name is not None else None


@production("I", 1)
def traced_arithmetic(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    left, right = wrapped(b.write("I", d - 1)), wrapped(b.write("I", d - 1))
    return b.rng.choice((f"{left} // 2 + 1", f"{left} * {right}", f"{left} + 1", f"{left} + {right}", f"abs({left})"))


@production("I", 0.6)
def traced_math(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    b.world.imports.add("import math")
    return f"math.ceil({wrapped(b.write('I', d - 1))} / 2)"


@production("I", 0.8)
def parameter_size(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    return f"{scenery.parameter(b)}.{b.rng.choice(('shape[0]', 'size(0)', 'numel()', 'dim()'))}"


@production("I", 0.5)
def weight_size(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    return f"{scenery.leaf(b)}.{b.rng.choice(('weight.shape[0]', 'bias.numel()', 'weight.size(1)', 'weight.dim()'))}"


@production("I", 1.5, risky=True)
def int_refused(b: Body, d: int) -> str | None:
    value = b.write("I", d - 1) if d > 0 else b.x() + ".shape[0]"
    name = b.x()
    b.world.imports.add("import math")
    return b.rng.choice(
        (
            f"int({value})",
            f"len({name})",
            f"len({name}.shape)",
            f"max({value}, 1)",
            f"min({value}, 4)",
            f"max(1, round({value} / 2))",
        )
    )


@production("I", 0.8)
def helper_int(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "I") if d > 0 else None


@production("I", 0.6)
def method_int(b: Body, d: int) -> str | None:
    return scenery.call_method(b, "I") if d > 0 else None


@production("F", 2)
def float_literal(b: Body, d: int) -> str | None:
    return b.rng.choice(("0.5", "2.0", "1.5", "0.1"))


@production("F", 2)
def float_variable(b: Body, d: int) -> str | None:
    return b.variable("F")


@production("F", 1)
def root_scale(b: Body, d: int) -> str | None:
    value = wrapped(b.write("I" if b.chance(0.5) else "K", d - 1))
    b.world.imports.add("import math")
    return b.rng.choice((f"{value} ** -0.5", f"1.0 / math.sqrt({value})", f"1 / {value}"))


@production("F", 0.7)
def float_refused(b: Body, d: int) -> str | None:
    return f"float({b.safe_int(d - 1)})"


@production("B", 4)
def flag(b: Body, d: int) -> str | None:
    return scenery.flag(b)


@production("B", 1)
def config_flag(b: Body, d: int) -> str | None:
    return scenery.config_field(b, "B")


@production("B", 1)
def bool_variable(b: Body, d: int) -> str | None:
    return b.variable("B")


@production("B", 1)
def bool_constant(b: Body, d: int) -> str | None:
    return scenery.module_constant(b, "B")


@production("B", 2.5)
def compared(b: Body, d: int) -> str | None:
    return f"{wrapped(b.safe_int(d - 1))} {b.rng.choice(('>', '<', '==', '!=', '>='))} {wrapped(b.write('K', 0))}"


@production("B", 0.7)
def chained(b: Body, d: int) -> str | None:
    return f"0 < {wrapped(b.safe_int(d - 1))} <= {wrapped(b.write('K', 0))}"


@production("B", 0.7)
def among(b: Body, d: int) -> str | None:
    among = b.rng.choice(("(1, 2)", "[2, 4]", "range(3)"))
    return f"{wrapped(b.safe_int(d - 1))} {b.rng.choice(('in', 'not in'))} {among}"


@production("B", 1)
def named(b: Body, d: int) -> str | None:
    name = b.write("S", 0)
    return b.rng.choice(
        (f'{name} == "relu"', f'{name} in ("relu", "tanh")', f'{name} != "gelu"', f'{name}.startswith("re")')
    )


@production("B", 0.8)
def negated(b: Body, d: int) -> str | None:
    return f"not {wrapped(b.write('B', d - 1))}" if d > 0 else None


@production("B", 0.8)
def conjunction(b: Body, d: int) -> str | None:
    if d <= 0:
        return None
    return f"{wrapped(b.write('B', d - 1))} {b.rng.choice(('and', 'or'))} {wrapped(b.write('B', d - 1))}"


@production("B", 1.5)
def none_test(b: Body, d: int) -> str | None:
    name = b.variable("O")
    return f"{name} is {b.rng.choice(('', 'not '))}None" if name is not None else None


@production("B", 1)
def module_test(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = scenery.module(b)
    return b.rng.choice(
        (
            f"isinstance({name}, nn.Linear)",
            f"{name} is not None",
            f"callable({name})",
            f"isinstance({name}, nn.Module)",
            f'hasattr({name}, "weight")',
        )
    )


@production("B", 0.8)
def has_attribute(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    known = [text[5:] for text in b.owner.known.get("T", ()) if text.startswith("self.")]
    return f'hasattr(self, "{b.rng.choice([*known, "missing"])}")'


@production("B", 1)
def switches(b: Body, d: int) -> str | None:
    texts = ["torch.jit.is_scripting()", "torch.jit.is_tracing()"]
    if b.owner is not None:
        texts += ["self.training", "self.training"]
    return b.rng.choice(texts)


@production("B", 0.6)
def containers_truth(b: Body, d: int) -> str | None:
    names = b.names("L") + b.names("M")
    if names:
        return b.rng.choice((f"bool({b.rng.choice(names)})", f"len({b.rng.choice(names)}) > 1"))
    return None


@production("B", 0.5)
def many_flags(b: Body, d: int) -> str | None:
    word = b.rng.choice(("any", "all"))
    if b.dares:
        return f"{word}(s > 1 for s in {b.x()}.shape)"
    if b.owner is not None and b.chance(0.5):
        return f"{word}(isinstance(m, nn.Linear) for m in {scenery.module_list(b)})"
    return f"{word}([{b.write('B', 0)}, {b.write('B', 0)}])"


@production("B", 0.8)
def type_test(b: Body, d: int) -> str | None:
    name = b.x()
    return b.rng.choice(
        (
            f"isinstance({name}, torch.Tensor)",
            f"torch.is_tensor({name})",
            f"isinstance({name}, (list, tuple))",
            f'hasattr({name}, "shape")',
            f"isinstance({name}, torch.fx.Proxy)",
            f"{name} is None",
        )
    )


@production("B", 2.5, risky=True)
def tensor_truth(b: Body, d: int) -> str | None:
    name, other = b.x(), b.x()
    return b.rng.choice(
        (
            f"{name}.sum() > 0",
            f"{name}.shape[-1] == {b.write('K', 0)}",
            f"{name}.dim() == {b.world.rank}",
            f"{name}.shape == {other}.shape",
            f"{name}.dtype == torch.float32",
            f"{name}.is_cuda",
            f"{name}.requires_grad",
            f"bool({name}.any())",
            f"{name}.is_contiguous()",
            f"{name}.device.type == 'cuda'",
            f"torch.is_floating_point({name})",
            f"{name}.ndim > 2",
            f"torch.equal({name}, {other})",
            f"torch.isnan({name}).any()",
            f"{name}.numel()",
        )
    )


@production("B", 0.6)
def parameter_test(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    if b.dares:
        return f"{scenery.parameter(b)}.shape[0] > 1"
    name = scenery.buffer(b)
    return b.rng.choice((f"{name}.shape[0] > 1", f"{name}.dim() == 1", f"{scenery.parameter(b)} is not None"))


@production("B", 0.6)
def weight_test(b: Body, d: int) -> str | None:
    if b.owner is None:
        return None
    name = scenery.leaf(b)
    if b.dares:
        return b.rng.choice((f"{name}.weight.dtype == torch.float16", f"{name}.weight.shape[0] > 1"))
    return b.rng.choice((f"{name}.bias is not None", f"{name}.training", f"isinstance({name}.weight, nn.Parameter)"))


@production("B", 0.8)
def helper_bool(b: Body, d: int) -> str | None:
    return scenery.call_helper(b, "B") if d > 0 else None


@production("B", 0.6)
def method_bool(b: Body, d: int) -> str | None:
    return scenery.call_method(b, "B") if d > 0 else None


@production("S", 1)
def string_literal(b: Body, d: int) -> str | None:
    return f'"{b.rng.choice(NAMES)}"'


@production("S", 2)
def string_variable(b: Body, d: int) -> str | None:
    return b.variable("S")


@production("S", 2)
def string_attribute(b: Body, d: int) -> str | None:
    return scenery.string_attribute(b)
