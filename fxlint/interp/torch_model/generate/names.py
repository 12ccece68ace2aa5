"""Which dotted names exist, what kind of thing each is, and which are two names of one thing.

Namespaces are walked in an order of preference, so that the name that users write becomes the canonical one
(`torch.nn.Linear`, not `torch.nn.modules.linear.Linear`) and later ones become aliases of it.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from .ask import quiet, type_name

# Public names only; `+` takes the names with one underscore too, since subclasses and libraries import them.
NAMESPACES = """
torch torch.nn +torch.nn.functional torch.linalg torch.fft torch.special +torch.nn.init torch.nn.utils
torch.nn.utils.rnn torch.nn.utils.parametrizations torch.nn.utils.parametrize torch.nn.utils.prune
torch.nn.utils.stateless torch.nn.utils.fusion torch.nn.utils.weight_norm torch.nn.utils.spectral_norm
torch.nn.utils.clip_grad torch.nn.utils.convert_parameters torch.nn.utils.init torch.nn.utils.memory_format
torch.nn.parameter torch.nn.parallel torch.nn.attention torch.nn.attention.flex_attention torch.nn.attention.bias
torch.functional torch.autograd torch.autograd.function torch.autograd.functional torch.autograd.forward_ad
torch.autograd.graph torch.autograd.profiler torch.autograd.grad_mode torch.autograd.variable torch.utils
torch.utils.checkpoint torch.utils.data torch.utils.hooks torch.utils.dlpack torch.utils.flop_counter
+torch.utils._pytree torch.utils.model_zoo torch.jit +torch.jit.annotations torch.compiler torch.func torch.amp
torch.cpu torch.cuda torch.cuda.amp torch.cuda.nvtx torch.mps torch.xpu torch.mtia torch.accelerator torch.random
torch.backends torch.backends.cuda torch.backends.cudnn torch.backends.mps torch.backends.mkldnn torch.backends.mkl
torch.backends.openmp torch.backends.opt_einsum torch.backends.xnnpack torch.backends.quantized torch.backends.mha
torch.hub torch.serialization torch.storage torch.types torch.overrides torch.testing torch.sparse torch.masked
torch.nested torch.signal torch.signal.windows torch.distributions torch.distributions.distribution
torch.distributions.utils torch.distributions.constraints torch.distributions.transforms torch.distributions.kl
torch.quasirandom torch.multiprocessing torch.library torch.export torch.optim torch.optim.lr_scheduler
torch.optim.optimizer torch.optim.swa_utils torch.onnx torch.package torch.profiler torch.fx +torch.fx.proxy
torch.fx.node torch.fx.graph torch.fx.graph_module torch.fx.interpreter torch.fx.operator_schemas
torch.fx.subgraph_rewriter torch.fx.experimental torch.fx.experimental.proxy_tensor torch.fx.experimental.optimization
torch.fx.passes torch.fx.passes.shape_prop torch.fx.passes.graph_drawer torch.fx.passes.split_module
+torch.fx._symbolic_trace torch.fx.immutable_collections torch.fx.tensor_type torch.fx.traceback torch.fx.config
torch.ao torch.ao.nn torch.ao.nn.quantized torch.ao.nn.quantized.functional torch.ao.nn.quantized.dynamic
torch.ao.nn.qat torch.ao.nn.quantizable torch.ao.nn.intrinsic torch.ao.nn.intrinsic.qat
torch.ao.nn.intrinsic.quantized torch.ao.quantization torch.ao.quantization.quantize_fx torch.ao.quantization.fx
torch.ao.pruning torch.quantization torch.distributed torch.distributed.nn torch.distributed.tensor
torch.distributed.fsdp torch.nn.parallel.distributed +torch._C._nn torch._C._linalg torch._C._fft torch._C._special
torch.futures torch.return_types torch.version torch.monitor +torch.nn.modules +torch._jit_internal +torch._tensor
+torch._utils +torch.nn.grad torch.nn.common_types torch._C torch.nn.backends torch.nn.intrinsic torch.nn.quantized
torch.nn.qat torch.nn.quantizable
""".split()

# Named, not called: they talk to other processes, files or the network, or change the process.
NOT_CALLED = (
    "torch.distributed",
    "torch.hub",
    "torch.multiprocessing",
    "torch.onnx",
    "torch.package",
    "torch.export",
    "torch.profiler",
    "torch.optim",
    "torch.testing",
    "torch.library",
    "torch.serialization",
    "torch.utils.model_zoo",
    "torch.utils.data",
    "torch.monitor",
    "torch.futures",
    "torch.mps",
    "torch.mtia",
    "torch._C",
    "torch._utils",
    "torch._tensor",
    "torch._jit_internal",
    "torch.fx.experimental",
    "torch.fx.proxy",
    "torch.fx._symbolic_trace",
    "torch.fx.traceback",
    "torch.utils.rename_privateuse1_backend",
    "torch.autograd.forward_ad.enter_dual_level",
    "torch.autograd.forward_ad.exit_dual_level",
    "torch.autocast_increment_nesting",
    "torch.autocast_decrement_nesting",
    "torch.utils._pytree",
    "torch.xpu",
    "torch.autograd.profiler",
    "torch.utils.flop_counter",
    "torch.return_types",
    "torch.ao.pruning",
    "torch.ao.quantization.fx",
)


@dataclass
class Names:
    """Everything found: canonical names with their objects, and aliases."""

    objects: dict[str, Any] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)

    def settle(self, found: dict[str, Any]) -> None:
        """Choose one canonical name for each object; the others become aliases of it.

        The first public name wins, in the order of the walk; of private ones, where the source defines it. Constants
        are never aliases: two names of the number 1 are no two names of one thing.
        """
        groups: dict[int, list[str]] = {}
        for name, value in found.items():
            if isinstance(value, types.ModuleType) and value.__name__ == name:
                continue
            where = elsewhere(value)
            if where is not None:
                self.aliases[name] = where
            elif callable(value):
                groups.setdefault(id(value), []).append(name)
            else:
                self.objects[name] = value
        for names in groups.values():
            value = found[names[0]]
            public = [name for name in names if not name.rpartition(".")[2].startswith("_")]
            defined = [name for name in names if name == home(value)]
            best = [*public, *defined, *names][0]
            self.objects[best] = value
            self.aliases.update({name: best for name in names if name != best})


def namespaces() -> list[tuple[str, bool]]:
    """Each namespace that exists, and whether names with an underscore count."""
    found: list[tuple[str, bool]] = []
    packages = ("torch.nn.modules", "torch.ao.nn", "torch.nn.utils")
    seen: set[str] = set()
    for item in [*NAMESPACES, *(f"+{name}" for package in packages for name in _children(package))]:
        name = item.lstrip("+")
        if name not in seen and module(name) is not None:
            seen.add(name)
            found.append((name, item.startswith("+")))
    return found


def _children(name: str) -> list[str]:
    package = module(name)
    if package is None:
        return []
    with quiet():
        return sorted(
            info.name
            for info in pkgutil.walk_packages(package.__path__, f"{name}.", onerror=lambda _: None)
            if "._" not in info.name
        )


def module(name: str) -> Any:
    """A module (or a namespace object that only attribute access reaches), or None."""
    with quiet():
        try:
            return importlib.import_module(name)
        except Exception:
            pass
        value: Any = torch
        for part in name.split(".")[1:]:
            value = getattr(value, part, None)
        return value


def walk() -> Names:
    """Every name of every namespace."""
    names = Names()
    found: dict[str, Any] = {}
    for namespace, private in namespaces():
        value = module(namespace)
        names.modules.append(namespace)
        with quiet():
            for name in listed(value):
                if name.startswith("__") or (name.startswith("_") and not private):
                    continue
                try:
                    item = getattr(value, name)
                except Exception:
                    continue
                found[f"{namespace}.{name}"] = item
    with quiet():
        names.settle(found)
    return names


def listed(value: Any) -> list[str]:
    """The names of a namespace: also properties of a module's own class, and names that its `__getattr__` knows."""
    found = set(dir(value))
    if type(value) is not types.ModuleType:
        found.update(name for name in dir(type(value)) if name not in dir(types.ModuleType))
    for table in ("_deprecated_attrs", "_lazy_modules"):
        found.update(getattr(value, table, ()))
    return sorted(found)


def is_called(name: str) -> bool:
    """Whether calling a name is safe and says something."""
    if name.rpartition(".")[2].startswith("register_module_"):  # hooks on every module of the process
        return False
    return name.startswith("torch._C._nn.") or not any(f"{name}.".startswith(f"{space}.") for space in NOT_CALLED)


def files() -> list[str]:
    """Every module that lies under torch as a file, and the modules without a file that torch registers."""
    root = Path(torch.__file__).parent
    found = {name for name in sys.modules if name == "torch" or name.startswith("torch.")}
    for path in root.rglob("*.py"):
        parts = path.relative_to(root.parent).with_suffix("").parts
        if all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
            found.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return sorted(found)


def imports(name: str) -> bool:
    """Whether `import name` works."""
    with quiet():
        try:
            importlib.import_module(name)
        except BaseException:
            return False
    return True


def kind(value: Any) -> str:
    """What a name stands for."""
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        if issubclass(value, torch.nn.Module):
            return "nn-module"
        if issubclass(value, torch.autograd.Function):
            return "autograd-function"
        if issubclass(value, BaseException):
            return "exception"
        return "class"
    if isinstance(value, types.FunctionType):
        return "function"
    if (
        isinstance(value, (types.BuiltinFunctionType, types.MethodDescriptorType))
        or type(value).__name__ == "OpOverloadPacket"
    ):
        return "builtin"
    if callable(value) and not hasattr(value, "__origin__"):
        return "callable"
    return "constant"


def home(value: Any) -> str | None:
    """The dotted name under which the source defines a class or function."""
    try:
        where, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    except Exception:  # such objects look their attributes up on a device
        return None
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(where, str) and isinstance(name, str) and "<" not in name:
        return f"{where}.{name}"
    return None


def elsewhere(value: Any) -> str | None:
    """The own name of a module, class or function that torch only imports (`torch.nn.functional.math` is `math`)."""
    if not isinstance(value, (types.ModuleType, type, types.FunctionType)):
        return None
    where = home(value)
    if where is None or where.partition(".")[0] == "__main__":
        return None
    return where if isinstance(value, types.ModuleType) or where.partition(".")[0] != "torch" else None


def constant(value: Any) -> dict[str, str]:
    """The type and, where it is the same in every process, the text of a constant."""
    text = repr(value)
    fact = {"type": type_name(type(value))}
    if isinstance(value, (set, frozenset)):  # in no particular order
        return fact
    if len(text) <= 80 and " at 0x" not in text and "/" not in text and "\n" not in text:
        fact["repr"] = text
    return fact
