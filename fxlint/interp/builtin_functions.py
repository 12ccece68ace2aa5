"""Python's builtin functions, each as the questions it asks of its arguments.

len(x)            __len__           int(x), float(x)     a real number
min, max, sorted  comparisons, then bool()
any, all          iteration, then bool()
sum, list, zip …  iteration
range(x)          __index__
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from fxlint.interp.events import Hook
from fxlint.interp.heap import PathEnd
from fxlint.interp.values import (
    CONCRETE,
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    BoundMethod,
    Class,
    Concrete,
    Const,
    Descriptor,
    Dict,
    External,
    Function,
    Generator,
    Instance,
    List,
    Missing,
    NativeMethod,
    Partial,
    Proxy,
    RealTensor,
    Seq,
    Tuple,
    Unknown,
    Value,
    join,
    may_be_proxy,
    members,
)
from fxlint.model.finding import Effect

if TYPE_CHECKING:
    from fxlint.interp.machine import Machine

Builtin = Callable[["Machine", Sequence[Value], dict[str, Value], ast.AST], Value]


def call_by_name(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    """Call `builtins.name`."""
    known = _TABLE.get(name)
    if known is not None:
        return known(m, args, kwargs, node)
    found = getattr(builtins, name.partition(".")[0], None)
    if "." in name:
        return _unbound(m, name, args, kwargs, node)
    if isinstance(found, type) and issubclass(found, BaseException):
        made = Instance(External(f"builtins.{name}"))
        made.settled = True
        return made
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if (
        name in ("chr", "ord", "hex", "oct", "bin", "bytes", "bytearray", "complex", "compile", "eval", "exec", "open")
        and proxy is not None
    ):
        m.emit(Hook.NUMBER, node, proxy, via=f"{name}()", error="TypeError")
        return CONCRETE
    hosts = [builtin_types.to_host(a) for a in args]
    if (
        name in ("chr", "ord", "hex", "oct", "bin", "divmod", "pow", "complex", "hash")
        and builtin_types.NOT_CONSTANT not in hosts
        and not kwargs
    ):
        try:
            return builtin_types.from_host(getattr(builtins, name)(*hosts))
        except Exception as error:
            raise PathEnd(type(error).__name__) from None
    return Proxy("tensor", low=True) if proxy is not None and name not in ("id", "hash") else CONCRETE


def _unbound(m: Machine, name: str, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    cls, _, method = name.partition(".")
    if not args:
        return UNKNOWN
    if method == "__new__":
        return classes.blank(args[0]) if isinstance(args[0], Class) else UNKNOWN
    if (
        cls == "object"
        and method == "__setattr__"
        and len(args) == 3
        and isinstance(args[0], Instance)
        and isinstance(args[1], Const)
    ):
        attributes.plain_write(m, args[0], str(args[1].value), args[2], node)
        return NONE
    if cls == "object" and method == "__getattribute__" and len(args) == 2 and isinstance(args[1], Const):
        return m.getattr(args[0], str(args[1].value), node)
    if cls == "dict" and method == "fromkeys":
        made = Dict()
        content = args[1] if len(args) > 1 else NONE
        seq = m.iterate(args[0], node)
        for key in seq.items:
            builtin_types.set_item(m, made, key, content)
        if seq.tail is not None:
            made.cells["rest"] = (seq.tail, content)
        return made
    owner = args[0].payload if isinstance(args[0], Instance) and args[0].payload is not None else args[0]
    return m.call(NativeMethod(owner, method), args[1:], kwargs, node)


# ---- numbers


def _len(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    results = [_length(m, v, node) for v in members(args[0]) if not isinstance(v, Missing)]
    return join(*[r for r in results if r is not None]) if any(r is not None for r in results) else Concrete("int")


def _length(m: Machine, value: Value, node: ast.AST) -> Value | None:
    if isinstance(value, Proxy):
        m.emit(Hook.LEN, node, value, subject=_argument(node))
        return Concrete("int")
    if isinstance(value, Const) and isinstance(value.value, (str, bytes)):
        return Const(len(value.value))
    if isinstance(value, Const):
        return None
    if isinstance(value, (Tuple, List)):
        return Const(len(value.seq.items)) if value.seq.tail is None else Concrete("int")
    if isinstance(value, Dict):
        exact = value.rest is None and not any(
            isinstance(v, Missing) for _, c in value.entries.values() for v in members(c)
        )
        return Const(len(value.entries)) if exact else Concrete("int")
    if isinstance(value, Instance):
        method = attributes.find_in_class(m, value.cls, "__len__")
        if method is not None and not isinstance(method, External):
            return m.call(attributes.bind(m, method, value, node), [], {}, node)
        children = nn_containers.children(m, value)
        if children is not None:
            return Const(len(children.items)) if children.tail is None else Concrete("int")
        if value.payload is not None:
            return _length(m, value.payload, node)
    if isinstance(value, Class):
        return Concrete("int")
    return Concrete("int")


def _argument(node: ast.AST) -> ast.AST | None:
    return node.args[0] if isinstance(node, ast.Call) and node.args else None


def _number(name: str, host: Callable[..., Any]) -> Builtin:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        if not args:
            return Const(host())
        results: list[Value] = []
        for value in members(args[0]):
            if isinstance(value, Proxy):
                m.emit(Hook.NUMBER, node, value, subject=_argument(node), via=f"{name}()")
                results.append(Concrete(name if name in ("int", "float") else "float"))
            elif isinstance(value, Const) and len(args) == 1:
                try:
                    results.append(Const(host(value.value)))
                except Exception:
                    continue
            elif isinstance(value, Instance) and name in ("int", "float"):
                method = attributes.find_in_class(m, value.cls, f"__{name}__")
                results.append(
                    m.call(attributes.bind(m, method, value, node), [], {}, node)
                    if method is not None and not isinstance(method, External)
                    else Concrete(name)
                )
            else:
                if isinstance(value, RealTensor):
                    m.emit(
                        Hook.BUFFER_FOLDED, node, value, subject=_argument(node), effect=Effect.SILENT
                    ) if value.tag in ("buffer", "derived") else None
                results.append(Concrete(name if name in ("int", "float") else ""))
        if not results:
            raise m.fail("TypeError", node)
        return join(*results)

    return run


def _round(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.NUMBER, node, proxy, subject=_argument(node), via="round()")
        return Concrete("int")
    hosts = [builtin_types.to_host(a) for a in args]
    if hosts and builtin_types.NOT_CONSTANT not in hosts:
        try:
            return Const(round(*hosts))
        except Exception:
            return CONCRETE
    return args[0] if args and isinstance(args[0], RealTensor) else Concrete("int" if len(args) == 1 else "float")


def _divmod(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if proxy is not None:
        m.emit(Hook.NUMBER, node, proxy, via="divmod()")
        return Tuple((Proxy("int"), Proxy("int")))
    if len(args) == 2:
        return Tuple(
            (
                operators.binary(m, ast.FloorDiv(), args[0], args[1], node),
                operators.binary(m, ast.Mod(), args[0], args[1], node),
            )
        )
    return UNKNOWN


def _abs(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    value = args[0] if args else UNKNOWN
    if isinstance(value, Const) and isinstance(value.value, (int, float, complex)):
        return Const(abs(value.value))
    return value if isinstance(value, (Proxy, RealTensor, Concrete)) else UNKNOWN


def _pow(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return operators.binary(m, ast.Pow(), args[0], args[1], node) if len(args) == 2 else UNKNOWN


def _bool(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return FALSE
    answer = m.truth(args[0], node, Hook.BOOL_CALL, "bool()")
    return Concrete("bool") if answer is None else Const(answer, operators.is_definite(args[0]))


def _any_all(name: str) -> Builtin:
    stop = name == "any"

    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seq = m.iterate(args[0], node, via=f"{name}()") if args else Seq()
        undecided = seq.tail is not None
        definite = False
        for value in seq.every():
            answer = m.truth(value, node, Hook.BOOL_CALL, f"{name}()")
            definite = definite or operators.is_definite(value)
            if answer is None:
                undecided = True
            elif answer is stop and (seq.tail is None or value is not seq.tail):
                return Const(stop, operators.is_definite(value)) if not undecided else Concrete("bool")
        return Concrete("bool") if undecided else Const(not stop, definite)

    return run


def _extreme(name: str) -> Builtin:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        key = kwargs.get("key")
        if len(args) == 1:
            seq = m.iterate(args[0], node, via=f"{name}()")
            values = list(seq.every())
            several = len(values) > 1 or seq.tail is not None
        else:
            values, several = list(args), True
        compared = (
            [m.call(key, [v], {}, node) for v in values]
            if key is not None and not (isinstance(key, Const) and key.value is None)
            else values
        )
        proxy = next((p for p in map(may_be_proxy, compared) if p), None)
        if proxy is not None and several:
            m.emit(Hook.BOOL_CALL, node, proxy, via=f"{name}()")
            return join(*values)
        hosts = [builtin_types.to_host(v) for v in values]
        if (
            values
            and compared is values
            and builtin_types.NOT_CONSTANT not in hosts
            and not (len(args) == 1 and m.iterate(args[0], node).tail is not None)
        ):
            try:
                return builtin_types.from_host((min if name == "min" else max)(hosts))
            except (TypeError, ValueError):
                return UNKNOWN
        if not values:
            return kwargs.get("default", UNKNOWN)
        if all(isinstance(v, (Const, Concrete)) for v in values):
            hints = {
                type(v.value).__name__ if isinstance(v, Const) else v.hint
                for v in values
                if isinstance(v, (Const, Concrete))
            }
            return Concrete(hints.pop()) if len(hints) == 1 else CONCRETE
        return join(*values)

    return run


def _sum(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="sum()") if args else Seq()
    total: Value = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    for value in seq.items:
        total = operators.binary(m, ast.Add(), total, value, node)
    if seq.tail is not None:
        total = join(total, operators.binary(m, ast.Add(), total, seq.tail, node))
    return total


def _sorted(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="sorted()") if args else Seq()
    values = list(seq.every())
    key = kwargs.get("key")
    compared = (
        [m.call(key, [v], {}, node) for v in values]
        if key is not None and not (isinstance(key, Const) and key.value is None)
        else values
    )
    flat = [i for v in compared for i in (v.seq.every() if isinstance(v, (Tuple, List)) else (v,))]
    proxy = next((p for p in map(may_be_proxy, flat) if p), None)
    if proxy is not None and (len(values) > 1 or seq.tail is not None):
        m.emit(Hook.BOOL_CALL, node, proxy, via="sorted()")
    host = builtin_types.to_host(List(seq.items, seq.tail))
    if key is None and host is not builtin_types.NOT_CONSTANT:
        try:
            backwards = kwargs.get("reverse")
            return builtin_types.from_host(sorted(host, reverse=isinstance(backwards, Const) and bool(backwards.value)))
        except TypeError:
            return UNKNOWN
    return List((), join(*values)) if values else List()


def _range(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    for value in args:
        proxy = may_be_proxy(value)
        if proxy is not None:
            m.emit(Hook.INDEX, node, proxy, via="range()")
            return List((), Concrete("int"))
    hosts = [builtin_types.to_host(a) for a in args]
    if all(isinstance(h, int) for h in hosts) and hosts:
        try:
            return builtin_types.from_host(range(*hosts))
        except (ValueError, TypeError):
            raise m.fail("ValueError", node) from None
    return List((), Concrete("int"))


# ---- sequences


def _sequence(name: str) -> Builtin:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        seq = m.iterate(args[0], node, via=f"{name}()") if args else Seq()
        if name == "tuple":
            return Tuple(seq.items, seq.tail)
        if name in ("set", "frozenset"):
            unique: dict[object, Value] = {}
            for value in seq.items:
                unique.setdefault(builtin_types.key_of(value), value)
            exact = all(builtin_types.is_exact_key(v) for v in seq.items)
            return List(
                unique.values() if exact else (),
                seq.tail if exact else join(*seq.every()) if list(seq.every()) else None,
                "set",
            )
        return List(seq.items, seq.tail)

    return run


def _dict(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    for source in args[:1]:
        for alternative in members(source):
            if isinstance(alternative, Proxy):
                m.emit(Hook.ITER, node, alternative, via="dict()")
                builtin_types.update_dict(m, made, UNKNOWN)
            elif isinstance(alternative, (List, Tuple, Generator)):
                builtin_types.add_pairs(m, made, m.iterate(alternative, node))
            else:
                builtin_types.update_dict(m, made, alternative)
    for key, content in kwargs.items():
        if key == functions.REST:
            builtin_types.update_dict(m, made, content)
        else:
            builtin_types.set_item(m, made, Const(key), content)
    return made


def _zip(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seqs = [m.iterate(a, node, via="zip()") for a in args]
    if not seqs:
        return List()
    known = min((len(s.items) for s in seqs if s.tail is None), default=max(len(s.items) for s in seqs))
    rows: list[Value] = []
    for position in range(known):
        row = [
            s.items[position] if position < len(s.items) else s.tail if s.tail is not None else UNKNOWN for s in seqs
        ]
        rows.append(Tuple(row))
    more = all(s.tail is not None for s in seqs)
    exact = any(s.tail is None for s in seqs)
    if more:
        tail = Tuple(join(*s.items[known:], s.tail) if s.tail is not None else UNKNOWN for s in seqs)
        return List(rows, tail)
    if exact and all(s.tail is None or len(s.items) >= known for s in seqs):
        return List(rows)
    sure = min(len(s.items) for s in seqs)
    return List(rows[:sure], join(*rows[sure:]) if rows[sure:] else None)


def _enumerate(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    seq = m.iterate(args[0], node, via="enumerate()") if args else Seq()
    start = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    base = start.value if isinstance(start, Const) and isinstance(start.value, int) else None
    rows = [Tuple((Const(base + i) if base is not None else Concrete("int"), v)) for i, v in enumerate(seq.items)]
    return List(rows, Tuple((Concrete("int"), seq.tail)) if seq.tail is not None else None)


def _reversed(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None:
        m.emit(Hook.LEN, node, proxy, subject=_argument(node), via="reversed()")
        return List((), Proxy("tensor"))
    seq = m.iterate(args[0], node, via="reversed()") if args else Seq()
    if seq.tail is None:
        return List(reversed(seq.items))
    return List((), join(*seq.every()))


def _map(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) < 2:
        return UNKNOWN
    rows = _zip(m, args[1:], {}, node) if len(args) > 2 else None
    seq = rows.seq if isinstance(rows, List) else m.iterate(args[1], node, via="map()")

    def apply(value: Value) -> Value:
        return m.call(
            args[0], list(value.seq.items) if rows is not None and isinstance(value, Tuple) else [value], {}, node
        )

    return Generator(
        lambda: Seq(
            [apply(v) for v in seq.items[:24]],
            apply(join(*seq.items[24:], seq.tail) if seq.tail is not None else join(*seq.items[24:]))
            if seq.tail is not None or seq.items[24:]
            else None,
        )
    )


def _filter(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) != 2:
        return UNKNOWN
    seq = m.iterate(args[1], node, via="filter()")
    kept: list[Value] = []
    unsure: list[Value] = []
    for value in seq.every():
        test = value if isinstance(args[0], Const) else m.call(args[0], [value], {}, node)
        answer = m.truth(test, node, Hook.BOOL_CALL, "filter()")
        if answer is None or (answer and value is seq.tail):
            unsure.append(value)
        elif answer:
            kept.append(value)
    return List(kept, join(*unsure) if unsure else None)


def _iter(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    seq = m.iterate(args[0], node, via="iter()")
    return List(seq.items, seq.tail)


def _next(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return UNKNOWN
    default = [args[1]] if len(args) > 1 else []
    proxy = may_be_proxy(args[0])
    if proxy is not None:
        m.emit(Hook.ITER, node, proxy, via="next()")
        return Proxy("tensor")
    if isinstance(args[0], List) and args[0].type_name == "list":
        if args[0].seq.items:
            return builtin_types.method(m, args[0], "pop", [Const(0)], {}, node)
        if args[0].seq.tail is not None:
            return join(args[0].seq.tail, *default)
        if default:
            return default[0]
        raise m.fail("StopIteration", node)
    seq = m.iterate(args[0], node, via="next()")
    if seq.items:
        return seq.items[0]
    if seq.tail is not None:
        return join(seq.tail, *default)
    return default[0] if default else UNKNOWN


# ---- text


def _str(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if not args:
        return Const("")
    proxy = may_be_proxy(args[0])
    if proxy is not None:
        m.emit(Hook.PRINT, node, proxy, subject=_argument(node), via="str()", effect=Effect.SILENT)
        return Concrete("str")
    host = builtin_types.to_host(args[0])
    if isinstance(args[0], Const):
        return Const(str(host))
    return Concrete("str")


def _print(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = next((p for p in map(may_be_proxy, args) if p), None)
    if proxy is not None:
        m.emit(Hook.PRINT, node, proxy, via="print()", effect=Effect.SILENT)
    return NONE


def _format(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    proxy = may_be_proxy(args[0]) if args else None
    if proxy is not None and len(args) > 1:
        m.emit(Hook.FORMAT, node, proxy, subject=_argument(node), via="format()")
    return Concrete("str")


# ---- objects


def _isinstance(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.isinstance_call(m, args, node)


def _issubclass(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 2 and isinstance(args[0], (Class, External)):
        answers = [classes.derives(m, args[0], c) for c in type_tests.flatten(args[1])]
        if any(answers):
            return TRUE
        if all(a is False for a in answers):
            return FALSE
    return Concrete("bool")


def _type(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.type_call(m, args, node) if len(args) == 1 else UNKNOWN


def _hasattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.hasattr_call(m, args, node)


def _getattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return type_tests.getattr_call(m, args, node)


def _setattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 3:
        for key in members(args[1]):
            if isinstance(key, Const) and isinstance(key.value, str):
                attributes.write(m, args[0], key.value, args[2], node)
            elif isinstance(args[0], Instance):
                nn_containers.adopt(m, args[0], args[2])
                args[0].dynamic = True
                spare = args[0].cells.get("<any>")
                m.heap.write(args[0], "<any>", join(args[2], spare) if isinstance(spare, Value) else args[2])
    return NONE


def _delattr(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if len(args) == 2 and isinstance(args[1], Const):
        attributes.delete(m, args[0], str(args[1].value))
    return NONE


def _callable(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    results: list[Value] = []
    for value in members(args[0]) if args else ():
        if isinstance(value, Proxy):
            m.emit(Hook.TYPE_TEST, node, value, subject=_argument(node), via="callable()", effect=Effect.SILENT)
            results.append(Const(True, definite=True))
        elif isinstance(value, (Function, Class, BoundMethod, NativeMethod, Partial, External)):
            results.append(TRUE)
        elif isinstance(value, Instance):
            answer = type_tests.is_instance(m, value, External("collections.abc.Callable"))
            results.append(Const(answer) if answer is not None else Concrete("bool"))
        elif isinstance(value, (Unknown, Concrete)):
            results.append(Concrete("bool"))
        else:
            results.append(FALSE)
    return join(*results) if results else Concrete("bool")


def _vars(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    if args and isinstance(args[0], Instance):
        return nn_modules.instance_dict(m, args[0])
    return UNKNOWN


def _locals(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    for name, value in m.frame.scope.cells.items():
        if isinstance(value, Value) and isinstance(name, str):
            builtin_types.set_item(m, made, Const(name), value)
    return made


def _globals(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Dict()
    scope = names.module_scope(m)
    for name in list(scope.cells):
        value = scope.cells[name]
        if isinstance(value, Value) and isinstance(name, str):
            made.cells[builtin_types.key_of(Const(name))] = (Const(name), names.force(m, scope, name, value))
    return made


def _property(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    setter = args[1] if len(args) > 1 else None
    return Descriptor("property", args[0], setter) if args else UNKNOWN


def _static(form: str) -> Builtin:
    def run(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
        return Descriptor(form, args[0]) if args else UNKNOWN

    return run


def _object(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    made = Instance(External("builtins.object"))
    made.settled = True
    return made


def _slice(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    from fxlint.interp.values import Slice

    if len(args) == 1:
        return Slice(NONE, args[0], NONE)
    return Slice(args[0], args[1], args[2] if len(args) > 2 else NONE) if len(args) >= 2 else UNKNOWN


def _import(m: Machine, args: Sequence[Value], kwargs: dict[str, Value], node: ast.AST) -> Value:
    return (
        modules.import_module(m, str(args[0].value), m.frame.module) if args and isinstance(args[0], Const) else UNKNOWN
    )


_TABLE: dict[str, Builtin] = {
    "len": _len,
    "int": _number("int", int),
    "float": _number("float", float),
    "round": _round,
    "divmod": _divmod,
    "abs": _abs,
    "pow": _pow,
    "bool": _bool,
    "any": _any_all("any"),
    "all": _any_all("all"),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "sum": _sum,
    "sorted": _sorted,
    "range": _range,
    "list": _sequence("list"),
    "tuple": _sequence("tuple"),
    "set": _sequence("set"),
    "frozenset": _sequence("frozenset"),
    "dict": _dict,
    "zip": _zip,
    "enumerate": _enumerate,
    "reversed": _reversed,
    "map": _map,
    "filter": _filter,
    "iter": _iter,
    "next": _next,
    "str": _str,
    "repr": _str,
    "ascii": _str,
    "print": _print,
    "format": _format,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "type": _type,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "setattr": _setattr,
    "delattr": _delattr,
    "callable": _callable,
    "vars": _vars,
    "locals": _locals,
    "globals": _globals,
    "property": _property,
    "staticmethod": _static("staticmethod"),
    "classmethod": _static("classmethod"),
    "object": _object,
    "slice": _slice,
    "__import__": _import,
}

from fxlint.interp import (  # noqa: E402
    attributes,
    builtin_types,
    classes,
    functions,
    modules,
    names,
    nn_containers,
    nn_modules,
    operators,
    type_tests,
)
