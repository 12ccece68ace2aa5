"""Builders: functions without parameters that return a module show how the project makes it.

    def make_model():
        return Net(load("small.json"), check=False)

A root class that such a function builds is traced as built there, not with undecided constructor arguments. A builder
that returns what `symbolic_trace` cannot take as its root (a DataParallel wrapper, a scripted module, a partial) is
reported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fxlint.interp import limits, modules, names, nn_containers, torch_facts
from fxlint.interp.events import Hook
from fxlint.interp.frames import Exhausted, Frame
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import Class, External, Function, Instance, Partial, Value, members
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile
    from fxlint.interp.machine import Machine

_VERBS = re.compile(r"(build|make|create|get|load|new|model|net)(_|$)")
_WRAPPERS = frozenset({"DataParallel", "DistributedDataParallel", "FullyShardedDataParallel"})

Builder = tuple["ModuleFile", ast.FunctionDef]


class Builders:
    """The builders of the checked files, by the class names that they call in what they return."""

    def __init__(self, m: Machine) -> None:
        self.m = m
        self.by_class: dict[str, list[Builder]] = {}
        self.all: list[Builder] = []
        for module in m.project.checked:
            if "return" in module.source.text:
                self._read(module)

    def _read(self, module: ModuleFile) -> None:
        if not re.search(r"^def \w+\(\)", module.source.text, re.MULTILINE):
            return
        for statement in module.tree.body:
            if isinstance(statement, ast.FunctionDef) and not _parameters(statement) and not statement.decorator_list:
                returned = [n.value for n in ast.walk(statement) if isinstance(n, ast.Return) and n.value is not None]
                called = {name for value in returned for name in _called(value)}
                if called or returned:
                    self.all.append((module, statement))
                for name in called:
                    self.by_class.setdefault(name, []).append((module, statement))

    def instances(self, cls: Class) -> list[Instance]:
        """Instances of exactly this class that builders return."""
        found: list[Instance] = []
        for builder in self.by_class.get(cls.name, ())[: limits.BUILDERS]:
            value = self._run(builder)
            if value is not None:
                found.extend(v for v in members(value) if isinstance(v, Instance) and v.cls is cls)
        return found

    def _run(self, builder: Builder) -> Value | None:
        module, statement = builder
        scope = modules.load(self.m, module).scope
        cell = scope.cells.get(statement.name)
        if not isinstance(cell, Value):
            return None
        function = names.force(self.m, scope, statement.name, cell)
        if not isinstance(function, Function):
            return None
        frame = Frame(scope, module, "", 0)
        with self.m.detached(), self.m.entered(frame):
            try:
                return self.m.call(function, [], {}, statement)
            except (PathEnd, Exhausted, RecursionError):
                return None

    def report_bad_roots(self) -> None:
        """Builders named like one, called by nobody here, whose result tracing refuses as a root."""
        for module, statement in self.all:
            if not _VERBS.match(statement.name) or len(re.findall(rf"\b{statement.name}\b", module.source.text)) > 1:
                continue
            last = statement.body[-1]
            if (
                not isinstance(last, ast.Return)
                or not isinstance(last.value, (ast.Call, ast.Attribute))
                or len(statement.body) > 4
            ):
                continue
            value = self._run((module, statement))
            if value is not None:
                self._judge(module, last.value, value)

    def _judge(self, module: ModuleFile, node: ast.expr, value: Value) -> None:
        m = self.m
        with m.entered(Frame(modules.load(m, module).scope, module, "", 0)):
            if isinstance(value, Partial) or (
                isinstance(value, External)
                and value.path.startswith("torch.")
                and not torch_facts.is_class(m, value.path)
            ):
                m.misuse(Hook.BAD_ROOT, node, subject=node, via="no Python function", effect=Effect.UNTRACEABLE)
            if not isinstance(value, Instance):
                return
            if value.native.get("compiled") == "torch.jit.script":
                m.misuse(Hook.BAD_ROOT, node, subject=node, via="ScriptModule", effect=Effect.UNTRACEABLE)
            if isinstance(value.cls, External):
                name = value.cls.path.rpartition(".")[2]
                if name in _WRAPPERS:
                    m.misuse(Hook.BAD_ROOT, node, subject=node, via=name, effect=Effect.UNTRACEABLE)
                elif nn_containers.form(m, value.cls) is None:
                    refusal = torch_facts.forward_refusal(m, value.cls.path)
                    if refusal is not None:
                        m.misuse(Hook.LEAF_LOST, node, subject=node, via=name, effect=Effect.UNTRACEABLE)
                for kind, _function, _at in value.hooks:
                    m.misuse(Hook.ROOT_HOOK, node, subject=node, via=kind.partition("<")[0], effect=Effect.SILENT)


def _parameters(node: ast.FunctionDef) -> bool:
    spec = node.args
    return bool(spec.posonlyargs or spec.args or spec.vararg or spec.kwonlyargs or spec.kwarg)


def _called(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr
