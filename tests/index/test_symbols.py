"""What one file binds at its top level."""

from __future__ import annotations

import ast
import textwrap

import pytest

from fxlint.index.symbols import Symbols, collect


def symbols(text: str) -> Symbols:
    text = textwrap.dedent(text)
    return collect(ast.parse(text), text, lambda level, name: "." * level + (name or ""))


def test_every_statement_that_may_bind_a_name() -> None:
    found = symbols(
        """
        try:
            from torch.nn import RMSNorm
        except ImportError as error:
            class RMSNorm: ...
        else:
            a = 1
        finally:
            b, (c, *d) = 1, (2, 3)
        if (n := 10) > 5:
            def f(): hidden = 1
        elif x:
            f = None
        for i, j in []:
            e: int = 0
        with open("") as handle, other:
            bare: int
        while False:
            g += 1
        match a:
            case [first, *others]: h = 1
            case {"k": v, **more}: pass
        del a
        """
    )
    assert [type(item).__name__ for item in found.bindings["RMSNorm"]] == ["ImportFrom", "ClassDef"]
    assert [type(item).__name__ for item in found.bindings["f"]] == ["FunctionDef", "Assign"]
    assert [type(item).__name__ for item in found.bindings["a"]] == ["Assign", "Delete"]
    assert set(found.bindings) == set("a b c d e f g h i j n v RMSNorm handle first others more".split())


def test_imports_are_absolute() -> None:
    found = symbols(
        """
        import torch.nn
        import torch.nn.functional as F
        from torch import nn as layers
        from .block import Block
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from .config import Config
        from .extra import *
        """
    )
    targets = {name: [item.target for item in items] for name, items in found.imports.items()}
    assert targets["torch"] == ["torch"]
    assert targets["F"] == ["torch.nn.functional"]
    assert targets["layers"] == ["torch.nn"]
    assert targets["Block"] == [".block.Block"]
    assert [item.typing_only for item in found.imports["Config"]] == [True]
    assert [item.module for item in found.stars] == [".extra"]
    assert "*" not in found.bindings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__all__ = ['a']", ("a",)),
        ("__all__ = ('a', 'b')\n__all__ += ['c']", ("a", "b", "c")),
        ("__all__: list[str] = []\n__all__.append('a')\n__all__.extend(['b'])", ("a", "b")),
        ("__all__ = names()", None),
        ("__all__ = ['a'] + other.__all__", None),
        ("__all__ = ['a']\n__all__ += other.__all__", None),
        ("x = 1", None),
    ],
)
def test_exports(text: str, expected: tuple[str, ...] | None) -> None:
    assert symbols(text).exports == expected


def test_public_names() -> None:
    assert list(symbols("a = _b = 1\nimport c").public()) == ["a", "c"]
    assert list(symbols("__all__ = ['_b']\na = _b = 1").public()) == ["_b"]


def test_what_happens_to_names_later() -> None:
    found = symbols(
        """
        TABLE = {}
        TABLE["k"] = 1
        TABLE.update(x=2)
        Net.forward = other
        setattr(Other, "forward", other)
        a.b.c += 1
        def f():
            global COUNT, MODE
            COUNT = 1
            def g():
                global DEEP
            LOCAL["k"] = 1
        """
    )
    assert [len(found.touched[name]) for name in ("TABLE", "Net", "Other", "a")] == [2, 1, 1, 1]
    assert "LOCAL" not in found.touched
    assert found.rebound == {"COUNT", "MODE", "DEEP"}


@pytest.mark.parametrize(
    "text",
    [
        "import torch\ntorch.fx.wrap('f')",
        "import torch.fx\ntorch.fx.wrap('f')",
        "import torch.fx as tfx\ntfx.wrap('f')",
        "from torch import fx\nfx.wrap('f')",
        "from torch.fx import wrap\nwrap('f')",
        "from torch.fx import wrap as w\nw('f')",
        "from torch.fx import wrap\ndef f(x): ...\nwrap(f)",
        "from torch import fx\n@fx.wrap\ndef f(x): ...",
        "import torch\nif True:\n    @torch.fx.wrap\n    def f(x): ...",
    ],
)
def test_wrapped_names(text: str) -> None:
    assert symbols(text).wrapped == {"f"}


@pytest.mark.parametrize(
    "text",
    ["from functools import wraps\nwraps('f')", "wrap('f')", "from torch.fx import wrap\ndef g():\n    wrap('f')"],
)
def test_names_that_are_not_wrapped(text: str) -> None:
    assert symbols(text).wrapped == frozenset()


def test_the_last_definition() -> None:
    found = symbols("if a:\n    def f(x): ...\nelse:\n    def f(x, y): ...\nf = cache(f)\nx = 1")
    definition = found.defined("f")
    assert isinstance(definition, ast.FunctionDef)
    assert len(definition.args.args) == 2
    assert found.defined("x") is None
