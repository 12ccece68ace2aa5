"""The torch model says what the installed torch does: regenerated, compared, and read as the interpreter reads it.

Every section is asked again in full, but of the thousands of named functions only one in eight is called, always the
same ones; with FXLINT_WHOLE_TORCH_MODEL=1 in the environment all are.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'fxlint[torch]', these tests ask it")
pytest.importorskip("numpy", reason="numpy is not installed, these tests ask it")

import torch

from fxlint.interp.torch_model import Form, TorchModel
from fxlint.interp.torch_model import model as loader
from fxlint.interp.torch_model.generate import build, names

SHARE = 1 if os.environ.get("FXLINT_WHOLE_TORCH_MODEL") else 8
WITHOUT_CALL = frozenset("kind home bases type repr context abstract".split())

SECTIONS = (
    "namespaces",
    "aliases",
    "names",
    "tensor",
    "operators",
    "module-classes",
    "module-base",
    "python-answers",
    "module-calls",
    "numpy-names",
)


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    path = loader.FOLDER / build.file_name()
    assert path.exists(), f"no data for torch {torch.__version__}: run python -m fxlint.interp.torch_model.generate"
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    # Its own process: pytest's logging and captured streams would change what is asked about them.
    output = tmp_path_factory.mktemp("model") / "model.json"
    command = ["-m", "fxlint.interp.torch_model.generate", "--without-modules", f"--share={SHARE}"]
    subprocess.run([sys.executable, *command, "--output", str(output)], check=True, capture_output=True)
    data: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return data


def leaves(value: Any, texts: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every fact as a path and its words, with the texts that are kept once put back."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, texts, (*path, str(texts.get(key, key))))
    else:
        yield path, texts.get(str(value), str(value))


def was_asked(section: str, path: tuple[str, ...]) -> bool:
    """Whether a fact is in the share: what a name is always, what its calls do for one name in so many."""
    return section != "names" or path[2] in WITHOUT_CALL or build.chosen(f"{path[0]}.{path[1]}", SHARE)


def blurred(path: tuple[str, ...], words: str) -> tuple[tuple[str, ...], str]:
    """A fact without the exceptions' texts, which belong to one version of Python and numpy."""
    return tuple(part.partition(": ")[0] for part in path), words.partition(": ")[0]


@pytest.mark.parametrize("section", SECTIONS)
def test_data_is_what_the_installed_torch_says(section: str, kept: dict[str, Any], generated: dict[str, Any]) -> None:
    ours = {fact for fact in leaves(kept[section], kept["texts"]) if was_asked(section, fact[0])}
    theirs = set(leaves(generated[section], generated["texts"]))
    here = ("python", "numpy") if section in ("python-answers", "numpy-names", "operators") else ("python",)
    if any(kept[key] != generated[key] for key in here):
        # Names and texts come and go with Python and numpy; what both know must answer alike.
        ours, theirs = {blurred(*fact) for fact in ours}, {blurred(*fact) for fact in theirs}
        both = {path for path, _ in ours} & {path for path, _ in theirs}
        ours, theirs = {fact for fact in ours if fact[0] in both}, {fact for fact in theirs if fact[0] in both}
    assert sorted(theirs - ours)[:20] == []
    assert sorted(ours - theirs)[:20] == []


@pytest.mark.parametrize("section", SECTIONS)
def test_data_has_the_keys_of_the_installed_torch(
    section: str, kept: dict[str, Any], generated: dict[str, Any]
) -> None:
    def keys(data: dict[str, Any]) -> set[str]:
        if section in build.BY_NAMESPACE:
            return {f"{head}.{tail}" for head, group in data[section].items() for tail in group}
        return set(data[section])

    if kept["numpy"] == generated["numpy"] or section != "numpy-names":
        assert keys(kept) ^ keys(generated) == set()


def test_modules_are_files_of_the_installed_torch(kept: dict[str, Any]) -> None:
    listed = loader._ungrouped(kept["modules"])
    assert listed - set(names.files()) == set()
    assert {
        name for name in ("torch", "torch.nn.functional", "torch.nn.modules.conv", "torch.fx") if name not in listed
    } == set()


@pytest.fixture(scope="module")
def model() -> TorchModel:
    return TorchModel.load()


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("torch.nn.modules.linear.Linear", "torch.nn.Linear"),
        ("torch.nn.modules.batchnorm._BatchNorm", "torch.nn.modules.batchnorm._BatchNorm"),
        ("torch.nn.functional.conv2d", "torch.conv2d"),
        ("torch.nn.functional.math.sqrt", "math.sqrt"),
        ("torch.quantization.QuantStub", "torch.ao.quantization.QuantStub"),
        ("torch.autograd.no_grad", "torch.no_grad"),
        ("torch.amp.autocast_mode.autocast", "torch.autocast"),
        ("torch.functional.einsum", "torch.einsum"),
        ("torch.nope.nope", "torch.nope.nope"),
    ],
)
def test_every_name_leads_to_the_one_that_users_write(model: TorchModel, name: str, canonical: str) -> None:
    assert model.canonical(name) == canonical


@pytest.mark.parametrize("name", ["torch.nn.Linear", "torch.nn.modules.utils._pair", "torch.nn.init.trunc_normal_"])
def test_names_exist(model: TorchModel, name: str) -> None:
    assert model.exists(name) is True


def test_names_that_do_not_exist(model: TorchModel) -> None:
    assert model.exists("torch.nn.functional.nope") is False
    assert model.exists("torch._six.string_classes") is None
    assert model.tensor_attribute("nope") is None


ZEROS = {
    Form.of("p"): False,
    Form.of("p", "c"): True,
    Form.of("c", "p"): False,
    Form.of("(p,c)"): False,
    Form.of("p", "c", device="p"): True,
    Form.of("p", "c", device="c", dtype="c"): True,
    Form.of("p", "c", "c", "c", "c", "c"): True,
    Form.of(size="(p,c)"): False,
}


@pytest.mark.parametrize("form", ZEROS, ids=lambda form: form.text)
def test_forms_of_a_factory(model: TorchModel, form: Form) -> None:
    assert (model.refuses("torch.zeros", form) is not None) == ZEROS[form]


# Each as the data has it, and once more as torch does it in a model.
CALLS = [
    ("torch.nn.functional.dropout", Form.of("t", "c", "c", "p"), "torch.nn.functional.dropout(self.t, 0.5, False, p)"),
    (
        "torch.nn.functional.dropout",
        Form.of("t", p="p", training="c"),
        "torch.nn.functional.dropout(self.t, p=p, training=True)",
    ),
    ("torch.nn.functional.dropout", Form.of("p", "c"), "torch.nn.functional.dropout(p, 0.5)"),
    ("torch.tensor", Form.of("[p,c]"), "torch.tensor([p, 1])"),
    ("torch.tensor", Form.of("[p]", dtype="p"), "torch.tensor([p], dtype=p)"),
    ("torch.tensor", Form.of("(p,p)"), "torch.tensor((p, p))"),
    ("torch.LongTensor", Form.of("[c,p]"), "torch.LongTensor([1, p])"),
    ("torch.Size", Form.of("[p,p]"), "torch.Size([p, p])"),
    ("torch.full", Form.of("(p,c)", "c"), "torch.full((p, 2), 2)"),
    ("torch.cat", Form.of("[t,p]", dim="c"), "torch.cat([self.t, p], dim=0)"),
    ("torch.roll", Form.of("t", "p"), "torch.roll(self.t, p)"),
    ("torch.finfo", Form.of("p"), "torch.finfo(p)"),
    ("torch.Size", Form.of("p"), "torch.Size(p)"),
    ("torch.is_tensor", Form.of("p"), "torch.is_tensor(p)"),
    ("torch.jit.isinstance", Form.of("p", "c"), "torch.jit.isinstance(p, torch.Tensor)"),
]


@pytest.mark.parametrize(("name", "form", "source"), CALLS, ids=[source for _, _, source in CALLS])
def test_a_form_does_what_its_source_does(model: TorchModel, name: str, form: Form, source: str) -> None:
    outcome = model.outcome(name, form)
    assert outcome is not None
    run = eval(f"lambda self, p: {source}", {"torch": torch})

    class Net(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("t", torch.ones(2, 2))

        def forward(self, p: Any) -> Any:
            self.answer = run(self, p)
            return p

    net = Net()
    if outcome.raises:
        with pytest.raises(Exception, match=r".") as raised:
            torch.fx.Tracer().trace(net)
        assert type(raised.value).__name__ == outcome.type
        assert str(raised.value).startswith(outcome.text.rstrip("…"))
    else:
        torch.fx.Tracer().trace(net)
        assert isinstance(net.answer, torch.fx.Proxy) == (outcome.answer == "proxy")
        if outcome.is_constant:
            assert repr(net.answer) == outcome.text


def test_constants_under_trace(model: TorchModel) -> None:
    for name, value in {"torch.jit.is_scripting": "False", "torch.compiler.is_compiling": "False"}.items():
        fact = model.lookup(name)
        assert fact is not None
        assert fact.constant is not None
        assert fact.constant.text == value


def test_tensor_methods(model: TorchModel) -> None:
    expand = model.tensor_attribute("expand")
    assert expand is not None
    refused = expand.outcome(Form.of("p", "c"))
    assert refused is not None
    assert refused.raises
    traced = expand.outcome(Form.of("(p,c)"))
    assert traced is not None
    assert traced.answer == "proxy"
    assert expand.unbound is not None
    assert expand.unbound.raises
    shape, add = model.tensor_attribute("shape"), model.tensor_attribute("add_")
    assert shape is not None
    assert shape.kind == "property"
    assert add is not None
    assert add.inplace


def test_module_classes(model: TorchModel) -> None:
    norm = model.module_class("torch.nn.modules.batchnorm.BatchNorm2d")
    assert norm is not None
    assert norm.leaf
    assert norm.parameters == {"weight": True, "bias": True}
    assert list(norm.buffers) == ["running_mean", "running_var", "num_batches_tracked"]
    assert norm.subclass is not None
    assert norm.subclass.raises
    assert ("eps", "1e-05") in norm.init
    sequential = model.module_class("torch.nn.Sequential")
    assert sequential is not None
    assert not sequential.leaf
    assert sequential.container == "Sequential"


def test_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "versions", lambda: [(2, 9), (2, 13)])
    wanted = {"2.9.1": (2, 9), "2.10": (2, 9), "2.13.0+cpu": (2, 13), "3.0": (2, 13), "1.8": (2, 9), None: (2, 13)}
    assert {version: loader.nearest(version) for version in wanted} == wanted


def test_reading_the_model_does_not_import_torch() -> None:
    script = (
        "import sys\nfrom fxlint.interp.torch_model import TorchModel\n"
        "assert TorchModel.load().exists('torch.relu')\nassert not {'torch', 'numpy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_every_fact_can_be_read(model: TorchModel) -> None:
    for name in [*model.every_name(), *model.module_classes()]:
        assert model.lookup(name) is not None
    for name in model.module_classes():
        assert model.module_class(name) is not None


def test_one_fact_a_line(kept: dict[str, Any]) -> None:
    text = Path(loader.FOLDER / build.file_name()).read_text(encoding="utf-8")
    assert text == build.render(kept_flat(kept))


def kept_flat(kept: dict[str, Any]) -> dict[str, Any]:
    """The data as `render` takes it: dotted names not yet grouped."""
    return {
        key: {f"{head}.{tail}": fact for head, group in part.items() for tail, fact in group.items()}
        if key in build.BY_NAMESPACE
        else part
        for key, part in kept.items()
    }
