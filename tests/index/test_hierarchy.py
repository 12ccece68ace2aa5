"""Which classes are module classes, and in which order they are looked at."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
import torch

from fxlint.index.hierarchy import WITHOUT_FORWARD, ClassSite
from fxlint.index.mro import Flaw, Linearizer
from fxlint.index.prefilter import may_hold_modules
from fxlint.index.resolve import Definition
from fxlint.index.roots import RootOrder, root_order
from fxlint.syntax import source
from tests.index.build import classes, hierarchy, module, project, shown, table

HEAD = "import torch\nfrom torch import nn\n"
FORWARD = "    def forward(self, x): return x\n"


def order(root: Path, files: dict[str, str]) -> RootOrder:
    built = project(root, files)
    return root_order(table(built), hierarchy(built))


def names(sites: tuple[ClassSite, ...]) -> list[str]:
    return [site.qualname for site in sites]


class TestModuleClasses:
    @pytest.mark.parametrize(
        "text",
        [
            "class Net(nn.Module):\n",
            "class Net(torch.nn.Module):\n",
            "class Net(torch.jit.ScriptModule):\n",
            "from torch.nn import Module as Base\nclass Net(Base):\n",
            "from torch.nn import *\nclass Net(Module):\n",
            "import torch.nn as layers\nclass Net(layers.Linear):\n",
            "Base = nn.Module\nclass Net(Base):\n",
            "Base = object if torch is None else nn.Module\nclass Net(Base):\n",
            "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Net(Generic[T], nn.Module):\n",
            "class Mix: ...\nclass Net(Mix, nn.Module):\n",
            "try:\n    from torch.nn import RMSNorm as B\nexcept ImportError:\n    B = object\nclass Net(B):\n",
            "if True:\n  class Net(nn.Module):\n",
        ],
    )
    def test_one_file(self, tmp_path: Path, text: str) -> None:
        assert classes(project(tmp_path, {"m.py": HEAD + text + FORWARD})) == ["m.Net"]

    @pytest.mark.parametrize(
        "text",
        [
            "class Net:\n",
            "class Net(object):\n",
            "class Net(torch.autograd.Function):\n",
            "import enum\nclass Net(enum.Enum):\n",
            "from torch.utils.data import Dataset\nclass Net(Dataset):\n",
        ],
    )
    def test_other_classes(self, tmp_path: Path, text: str) -> None:
        assert classes(project(tmp_path, {"m.py": HEAD + text + FORWARD})) == []

    def test_across_files_and_re_exports(self, tmp_path: Path) -> None:
        built = project(
            tmp_path,
            {
                "net/__init__.py": "from .base import *\n",
                "net/base.py": HEAD + "class Base(nn.Module):\n" + FORWARD,
                "net/mid.py": "from . import Base as B\nclass Mid(B): ...\n",
                "net/leaf.py": "from net import mid\nclass Leaf(mid.Mid): ...\n",
                "net/conf.py": "class Config(dict): ...\n",
                "net/more.py": "from .conf import Config\nclass More(Config):\n" + FORWARD,
            },
        )
        assert classes(built) == ["net.base.Base", "net.mid.Mid", "net.leaf.Leaf"]
        assert [site.bases for site in table(built)] == [("torch.nn.Module",), ("net.base.Base",), ("net.mid.Mid",)]

    def test_a_forward_is_needed(self, tmp_path: Path) -> None:
        text = (
            HEAD
            + """
class Bare(nn.Module): ...
class Table(nn.ModuleList): ...
class Mine(nn.Linear): ...
class Given(nn.Module):
    forward = helper
class Mixed(Give, nn.Module): ...
class Give:
    def forward(self, x): ...
class Late(Give, nn.Module): ...
"""
        )
        found = classes(project(tmp_path, {"m.py": text}))
        assert [name.partition(".")[2] for name in found] == ["Mine", "Given", "Mixed", "Late"]

    def test_classes_within_classes(self, tmp_path: Path) -> None:
        text = HEAD + (
            "class Outer(nn.Module):\n"
            "    class Inner(nn.Module):\n"
            "        def forward(self, x): ...\n"
            "    class Second(Inner): ...\n"
            "    def forward(self, x): ...\n"
            "class Later(Outer.Inner): ...\n"
        )
        built = project(tmp_path, {"m.py": text})
        assert names(table(built)) == ["Outer", "Outer.Inner", "Outer.Second", "Later"]
        assert [site.node.name for site in table(built)] == ["Outer", "Inner", "Second", "Later"]
        built.checked[0].forget()
        assert [site.node.lineno for site in table(built)] == [3, 4, 6, 8]

    def test_bases_in_the_environment(self, tmp_path: Path) -> None:
        site = tmp_path / "env/lib/python3.11/site-packages/timm"
        site.mkdir(parents=True)
        (site / "__init__.py").write_text("from .layers import Block\n")
        (site / "layers.py").write_text(HEAD + "class Block(nn.Module):\n" + FORWARD)
        files = {"m.py": "from timm import Block\nclass Net(Block): ...\n"}
        built = project(tmp_path / "repo", files, python=str(tmp_path / "env"))
        assert classes(built) == ["m.Net"]

    def test_a_base_that_is_not_installed(self, tmp_path: Path) -> None:
        text = (
            "import torch, lightning as L\nclass Net(L.LightningModule):\n"
            + FORWARD
            + "class Data(L.DataModule): ...\n"
        )
        (site,) = table(project(tmp_path, {"m.py": text}))
        assert (site.dotted, site.certain, site.bases) == ("m.Net", False, ("lightning.LightningModule",))

    def test_same_names_in_two_scripts_folders(self, tmp_path: Path) -> None:
        built = project(
            tmp_path,
            {
                "a/base.py": HEAD + "class Base(nn.Module):\n" + FORWARD,
                "a/run.py": "from base import Base\nclass Net(Base): ...\n",
                "b/base.py": "class Base: ...\n",
                "b/run.py": "from base import Base\nclass Net(Base): ...\n",
            },
        )
        assert [site.module.path.rpartition("/")[0][-1] for site in table(built) if site.qualname == "Net"] == ["a"]

    def test_cycles_of_bases_end(self, tmp_path: Path) -> None:
        text = (
            HEAD
            + "class A(B):\n"
            + FORWARD
            + "class B(A, nn.Module): ...\nclass C(C): ...\nclass D(nn.Module, D):\n"
            + FORWARD
        )
        assert "m.D" in classes(project(tmp_path, {"m.py": text}))

    def test_only_checked_files_are_reported(self, tmp_path: Path) -> None:
        files = {"net/__init__.py": "", "net/a.py": HEAD + "class A(nn.Module):\n" + FORWARD}
        files["net/b.py"] = "from .a import A\nclass B(A): ...\n"
        assert classes(project(tmp_path, files, checked=["net/b.py"])) == ["net.b.B"]

    def test_torch_agrees_on_modules_without_forward(self) -> None:
        lacking: set[str] = set()
        having: set[str] = set()
        for part in ("", *(f".modules.{found.name}" for found in pkgutil.iter_modules(torch.nn.modules.__path__))):
            for name, found in vars(importlib.import_module(f"torch.nn{part}")).items():
                if inspect.isclass(found) and issubclass(found, torch.nn.Module):
                    refuses = getattr(found, "forward") is torch.nn.Module.forward  # noqa: B009
                    (lacking if refuses else having).add(name)
        assert lacking == WITHOUT_FORWARD
        assert not lacking & having
        with pytest.raises(AttributeError):
            _ = torch.jit.ScriptModule.forward  # looked up among compiled methods, of which a class has none


class TestPrefilter:
    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (b"x = 1\n", False),
            (b"class A: ...\nclass B(): ...\n", False),
            (b"class Net(Base): ...\n", True),
            (b"if x:\n\tclass Net(\n    Base): ...\n", True),
            (b"class Net[T](Base[T]): ...\n", True),
        ],
    )
    def test_one_file(self, data: bytes, expected: bool) -> None:
        assert may_hold_modules(data) is expected

    @pytest.mark.parametrize(
        "files",
        [
            {
                "a.py": HEAD + "class Config(nn.Module):\n" + FORWARD,
                "m.py": "from a import Config as Base\nclass Net(Base): ...",
            },
            {
                "a.py": HEAD + "Base = nn.Linear",
                "b.py": "class Base: ...",
                "m.py": "from a import Base\nclass Net(Base): ...",
            },
            {
                "a.py": HEAD + "from torch.nn import Linear",
                "b.py": "class Linear: ...",
                "m.py": "from a import *\nclass Net(Linear): ...",
            },
            {"b.py": "class Module: ...", "m.py": "import torch.nn\nclass Net(torch.nn.Module):\n" + FORWARD},
            {
                "b.py": "class Linear: ...",
                "m.py": "from torch.nn import (\n    ReLU,  # one\n    Linear,\n)\nclass Net(Linear): ...",
            },
            {"a.py": HEAD + "class Flag(nn.Linear): ...", "m.py": "from a import Flag\nclass Net(\n    Flag,\n): ..."},
            {
                "a.py": HEAD + "def make(): return nn.Linear",
                "m.py": "import a\nfrom torch.nn import Linear\nclass Net(a.make(), Linear): ...",
            },
            {"m.py": "'''\nclass Module:\n    pass\n'''\nimport torch.nn as nn\nclass Net(nn.Module):\n" + FORWARD},
            {
                "a.py": "from m import Net\nclass Net2(Net): ...",
                "m.py": "from torch import nn\nclass Net(nn.Linear): ...",
            },
        ],
    )
    def test_no_module_class_is_lost(self, tmp_path: Path, files: dict[str, str]) -> None:
        assert "m.Net" in classes(project(tmp_path, files))

    def test_plain_files_are_not_parsed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        files = {
            "net/__init__.py": "",
            "net/conf.py": "import torch, other\nfrom other import Hub\nclass Config(Hub): ...\n",
            "net/bert.py": "from .conf import Config\nclass BertConfig(Config): ...\n",
            "net/m.py": HEAD + "class Net(nn.Module):\n" + FORWARD,
        }
        built = project(tmp_path, files)
        parsed: list[str] = []

        def parse(text: str) -> ast.Module:
            parsed.append(text)
            return ast.parse(text)

        monkeypatch.setattr(source, "parse", parse)
        assert classes(built) == ["net.m.Net"]
        assert parsed == [files["net/m.py"]]


class TestRootOrder:
    def test_what_others_build_comes_after_them(self, tmp_path: Path) -> None:
        text = HEAD + (
            "class Mlp(nn.Module):\n" + FORWARD + "class Block(nn.Module):\n"
            "    def __init__(self): self.mlp = Mlp()\n" + FORWARD + "class Net(nn.Module):\n"
            "    def __init__(self): self.block = Block()\n" + FORWARD
        )
        found = order(tmp_path, {"m.py": text})
        assert (names(found.first), names(found.rest)) == (["Net"], ["Block", "Mlp"])
        assert names(tuple(found)) == ["Net", "Block", "Mlp"]

    @pytest.mark.parametrize(
        "use",
        [
            "    def __init__(self): self.b = make()\n",
            "    def __init__(self, b=Block): self.b = b()\n",
            "    def __init__(self, *, b=Block): self.b = b()\n",
            "    def __init__(self): self.b = TABLE['b']()\n",
            "    def __init__(self): self.build()\n    def build(self): self.b = Block()\n",
            "    block = Block\n",
            "    def __init__(self):\n        from part import Block as B\n        self.b = B()\n",
            "    def __init__(self): self.b = part.Block()\n",
            "    def __init__(self): self.b = nn.Sequential(*[Block() for _ in range(3)])\n",
            "    def __init__(self): self.b = partial(Block, 1)\n",
            "    def __init__(self): self.b = Block.small()\n",
            "    def __init__(self): self.b = (lambda: Block())()\n",
            "    def __init__(self): self.b = Late()\n",
        ],
    )
    def test_ways_to_build(self, tmp_path: Path, use: str) -> None:
        files = {
            "part.py": HEAD
            + "class Block(nn.Module):\n"
            + FORWARD
            + "    @classmethod\n    def small(cls): return cls()\n",
            "m.py": HEAD
            + "import part\nfrom functools import partial\nfrom part import Block\n"
            + "TABLE = {}\nTABLE['b'] = Block\ndef make(): return inner()\ndef inner(): return Block()\n"
            + "Late = Block\n"
            + "class Net(nn.Module):\n"
            + use
            + FORWARD,
        }
        found = order(tmp_path, files)
        assert (names(found.first), names(found.rest)) == (["Net"], ["Block"])

    @pytest.mark.parametrize(
        "use",
        [
            "    def forward(self, x: Block) -> Block: return x\n",
            "    def forward(self, x):\n        y: Block = x\n        return isinstance(y, Block)\n",
            "    def forward(self, x): return issubclass(x, (Block,))\n",
            "    def forward(self, x): return super(Block, self).forward(x)\n",
            "    def forward(self, x): return type(x) is Block\n",
            "    def forward(self, Block): return Block(1)\n",
            "    def forward(self, x): return Block.forward(self, x)\n",
            "    def forward(self, x):\n        class Own(Block): ...\n        return x\n",
            "    '''Block()'''\n    def forward(self, x): return 'Block'\n",
        ],
    )
    def test_ways_not_to_build(self, tmp_path: Path, use: str) -> None:
        text = HEAD + "class Block(nn.Module):\n" + FORWARD + "class Net(Block):\n" + use
        assert names(order(tmp_path, {"m.py": text}).first) == ["Block", "Net"]

    def test_inherited_bodies_build_too(self, tmp_path: Path) -> None:
        text = HEAD + (
            "class Block(nn.Module):\n" + FORWARD + "class Base(nn.Module):\n"
            "    def __init__(self): self.block = self.make()\n"
            "    def make(self): return Block()\n"
            + FORWARD
            + "class Other(nn.Module):\n"
            + FORWARD
            + "class Net(Base):\n"
            "    def make(self): return Other()\n"
        )
        found = order(tmp_path, {"m.py": text})
        assert (names(found.first), names(found.rest)) == (["Base", "Net"], ["Block", "Other"])

    def test_classes_that_build_each_other(self, tmp_path: Path) -> None:
        text = HEAD + (
            "class Leaf(nn.Module):\n" + FORWARD + "class Node(nn.Module):\n"
            "    def __init__(self, n): self.kids = [Node(n - 1), Pair(n), Leaf()]\n"
            + FORWARD
            + "class Pair(nn.Module):\n"
            "    def __init__(self, n): self.node = Node(n - 1)\n" + FORWARD
        )
        found = order(tmp_path, {"m.py": text})
        assert len(found.first) == 1
        assert sorted(names(tuple(found))) == ["Leaf", "Node", "Pair"]
        assert names(found.rest)[-1] == "Leaf"

    def test_a_class_that_only_builds_itself_is_an_entry(self, tmp_path: Path) -> None:
        text = HEAD + (
            "def again(n): return Tree(n)\nclass Tree(nn.Module):\n"
            "    def __init__(self, n): self.kids = [Tree(n - 1), again(n)]\n" + FORWARD
        )
        assert names(order(tmp_path, {"m.py": text}).first) == ["Tree"]


class TestMro:
    def test_a_diamond(self) -> None:
        assert linear({"D": "BC", "B": "A", "C": "A"}, "D") == ("DBCA", None)

    def test_an_inconsistent_order(self) -> None:
        order_, flaw = linear({"X": "AB", "Y": "BA", "Z": "XY"}, "Z")
        assert flaw is Flaw.INCONSISTENT
        assert sorted(order_) == list("ABXYZ")
        assert order_.startswith("Z")

    def test_a_base_named_twice(self) -> None:
        assert linear({"X": "AA"}, "X") == ("XA", Flaw.INCONSISTENT)

    def test_cycles(self) -> None:
        order_, flaw = linear({"A": "B", "B": "CM", "C": "A"}, "A")
        assert flaw is Flaw.CYCLE
        assert order_.startswith("A")
        assert sorted(order_) == list("ABCM")

    def test_python_agrees(self) -> None:
        bases = {"E": "CD", "D": "AB", "C": "BA", "B": "O", "A": "OK", "K": "", "O": ""}
        made: dict[str, type] = {}
        for name in "OKABDC":
            made[name] = type(name, tuple(made[base] for base in bases[name]), {})
        expected = "".join(found.__name__ for found in made["D"].__mro__[:-1])
        assert linear(bases, "D") == (expected, None)
        with pytest.raises(TypeError):
            type("E", tuple(made[base] for base in bases["E"]), {})
        assert linear(bases, "E")[1] is Flaw.INCONSISTENT

    def test_across_files(self, tmp_path: Path) -> None:
        files = {
            "a.py": HEAD + "class A(nn.Module):\n" + FORWARD,
            "b.py": "from a import A\nclass Mix: ...\nclass B(Mix, A): ...\n",
        }
        built = project(tmp_path, files)
        found = hierarchy(built).order(Definition(module(built, "b.py"), "B"))
        assert [shown(item) for item in found.order] == ["b.B", "b.Mix", "a.A", "torch.nn.Module"]


def linear(bases: dict[str, str], start: str) -> tuple[str, Flaw | None]:
    found = Linearizer(lambda name: list(bases.get(name, ""))).of(start)
    return "".join(found.order), found.flaw
