"""What a name means across files."""

from __future__ import annotations

from pathlib import Path

import pytest

from fxlint.index.resolve import Resolver
from tests.index.build import meaning, module, project


@pytest.mark.parametrize(
    ("imports", "text", "expected"),
    [
        ("import torch", "torch.nn.Linear", ["torch.nn.Linear"]),
        ("import torch.nn as nn", "nn.Linear", ["torch.nn.Linear"]),
        ("from torch.nn import Linear as L", "L", ["torch.nn.Linear"]),
        ("import numpy as np", "np.zeros", ["numpy.zeros"]),
        ("import absent.sub", "absent.sub.Thing", ["absent.sub.Thing?"]),
        ("from absent import Thing", "Thing", ["absent.Thing?"]),
        ("from .block import Block", "Block", ["net.block.Block"]),
        ("from .block import Block", "Block.Inner", ["net.block.Block.Inner"]),
        ("from .block import Block", "Block.Inner.depth", ["net.block.Block.Inner+depth"]),
        ("from . import block", "block.Block", ["net.block.Block"]),
        ("from . import block", "block", ["module net.block"]),
        ("import net.block", "net.block.Block", ["net.block.Block"]),
        ("import net.block as b", "b.make", ["net.block.make"]),
        ("from net.block import TABLE", "TABLE", ["net.block.TABLE"]),
        ("from .block import *", "Block", ["net.block.Block"]),
        ("from .block import *", "_hidden", []),
        ("from .block import *", "unknown", []),
        ("from .block import nothing", "nothing", []),
        ("from net import Block", "Block", ["net.block.Block"]),
        ("from net import B", "B", ["net.block.Block"]),
        ("from .listed import *", "shown", ["net.listed.shown"]),
        ("from .listed import *", "kept", []),
        ("from .alias import Conv", "Conv", ["torch.nn.Conv2d", "net.block.Block"]),
        ("from .alias import Norm", "Norm", ["torch.nn.RMSNorm", "net.alias.Norm"]),
        ("", "Block", []),
    ],
)
def test_lookup(tmp_path: Path, imports: str, text: str, expected: list[str]) -> None:
    built = project(
        tmp_path,
        {
            "net/__init__.py": "from .block import Block\nfrom .block import Block as B\n",
            "net/block.py": """
                TABLE = {}
                _hidden = 1
                def make(): ...
                class Block:
                    class Inner:
                        depth = 1
                """,
            "net/listed.py": "__all__ = ['shown']\ndef shown(): ...\ndef kept(): ...\n",
            "net/alias.py": """
                from torch import nn
                from .block import Block
                Conv = nn.Conv2d if nn else Block
                try:
                    from torch.nn import RMSNorm as Norm
                except ImportError:
                    class Norm: ...
                """,
            "net/user.py": imports + "\n",
        },
    )
    assert meaning(built, "user.py", text) == expected


def test_imports_for_type_checkers_come_last(tmp_path: Path) -> None:
    built = project(
        tmp_path,
        {
            "a.py": "class A: ...\n",
            "user.py": """
                from typing import TYPE_CHECKING
                if TYPE_CHECKING:
                    from a import A
                else:
                    class A: ...
                """,
        },
    )
    assert meaning(built, "user.py", "A") == ["user.A", "a.A"]


def test_a_name_only_type_checkers_see_is_still_found(tmp_path: Path) -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import A\n"
    built = project(tmp_path, {"a.py": "class A: ...\n", "user.py": text})
    assert meaning(built, "user.py", "A") == ["a.A"]


def test_import_cycles_end(tmp_path: Path) -> None:
    built = project(
        tmp_path,
        {
            "net/__init__.py": "from .a import *\nfrom .b import *\n",
            "net/a.py": "from .b import *\nfrom .b import B\nclass A: ...\n",
            "net/b.py": "from .a import *\nfrom .a import A, ghost\nclass B: ...\n",
        },
    )
    resolver = Resolver(built)
    for text, expected in (("A", ["net.a.A"]), ("B", ["net.b.B"]), ("ghost", []), ("nothing", [])):
        for _ in range(2):
            assert [t.dotted for t in resolver.lookup(module(built, "__init__.py"), text)] == expected  # type: ignore[union-attr]


def test_chains_of_star_imports(tmp_path: Path) -> None:
    built = project(
        tmp_path,
        {
            "net/__init__.py": "from .models import *\n",
            "net/models/__init__.py": "from .bert import *\nfrom .vit import *\n",
            "net/models/bert/__init__.py": "from .modeling import *\n",
            "net/models/bert/modeling.py": "class Bert: ...\n",
            "net/models/vit/__init__.py": "from .modeling import *\n",
            "net/models/vit/modeling.py": "class Vit: ...\n",
            "user.py": "from net import Vit\n",
        },
    )
    assert meaning(built, "user.py", "Vit") == ["net.models.vit.modeling.Vit"]


def test_a_star_import_from_torch_may_explain_a_name(tmp_path: Path) -> None:
    built = project(tmp_path, {"user.py": "from torch.nn import *\n"})
    assert meaning(built, "user.py", "Module") == ["torch.nn.Module?"]


def test_a_submodule_is_an_attribute_of_its_package(tmp_path: Path) -> None:
    built = project(tmp_path, {"net/__init__.py": "", "net/ops.py": "def f(): ...\n", "user.py": "import net.ops\n"})
    assert meaning(built, "user.py", "net.ops.f") == ["net.ops.f"]


def test_a_name_of_the_package_goes_before_its_submodule(tmp_path: Path) -> None:
    built = project(
        tmp_path,
        {
            "net/__init__.py": "from .ops import ops\n",
            "net/ops.py": "def ops(): ...\n",
            "user.py": "from net import ops\n",
        },
    )
    assert meaning(built, "user.py", "ops") == ["net.ops.ops"]


def test_files_that_do_not_parse_answer_nothing(tmp_path: Path) -> None:
    built = project(tmp_path, {"bad.py": "class A(:\n", "user.py": "from bad import A\n"})
    assert meaning(built, "user.py", "A") == []


def test_facts_outlive_the_tree(tmp_path: Path) -> None:
    built = project(tmp_path, {"a.py": "class A: ...\n", "user.py": "from a import A\n"})
    resolver = Resolver(built, forget=True)
    assert [t.dotted for t in resolver.lookup(module(built, "user.py"), "A")] == ["a.A"]  # type: ignore[union-attr]
