"""The machine: the state of one abstract run, and the protocol through which its parts call each other.

    m.eval(node)             an expression's value
    m.truth(value, node)     True, False or None (undecided); asking a Proxy is an event
    m.iterate(value, node)   what a loop over it gives
    m.call(f, args, kwargs)  a call
    m.emit(hook, node)       a Proxy met a hook here

The parts are modules of plain functions that take the machine first. Control that leaves a path early travels as
`PathEnd`; control that stops the whole root travels as `Exhausted`.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from fxlint.index.resolve import Resolver
from fxlint.interp import limits
from fxlint.interp.events import Event, Hook, RawSpan
from fxlint.interp.frames import Emission, Exhausted, Frame, Handler
from fxlint.interp.heap import Heap, PathEnd
from fxlint.interp.ledger import Ledger
from fxlint.interp.values import Instance, ModuleValue, Seq, Unknown, Value

if TYPE_CHECKING:
    from fxlint.index.project import ModuleFile, Project
    from fxlint.interp.torch_model import TorchModel
    from fxlint.model.config import Config


class Machine(Ledger):
    """State of one analysis: heap, frames, loaded modules, and the events of the root that is running."""

    def __init__(
        self,
        project: Project,
        torch: TorchModel,
        config: Config,
        *,
        constant_arguments: bool = False,
        resolver: Resolver | None = None,
    ) -> None:
        self.resolver = resolver or _resolver(project)
        self.project = project
        self.torch = torch
        self.config = config
        self.constant_arguments = constant_arguments
        self.heap = Heap()
        self.frames: list[Frame] = []
        self.handlers: list[Handler] = []
        self.definite: list[int] = []
        self.conditions: list[tuple[ast.AST | str, ModuleFile]] = []
        self.modules: dict[str, ModuleValue] = {}
        self.tracing = False
        self.root: Instance | None = None
        self.root_name = ""
        self.events: dict[tuple[Hook, RawSpan], Event] = {}
        self.captures: list[tuple[int, list[Emission]]] = []
        self.unresolved: set[str] = set()
        self.reads: set[str] = set()
        self.reached: set[str] = set()
        self.steps = 0
        self.budget = limits.STEPS_PER_MODULE
        self.root_budget = limits.STEPS_PER_ROOT
        self.memo: dict[object, tuple[Value, list[Emission]]] = {}
        self.alike: dict[Hashable, list[Instance]] = {}
        self.facts: dict[object, object] = {}
        self.keep: list[object] = []
        self.wrapped: set[tuple[str, str]] = set()
        self.tree: set[int] = set()
        self.misuses: list[Event] = []
        self.discarded: ast.AST | None = None
        self.loaded = 0

    def renewed(self) -> Machine:
        """A machine that knows what this one found, and holds none of its trees, values and summaries."""
        fresh = Machine(
            self.project,
            self.torch,
            self.config,
            constant_arguments=self.constant_arguments,
            resolver=self.resolver,
        )
        fresh.reached, fresh.misuses, fresh.root_budget = self.reached, self.misuses, self.root_budget
        for loaded in self.modules.values():
            loaded.module.forget()
        return fresh

    # ---- frames

    @contextlib.contextmanager
    def entered(self, frame: Frame) -> Iterator[Frame]:
        """Run with `frame` innermost."""
        frame.index = len(self.frames)
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.pop()

    @contextlib.contextmanager
    def detached(self) -> Iterator[None]:
        """Run code of a file's top level: outside every branch, handler, condition and trace."""
        saved = (self.heap.journals, self.handlers, self.definite, self.conditions, self.tracing, self.captures)
        steps, budget = self.steps, self.budget
        self.heap.journals, self.handlers, self.definite, self.conditions = [], [], [], []
        self.tracing, self.captures = False, []
        self.steps, self.budget = 0, limits.STEPS_PER_MODULE
        try:
            yield
        finally:
            self.heap.journals, self.handlers, self.definite, self.conditions, self.tracing, self.captures = saved
            self.steps, self.budget = steps, budget

    @contextlib.contextmanager
    def under(self, condition: ast.AST | str) -> Iterator[None]:
        """Run a side of an undecided test; its text is made when an event wants it."""
        self.conditions.append((condition, self.frame.module))
        try:
            yield
        finally:
            self.conditions.pop()

    # ---- the protocol; each verb lives in a module of its own

    def eval(self, node: ast.expr) -> Value:
        """Value of an expression."""
        self.steps += 1
        if self.steps > self.budget:
            raise Exhausted
        return EVALUATE[type(node)](self, node)

    def run(self, body: Sequence[ast.stmt]) -> bool:
        """Execute statements; False when the path does not arrive at the end."""
        for statement in body:
            self.steps += 1
            if self.steps > self.budget:
                raise Exhausted
            try:
                if not EXECUTE[type(statement)](self, statement):
                    return False
            except PathEnd as end:
                if (end.believed and self.definite) or not self._forgives(statement):
                    raise
                self._bind_unknown(statement)
                if isinstance(statement, ast.Return):
                    self.frame.returns.append(Unknown("a value whose computation seems to fail"))
                    return False
        return True

    def _forgives(self, statement: ast.stmt) -> bool:
        """Whether to go on behind a statement that seems to fail although nothing of fx decided it.

        The code runs in eager mode, so what seems to fail for certain is an error of the analysis: what the statement
        would have bound stays as it was. An explicit `raise` is believed, and so is all that a handler may be waiting
        for.
        """
        function = self.frames[-1].function
        if self.handlers or isinstance(statement, (ast.Raise, ast.Assert)) or function is None:
            return False
        if not self.tracing and function.name != "__init__":
            return False
        self.unresolved.add(f"a statement of `{function.qualname}`")
        return True

    def _bind_unknown(self, statement: ast.stmt) -> None:
        """What a forgiven assignment would have bound is not known."""
        written = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
            written = [statement.target]
        for target in written:
            with contextlib.suppress(PathEnd):
                targets.assign(self, target, Unknown("a value whose computation seems to fail"))

    def truth(self, value: Value, node: ast.AST, hook: Hook = Hook.BRANCH, via: str = "if") -> bool | None:
        """Python's bool() of a value; None when undecided."""
        return operators.truth(self, value, node, hook, via)

    def iterate(self, value: Value, node: ast.AST, hook: Hook = Hook.ITER, via: str = "for") -> Seq:
        """Python's iter() of a value."""
        return iteration.iterate(self, value, node, hook, via)

    def getattr(self, value: Value, name: str, node: ast.AST) -> Value:
        """Attribute read; raises PathEnd when it certainly fails."""
        return attributes.read(self, value, name, node)

    def call(self, function: Value, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        """Call a value. A `Star` among the arguments stands for any number of further ones."""
        return calls.call(self, function, args, kwargs, node)

    # ---- the torch model

    def is_torch_module(self, path: str) -> bool:
        """Whether a dotted name is one of torch's module classes."""
        return torch_facts.is_module_class(self, path)

    def torch_derives(self, path: str, other: str) -> bool:
        """issubclass for two library classes."""
        return torch_facts.derives(self, path, other)

    def torch_tensor_has(self, name: str) -> bool:
        """Whether every Tensor has the attribute."""
        return torch_facts.tensor_has(self, name)


def _resolver(project: Project) -> Resolver:
    """A resolver that lets trees go when the project is too large to hold them."""
    return Resolver(project, forget=sum(len(module.source.text) for module in project.checked) > limits.LOADED)


from fxlint.interp import attributes, calls, iteration, operators, targets, torch_facts  # noqa: E402  (the parts need Machine)
from fxlint.interp.expressions import EVALUATE  # noqa: E402
from fxlint.interp.statements import EXECUTE  # noqa: E402
