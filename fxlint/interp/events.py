"""Events: what a Proxy (or the trace) met at one place.

The interpreter emits events and goes on; rules name them. A hook is the question Python asks of a value, in torch.fx's
own terms, so that each one can be checked against torch by a test.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from fxlint.model.finding import Effect


class Hook(enum.Enum):
    """Where Python, torch or the trace itself asks something of a value that fx cannot answer truthfully."""

    # Questions that raise (FX1).
    BRANCH = "branch"  # if, while, ternary, match literal, comprehension filter
    ASSERT = "assert"
    BOOLOP = "boolop"  # and, or, not, chained comparison, `in`
    BOOL_CALL = "bool-call"  # bool(), any, all, min, max, sorted, filter: a truth value asked for by a callee
    ITER = "iter"  # for, comprehension, list(), tuple(), zip, sum, unpack with a star on the left
    STAR = "star"  # f(*x), f(**x), [*x], {**x}
    LEN = "len"
    NUMBER = "number"  # int(), float(), round(), divmod(), complex(), math aliases: a real number is needed
    INDEX = "index"  # range, list and ModuleList index: __index__ is needed
    FORMAT = "format"  # format spec, %d
    SLICE_REAL = "slice-real"  # a real tensor (buffer) sliced by a Proxy
    SIZE_ARG = "size-arg"  # zeros(n, 4), buf.expand(n, 4): a leading Proxy in C varargs
    TENSOR_DATA = "tensor-data"  # torch.tensor([p]), as_tensor(p), LongTensor([p])
    SETITEM = "setitem"  # p[i] = v, p[i] += v
    DELITEM = "delitem"
    NUMPY = "numpy"
    FOREIGN = "foreign"  # a callable that cannot take a Proxy (pack_padded_sequence, finfo, C extensions)
    API = "api"  # torch.cond, _check, vmap, functional_call, unbound Tensor methods
    COMPILED = "compiled"  # a compiled or scripted callee
    DICT_KEY = "dict-key"  # d[p]: hashed by identity, so it misses
    RAISE = "raise"  # a raise, or a wrong arity, that a definite answer makes certain
    ARGUMENT = "argument"  # set, generator, callable or plain object passed to a traced call
    RETURN = "return"  # set, generator, plain object, dict keyed by a Proxy returned from the root
    UNREGISTERED_MODULE = "unregistered-module"
    UNREGISTERED_PARAMETER = "unregistered-parameter"
    LEAF_LOST = "leaf-lost"  # a subclass (or bare root) of a torch module whose forward refuses
    SIGNATURE = "signature"  # forward(*args) wrapper without wraps, Tensor default
    BAD_ROOT = "bad-root"  # DataParallel, scripted, coroutine or generator forward
    WRAP_MISUSE = "wrap-misuse"  # fx.wrap inside a class or function, or of a non-name

    # Answers that are wrong, and effects that are lost (FX2, FX3).
    TYPE_TEST = "type-test"  # isinstance, type(), is_tensor, match class/sequence, callable
    IDENTITY = "identity"  # p.dtype is ..., p is CONST
    NONE_TEST = "none-test"  # `is None` on an optional parameter of a root
    ATTR_TEST = "attr-test"  # hasattr(p, ...), getattr(p, n, default)
    MEMBERSHIP = "membership"  # p in {set}, p in dict
    TRAINING = "training"
    RANDOM = "random"  # random numbers or time frozen in the graph
    CONTEXT = "context"  # no_grad, autocast ... dropped
    INPLACE = "inplace"  # x += 1 becomes out of place; in-place results lost
    PROXY_SETATTR = "proxy-setattr"  # y.data = ..., y.requires_grad = ...
    CONSTANT_MUTATED = "constant-mutated"  # in-place on a tensor built in forward
    STATE = "state"  # counters, caches, globals, buffers written while tracing
    BUFFER_FOLDED = "buffer-folded"
    BUFFER_BRANCH = "buffer-branch"
    SWALLOWED = "swallowed"  # try/except hides a trace failure
    ARITY = "arity"  # unpacking no longer checks the length
    NUMPY_SCALAR = "numpy-scalar"  # np.sqrt(c) becomes source text np.float64(...); np.prod(p.shape)
    COPY = "copy"  # copy.deepcopy(p)
    OUT_ARG = "out-arg"
    PRINT = "print"  # str(p), print, logging: runs at trace time only
    ROOT_HOOK = "root-hook"
    ROOT_CALL = "root-call"  # __call__ overridden, forward assigned on the instance
    GETATTR_NO_SUPER = "getattr-no-super"
    STATE_DICT = "state-dict"  # parameters reached past the Proxy: state_dict(), parameters()
    AUTOGRAD_FUNCTION = "autograd-function"
    CHECKPOINT = "checkpoint"
    WRAP_TORCH = "wrap-torch"  # fx.wrap of a torch function poisons the process
    FX_TRACING = "fx-tracing"  # is_fx_tracing() and friends
    GLOBAL_READ = "global-read"  # a module global that some function rebinds, baked


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A place in `ast` units: 1-based lines, 0-based UTF-8 byte columns, end exclusive."""

    path: str
    line: int
    col: int
    end_line: int
    end_col: int


@dataclass(frozen=True, slots=True)
class RawStep:
    """A link of the chain, in `ast` units."""

    at: RawSpan
    message: str


@dataclass(frozen=True, slots=True)
class Event:
    """One hook reached at one place.

    `subject` is the source text of the operand, `flavour` what kind of Proxy it is ("tensor", "size", "int", "dtype",
    "device", "bool", "input", "parameter" …), `via` the construct that asked ("if", "while", "min()", "zeros" …),
    `detail` further words for the message. `chain` leads from the root's parameter to this place. `condition` is the
    text of the innermost undecided test. `param` names the root parameter that the value is, when it is one.
    """

    hook: Hook
    effect: Effect
    at: RawSpan
    subject: str
    via: str = ""
    flavour: str = "tensor"
    detail: str = ""
    chain: tuple[RawStep, ...] = ()
    condition: str | None = None
    symbol: str = ""
    root: str = ""
    param: str = ""
    low_confidence: bool = False
