"""Which calls a trace must see, and what it does with them.

`callee` hands back the function itself unless it is in the tables below: conversions and built-in functions
that decide or lose something, NumPy's functions (each one operation), random draws, the clock and other
outside state, output, caches, and code of other libraries, which becomes one opaque operation.
"""

from __future__ import annotations

import builtins
import cmath
import datetime as dt
import functools
import io
import logging
import math
import os
import pathlib
import platform
import pprint
import random
import secrets
import socket
import sys
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from .effects import HOOKS, is_workspace, stored
from .events import Cached, Change, Instruction, Opaque, Origin, Output, RawMemory, Source, Unsupported
from .recorder import CURRENT, Recorder, site
from .values import (
    Traced,
    TracedArray,
    TracedRange,
    TracedScalar,
    TracedShape,
    TracedText,
    apply,
    decide,
    holds_traced,
    length,
    lift_constant,
    origins_of,
    raw,
    scalar_operation,
)

_Call = Callable[..., Any]
_DISPATCHER = type(np.sum)
_CACHE = type(functools.lru_cache(lambda: None))
_READING = frozenset(
    {
        "get",
        "items",
        "keys",
        "values",
        "index",
        "count",
        "copy",
        "__len__",
        "__contains__",
        "__iter__",
        "union",
        "intersection",
        "difference",
        "issubset",
        "issuperset",
        "isdisjoint",
    }
)
_MUTABLE = (list, dict, set, deque, bytearray)


def callee(function: Any, recorder: Recorder) -> Any:
    """What stands in for `function` in a call, while a trace is on."""
    kind = type(function)
    if kind is FunctionType:
        if HOOKS in function.__globals__ and not hasattr(function, "__nst_nonstrict__"):
            return function
        return _python_function(function)
    if kind is BuiltinFunctionType or kind is type:
        found = _TABLE.get(function)
        if found is not None:
            return partial(found, function)
        return _numpy_or_library(function)
    if kind is np.ufunc or kind is _DISPATCHER:
        return partial(_TABLE.get(function, _primitive), function)
    if kind is partial and not isinstance(function.func, Traced) and function.func is not _primitive:
        return (
            partial(callee(function.func, recorder), *function.args, **function.keywords)
            if _is_plain_partial(function)
            else function
        )
    if kind is _CACHE:
        return partial(_cached, function)
    if kind is MethodType:
        return container_method(function.__self__, function.__name__, function, recorder)
    return function if is_workspace(sys.modules.get(kind.__module__)) else _numpy_or_library(function)


def _is_plain_partial(function: Any) -> bool:
    return (
        getattr(function.func, "__module__", None) != __name__
        and getattr(function.func, "__module__", "") != "tracer.values"
    )


def _python_function(function: FunctionType) -> Any:
    found = _TABLE.get(function)
    if found is not None:
        return partial(found, function)
    if hasattr(function, "__nst_nonstrict__"):
        return partial(_vouched, function)
    return _numpy_or_library(function)


def _numpy_or_library(function: Any) -> Any:
    """NumPy's own callables are operations; other libraries' are opaque; the standard library's are as they are."""
    module = str(getattr(function, "__module__", None) or type(function).__module__)
    top = module.split(".", maxsplit=1)[0]
    if top == "numpy":
        if isinstance(function, type) and issubclass(function, BaseException):
            return function
        if module.startswith("numpy.random"):
            return partial(_random, function)
        if isinstance(function, type) and not issubclass(
            function, (np.generic, np.dtype, np.ndarray, np.finfo, np.iinfo)
        ):
            return partial(_numpy_object, function)
        return partial(_primitive, function)
    if (
        not top
        or top in sys.stdlib_module_names
        or top == "__main__"
        or is_workspace(sys.modules.get(module))
        or _is_ours(module)
    ):
        return function
    return partial(_opaque, function)


def _is_ours(module: str) -> bool:
    return module.split(".", maxsplit=1)[0] == __name__.split(".")[0]


def _primitive(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    """One operation of the graph."""
    for arg in args:
        if callable(arg) and isinstance(arg, (FunctionType, partial, MethodType)):
            return _with_callback(function, args, kwargs)
    return apply(function, args, kwargs or None, sys._getframe(1))


def _with_callback(function: _Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A NumPy function that calls back: what the callback does is inside the one node."""
    frame = sys._getframe(2)
    recorder = CURRENT.get()
    assert recorder is not None
    for arg in args:
        cells = [c.cell_contents for c in getattr(arg, "__closure__", None) or ()]
        if any(holds_traced(c) for c in cells):
            recorder.emit(
                Unsupported(
                    site(frame), f"a callback of {_spell(function)} that uses traced values of the function around it"
                )
            )
    return apply(suspended(function), args, kwargs or None, frame)


class suspended:  # noqa: N801  # used like a function: it wraps one, and compares as the one it wraps
    """`function`, run with no trace on."""

    __slots__ = ("function", "__name__")

    def __init__(self, function: _Call) -> None:
        self.function = function
        self.__name__ = getattr(function, "__name__", repr(function))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        token = CURRENT.set(None)
        try:
            return self.function(*args, **kwargs)
        finally:
            CURRENT.reset(token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, suspended) and other.function == self.function

    def __hash__(self) -> int:
        return hash(self.function)


def _vouched(function: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    """A function its author vouches for: one collapsed node."""
    return apply(suspended(function), args, kwargs or None, sys._getframe(1))


def _opaque(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Code of another library: one node where arrays go in or come out."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return function(*args, **kwargs)
    if not (holds_traced(args) or holds_traced(kwargs)):
        result = function(*args, **kwargs)
        return apply(suspended(function), args, kwargs or None, frame) if isinstance(result, np.ndarray) else result
    result = apply(suspended(function), args, kwargs or None, frame)
    recorder.emit(Opaque(site(frame), recorder.nodes[-1], _spell(function)))
    return result


def _numpy_object(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A helper object of NumPy (`nditer`, `poly1d`, `errstate`): made from plain values."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is not None and (holds_traced(args) or holds_traced(kwargs)):
        recorder.emit(Unsupported(site(frame), _spell(function)))
    return function(*raw(args), **raw(kwargs))


def _spell(function: Any) -> str:
    """A function's dotted name, as a user would write it."""
    module = getattr(function, "__module__", None) or type(function).__module__
    name = str(getattr(function, "__qualname__", None) or getattr(function, "__name__", type(function).__name__))
    return name if module == "builtins" else f"{module}.{name}"


# ---- conversions and built-in functions ------------------------------------------------------------


def _len(function: _Call, value: Any, /) -> Any:
    if type(value) is TracedArray:
        return length(value, sys._getframe(1))
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if type(value) is TracedShape:
        return TracedScalar(len(value), None, frozenset({Source(Origin.TYPE, "the number of dimensions", site(frame))}))
    holder = recorder.holder(value) if recorder is not None else None
    if holder is not None:
        origin = Origin.ARGUMENT if holder.argument else Origin.HIDDEN
        return TracedScalar(
            len(value),
            None,
            frozenset({Source(origin, f"len({holder.label})", site(frame), value, len(value), quiet=holder.quiet)}),
        )
    return len(value)


def _memory(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    """`memoryview`, `bytes`, `bytearray`: an array's memory as it is."""
    recorder = CURRENT.get()
    if recorder is not None and args and type(args[0]) is TracedArray:
        recorder.emit(RawMemory(site(sys._getframe(1)), f"{function.__name__}()"))
    return function(*raw(args), **raw(kwargs))


def _number(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    """`int`, `float`, `complex`, `bool`, `round`, `abs`, `divmod`, `pow` and the functions of `math`."""
    if any(type(a) in (TracedArray, TracedScalar, TracedText) for a in args):
        if any(type(a) is TracedArray for a in args):
            return apply(function, args, kwargs or None, sys._getframe(1))
        return scalar_operation(partial(function, **kwargs) if kwargs else function, args, sys._getframe(1))
    return function(*args, **kwargs)


def _extremum(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    """`max` and `min`: one node over traced numbers; with a key, a decision."""
    frame = sys._getframe(1)
    if len(args) == 1 and not isinstance(args[0], (list, tuple)) and type(args[0]) is not TracedArray:
        args = (list(args[0]),)
    if not holds_traced(args):
        return function(*args, **kwargs)
    if "key" in kwargs and kwargs["key"] is not None:
        return _chosen(function, args, kwargs)
    if type(args[0]) is TracedArray or any(_has_node(a) for a in (args[0] if len(args) == 1 else args)):
        return apply(function, args, kwargs or None, frame)
    return scalar_operation(function, args if len(args) > 1 else tuple(args[0]), frame)


def _has_node(value: Any) -> bool:
    return isinstance(value, Traced) and type(value) in (TracedArray, TracedScalar) and value.node is not None


def _chosen(function: _Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    items = list(args[0]) if len(args) == 1 else list(args)
    keys = [kwargs["key"](v) for v in items]
    best = function(range(len(items)), key=lambda i: raw(keys[i]))
    decide(TracedScalar(True, None, frozenset().union(*(origins_of(k) for k in keys))), sys._getframe(2))
    return items[best]


def _sorted(function: _Call, iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    frame = sys._getframe(1)
    items = [iterable[i] for i in range(len(iterable.value))] if type(iterable) is TracedArray else list(iterable)
    keys = items if key is None else [key(v) for v in items]
    origins = frozenset().union(*(origins_of(k) for k in keys)) if keys else frozenset()
    if not origins:
        return sorted(items, key=key, reverse=reverse)
    decide(TracedScalar(True, None, origins), frame)
    order = sorted(range(len(items)), key=lambda i: raw(keys[i]), reverse=bool(raw(reverse)))
    return [items[i] for i in order]


def _quantifier(function: _Call, iterable: Any, /) -> Any:
    """`any` and `all`: of an array one node; of other things each truth is decided in turn."""
    frame = sys._getframe(1)
    if type(iterable) is TracedArray:
        return apply(function, (iterable,), None, frame)
    stop = function is any
    for value in iterable:
        truth = decide(value, frame) if type(value) in (TracedArray, TracedScalar) else bool(value)
        if truth is stop:
            return stop
    return not stop


def _sum(function: _Call, iterable: Any, /, *args: Any, **kwargs: Any) -> Any:
    if type(iterable) is TracedArray:
        return apply(function, (iterable, *args), kwargs or None, sys._getframe(1))
    return function(iterable, *args, **kwargs)


def _range(function: _Call, /, *args: Any) -> Any:
    if any(type(a) is TracedScalar for a in args):
        return TracedRange(args, sys._getframe(1))
    return range(*args)


def _type(function: _Call, /, *args: Any) -> Any:
    if len(args) != 1:
        return type(*args)
    value, recorder, frame = args[0], CURRENT.get(), sys._getframe(1)
    if isinstance(value, Traced) and recorder is not None and type(value) in (TracedArray, TracedScalar):
        kind = type(value.value)
        recorder.recent.append((frame.f_code, kind, Source(Origin.TYPE, "the class", site(frame), quiet=True)))
        del recorder.recent[:-4]
        return kind
    if type(value) in (TracedText, TracedRange, TracedShape):
        return {TracedText: str, TracedRange: range, TracedShape: tuple}[type(value)]
    return type(value)


def _isinstance(function: _Call, value: Any, kind: Any, /) -> Any:
    outcome = isinstance(value, kind)
    if type(value) in (TracedArray, TracedScalar):
        return TracedScalar(
            outcome, None, frozenset({Source(Origin.TYPE, "the class", site(sys._getframe(1)), quiet=True)})
        )
    return outcome


def _to_text(function: _Call, /, *args: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is None or not args or not holds_traced(args):
        return function(*args)
    return TracedText.of(_muted(recorder, function, args, {}), origins_of(args[0]))


def _muted(recorder: Recorder, function: _Call, args: Any, kwargs: Any) -> Any:
    """Call `function` without noting what it formats and compares."""
    recorder.muted += 1
    try:
        return function(*args, **kwargs)
    finally:
        recorder.muted -= 1


def _getattr(function: _Call, owner: Any, name: str, /, *default: Any) -> Any:
    from .hooks import member_of

    try:
        return member_of(owner, raw(name), sys._getframe(1))
    except AttributeError:
        if default:
            return default[0]
        raise


def _setattr(function: _Call, owner: Any, name: str, /, *value: Any) -> None:
    recorder = CURRENT.get()
    if recorder is not None and not isinstance(owner, Traced):
        stored(recorder, owner, raw(name), Change.ATTRIBUTE, sys._getframe(1))
    function(owner, raw(name), *value)


# ---- output, randomness, the outside ---------------------------------------------------------------


def _output(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is None:
        return function(*args, **kwargs)
    recorder.emit(Output(site(sys._getframe(1)), _spell(function)))
    return _muted(recorder, function, args, kwargs)


def _random(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    return _frozen(Origin.RANDOM, function, args, kwargs, sys._getframe(1))


def _environment(function: _Call, /, *args: Any, **kwargs: Any) -> Any:
    return _frozen(Origin.ENVIRONMENT, function, args, kwargs, sys._getframe(1))


def _frozen(origin: Origin, function: _Call, args: Any, kwargs: Any, frame: Any) -> Any:
    """A value that the outside gave: it is constant in the graph, and knows where it came from."""
    recorder = CURRENT.get()
    if recorder is None:
        return function(*args, **kwargs)
    targets = (
        [a for a in args if type(a) is TracedArray]
        if getattr(function, "__name__", "") in ("shuffle", "permuted")
        else []
    )
    result = function(*raw(args), **raw(kwargs))
    source = Source(origin, f"{_spell(function)}()", site(frame), None, result)
    for target in targets:
        _, node = recorder.capture(target.value.copy(), source, Instruction(frame.f_code, frame.f_lasti))
        apply(np.copyto, (target, TracedArray(node.args[0], node)), None, frame)
    return _with_origin(result, source, recorder, frame)


def _with_origin(result: Any, source: Source, recorder: Recorder, frame: Any) -> Any:
    if isinstance(result, np.ndarray):
        mine, node = recorder.capture(result, source, Instruction(frame.f_code, frame.f_lasti))
        return TracedArray(mine, node)
    if type(result) in (list, tuple):
        return type(result)(_with_origin(r, source, recorder, frame) for r in result)
    return lift_constant(result, frozenset({source}))


def _cached(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call through `lru_cache`: the function is run anew, so that the graph has its operations."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return function(*args, **kwargs)
    mark = len(recorder.nodes)
    result = function.__wrapped__(*args, **kwargs)
    if holds_traced(result) or holds_traced(args) or holds_traced(kwargs) or len(recorder.nodes) > mark:
        recorder.emit(Cached(site(frame), getattr(function, "__name__", "the cached function"), False))
    return result


# ---- methods ---------------------------------------------------------------------------------------


def container_method(owner: Any, name: str, found: Any, recorder: Recorder) -> Any:
    """The callee of a method of something that is no traced value."""
    if isinstance(owner, np.ufunc):
        return partial(_primitive, found)
    if isinstance(owner, (np.random.Generator, np.random.RandomState, random.Random)):
        return partial(_random, found)
    if isinstance(owner, _MUTABLE):
        holder = recorder.holder(owner)
        return found if holder is None else partial(_held, owner, name, found, holder.argument)
    if isinstance(owner, str):
        return partial(_text_method, found) if name in ("format", "join") else found
    if isinstance(owner, io.IOBase) or owner in (sys.stdout, sys.stderr):
        return partial(_output if name in ("write", "writelines", "print") else _environment, found)
    if isinstance(owner, (logging.Logger, logging.LoggerAdapter)):
        return partial(_output, found)
    if owner is os.environ or (
        isinstance(owner, pathlib.Path) and name.startswith(("read", "exists", "is_", "stat", "iterdir", "glob"))
    ):
        return partial(_environment, found)
    if isinstance(owner, pathlib.Path) and name.startswith("write"):
        return partial(_output, found)
    if isinstance(owner, type) and issubclass(owner, dt.date) and name in ("now", "today", "utcnow"):
        return partial(_environment, found)
    if isinstance(owner, np.ndarray) and type(owner) is np.ndarray:
        return partial(_primitive, getattr(np.ndarray, name), owner) if hasattr(np.ndarray, name) else found
    if isinstance(found, MethodType):
        inner = found.__func__
        if isinstance(inner, FunctionType) and HOOKS in inner.__globals__:
            return found
        if type(inner) is _CACHE:
            return partial(_cached_method, found)
        return found if callee(inner, recorder) is inner else partial(_opaque, found)
    return found


def _cached_method(found: Any, /, *args: Any, **kwargs: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is not None:
        recorder.emit(Cached(site(sys._getframe(1)), found.__name__, False))
    return found.__func__.__wrapped__(found.__self__, *args, **kwargs)


def _text_method(found: Any, /, *args: Any, **kwargs: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is None or not (holds_traced(args) or holds_traced(kwargs)):
        return found(*args, **kwargs)
    text = _muted(recorder, found, args, kwargs)
    return TracedText.of(text, frozenset().union(*(origins_of(a) for a in (*args, *kwargs.values()))))


def _held(owner: Any, name: str, found: Any, argument: bool, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a container that was there before the trace: it may change it, or read from it."""
    from .hooks import hidden

    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return found(*args, **kwargs)
    if name not in _READING:
        stored(recorder, owner, name, Change.METHOD, frame)
    if isinstance(owner, dict) and args and isinstance(args[0], TracedText):
        args = (raw(args[0]), *args[1:])
    result = found(*args, **kwargs)
    holder = recorder.holder(owner)
    if argument or holder is None or isinstance(result, (Traced, TracedText)):
        return result
    if name in ("items", "values"):
        pairs = [
            (k, hidden(recorder, v, f"{holder.label}[{k!r}]", frame, holder=owner, quiet=holder.quiet))
            for k, v in owner.items()
        ]
        return pairs if name == "items" else [v for _, v in pairs]
    if name in ("get", "pop", "popleft", "popitem", "setdefault", "index", "count"):
        return hidden(
            recorder,
            result,
            f"{holder.label}.{name}({', '.join(map(repr, raw(args)))})",
            frame,
            holder=owner,
            quiet=holder.quiet,
        )
    return result


# ---- the table -------------------------------------------------------------------------------------


def _all(module: ModuleType, *names: str) -> list[Any]:
    return [getattr(module, n) for n in names if hasattr(module, n)]


def _table() -> dict[Any, _Call]:
    """Function to stand-in, keyed by the functions themselves."""
    numbers = [int, float, complex, bool, round, abs, divmod, pow]
    numbers += [f for m in (math, cmath) for f in vars(m).values() if callable(f) and not isinstance(f, type)]
    clock = _all(
        time,
        "time",
        "time_ns",
        "perf_counter",
        "perf_counter_ns",
        "monotonic",
        "monotonic_ns",
        "process_time",
        "process_time_ns",
        "thread_time",
        "ctime",
        "localtime",
        "gmtime",
        "asctime",
        "strftime",
    )
    outside = [
        *clock,
        os.getenv,
        os.getpid,
        os.getcwd,
        os.urandom,
        os.listdir,
        os.path.exists,
        os.path.getsize,
        os.path.getmtime,
        os.cpu_count,
        input,
    ]
    outside += [
        uuid.uuid1,
        uuid.uuid4,
        socket.gethostname,
        *_all(secrets, "token_bytes", "token_hex", "randbelow", "choice", "randbits"),
    ]
    outside += _all(platform, "node", "system", "machine", "platform", "python_version", "processor")
    outside += [np.load, np.loadtxt, np.genfromtxt, np.fromfile, np.memmap]
    draws = [getattr(random, n) for n in random.__all__ if n[0].islower() and n not in ("seed", "getstate", "setstate")]
    output = [print, warnings.warn, pprint.pprint, pprint.pp, np.save, np.savetxt, np.savez, np.savez_compressed]
    output += [
        f
        for n, f in vars(logging).items()
        if n in ("debug", "info", "warning", "error", "critical", "exception", "log")
    ]
    return {
        **dict.fromkeys(numbers, _number),
        **dict.fromkeys(outside, _environment),
        **dict.fromkeys(draws, _random),
        **dict.fromkeys(output, _output),
        len: _len, max: _extremum, min: _extremum, sorted: _sorted, any: _quantifier, all: _quantifier,
        sum: _sum, range: _range, type: _type, isinstance: _isinstance, str: _to_text, repr: _to_text,
        format: _to_text, memoryview: _memory, bytes: _memory, bytearray: _memory, getattr: _getattr,
        setattr: _setattr, builtins.delattr: _setattr,
    }  # fmt: skip


_TABLE = _table()
