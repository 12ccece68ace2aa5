"""A smaller program that still shows what a program shows.

Statements are dropped, compound statements are replaced by a branch of theirs, and expressions by an operand, as long
as `still` holds of the text. The result is a local minimum: no single step makes it smaller.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable, Iterator

ATTEMPTS = 400
KEPT = frozenset({"make_model", "example_inputs"})


def shrink(text: str, still: Callable[[str], bool]) -> str:
    """The smallest text found; comments and layout are lost."""
    tree = ast.parse(text)
    best = ast.unparse(tree)
    if not still(best):
        return text
    attempts = index = 0
    progress = False
    while attempts < ATTEMPTS:
        candidate = copy.deepcopy(tree)
        step = next(itertools.islice(_steps(candidate), index, None), None)
        if step is None:
            if not progress:
                break
            index, progress = 0, False
            continue
        step()
        index += 1
        try:
            smaller = ast.unparse(candidate)
            compile(smaller, "<candidate>", "exec")
        except (SyntaxError, ValueError):
            continue
        if len(smaller) >= len(best):
            continue
        attempts += 1
        if still(smaller):
            tree, best, progress = ast.parse(smaller), smaller, True
            # What follows the cut has moved up.
            index -= 1
    return best


def _steps(tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Ways to make the tree smaller, the largest cuts first; each works on the tree as it is when it is yielded."""
    nodes = [node for top in (tree, *_bodies(tree)) for node in ([top] if top is tree else ast.walk(top))]
    for node in nodes:
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for index, statement in enumerate(block):
                yield _without(block, index, keep=name == "body")
                for part in ("body", "orelse"):
                    inner = getattr(statement, part, None)
                    if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)) and inner:
                        yield _instead(block, index, inner)
    for node in nodes[1:]:
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                for child in ast.iter_child_nodes(value):
                    if isinstance(child, ast.expr):
                        yield _set(node, field, child)
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, (ast.expr, ast.keyword)):
                        yield _drop(value, index)
                    if isinstance(item, ast.expr):
                        for child in ast.iter_child_nodes(item):
                            if isinstance(child, ast.expr):
                                yield _put(value, index, child)


def _bodies(tree: ast.Module) -> Iterator[ast.stmt]:
    """What may be cut: all but how the model and its inputs are made."""
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef) or statement.name not in KEPT:
            yield statement


def _without(block: list[ast.stmt], index: int, *, keep: bool) -> Callable[[], None]:
    def step() -> None:
        del block[index]
        if keep and not block:
            block.append(ast.Pass())

    return step


def _instead(block: list[ast.stmt], index: int, inner: list[ast.stmt]) -> Callable[[], None]:
    def step() -> None:
        block[index : index + 1] = inner

    return step


def _set(node: ast.AST, field: str, child: ast.expr) -> Callable[[], None]:
    return lambda: setattr(node, field, child)


def _drop(items: list[ast.AST], index: int) -> Callable[[], None]:
    def step() -> None:
        del items[index]

    return step


def _put(items: list[ast.AST], index: int, child: ast.expr) -> Callable[[], None]:
    def step() -> None:
        items[index] = child

    return step
