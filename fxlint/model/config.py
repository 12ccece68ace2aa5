"""What a user can set, parsed once and passed down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of one run.

    `select` and `ignore` hold rule codes or prefixes (longest match wins). `roots` holds dotted or bare class names
    that are traced; empty means that fxlint finds them. `leaf_modules` and `wrap` hold dotted names that fx records as
    one call. `concrete_args` holds parameter names of a root's forward that stay Python values. `python` is the
    interpreter whose site-packages are read (never run).
    """

    select: tuple[str, ...] = ("FX",)
    ignore: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    leaf_modules: tuple[str, ...] = ()
    wrap: tuple[str, ...] = ()
    concrete_args: tuple[str, ...] = ()
    python: str | None = None
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ("*.py", "*.pyi", "*.ipynb")
    respect_gitignore: bool = True
