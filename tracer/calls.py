"""Which calls a trace must see, and what stands in for their callees.

`callee` hands back the function itself unless a trace must see its call: built-in functions that decide or lose
something (`standins`), NumPy's functions (each one operation), random draws, output and other dealings with the
outside (`outside`), caches, and code of other libraries, which becomes one opaque operation.
"""

from __future__ import annotations

import functools
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import (
    BuiltinFunctionType,
    CellType,
    FrameType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from . import libraries
from .addresses import address
from .attributes import LOOK_UP
from .effects import is_workspace, stored
from .events import Cached, Change, Opaque, Origin, Source, Unsupported
from .hidden import entries, from_outside, hidden
from .instructions import instruction
from .libraries import HOOKS
from .operations import apply
from .outside import OUTSIDE, draw, method_of, spell
from .passages import Passage
from .recorder import CURRENT, Recorder, site, user_frame
from .standins import STAND_INS, muted, sort
from .telling import decide, lose, plain
from .traced import TracedArray, TracedScalar, TracedText, holds_traced, origins_of, raw, traced_in
from .writers import Writer, writer_by_name

Function = Callable[..., Any]
_TABLE: dict[Any, Function] = {**STAND_INS, **OUTSIDE}
_UFUNC = np.ufunc
_DISPATCHER = type(np.sum)
_CACHE = type(functools.lru_cache(lambda: None))
_MUTABLE = (list, dict, set, deque, bytearray)
_READING = frozenset({
    "get", "items", "keys", "values", "index", "count", "copy", "__len__", "__contains__", "__iter__", "union",
    "intersection", "difference", "issubset", "issuperset", "isdisjoint",
})  # fmt: skip
_KNOWN: dict[Any, Any] = {}
"""Stand-ins of NumPy's functions that were met already."""
_OWN = __name__.split(".", maxsplit=1)[0]


def callee(function: Any, recorder: Recorder) -> Any:
    """What stands in for `function` in a call, while a trace is on."""
    kind = type(function)
    if recorder.library is not None:
        found = recorder.library.callee(function, recorder)
        if found is not None:
            return found
        promised = recorder.library.promised(function)
        if promised is not None:
            recorder.promised.add(promised)
    if kind is FunctionType:
        if HOOKS in function.__globals__ and not hasattr(function, "__nst_nonstrict__"):
            return function
        return _python_function(function)
    if kind is _UFUNC or kind is _DISPATCHER:
        known = _KNOWN.get(function)
        if known is None:
            known = _KNOWN[function] = _known_callee(function)
        return known
    if kind is type or kind is BuiltinFunctionType:
        found = _TABLE.get(function)
        if found is not None:
            return partial(found, function)
        if kind is BuiltinFunctionType and not isinstance(function.__self__, (ModuleType, type(None))):
            return method_callee(function.__self__, function.__name__, function, recorder)
        return _by_module(function)
    if kind is partial:
        inner = callee(function.func, recorder) if type(function.func) is not partial else function.func
        return partial(inner, *function.args, **function.keywords) if inner is not function.func else function
    if kind is _CACHE:
        return partial(_cached, function)
    if kind is Passage:
        return partial(_TABLE.get(function, _on_plain_values), function)
    if kind is MethodDescriptorType and issubclass(function.__objclass__, (np.ndarray, np.generic)):
        return partial(primitive, function)
    if kind is MethodType:
        return method_callee(function.__self__, function.__name__, function, recorder)
    call = getattr(kind, "__call__", None)  # noqa: B004  # wanted is the function, not whether there is one
    users = isinstance(call, FunctionType) and HOOKS in call.__globals__
    return function if users or is_workspace(sys.modules.get(kind.__module__)) else _by_module(function)


def _known_callee(function: Any) -> Function:
    """What stands in for a ufunc or another of NumPy's own functions."""
    made = _TABLE.get(function)
    if made is not None:
        return partial(made, function)
    if type(function) is _UFUNC:
        return operation(function)
    writer = writer_by_name(function)
    return partial(primitive, function) if writer is None else partial(_writing, function, writer)


def _python_function(function: FunctionType) -> Any:
    found = _TABLE.get(function)
    if found is not None:
        return partial(found, function)
    if hasattr(function, "__nst_nonstrict__"):
        return partial(_vouched, function)
    return _by_module(function)


def _by_module(function: Any) -> Any:
    """NumPy's own callables are operations; other libraries' are opaque; the standard library's are as they are."""
    module = str(getattr(function, "__module__", None) or type(function).__module__)
    top = module.split(".", maxsplit=1)[0]
    if isinstance(function, np.vectorize):
        return partial(_with_callback, function)
    if top == "numpy":
        return _numpy_callable(function, module)
    if is_workspace(sys.modules.get(module)) or top in ("", "__main__", _OWN):
        return function
    if top.lstrip("_") in _CHANGING:
        return partial(_on_container, function)
    if top in sys.stdlib_module_names:
        return function if top.lstrip("_") in _GENERIC else partial(_on_plain_values, function)
    return partial(opaque, function)


def _numpy_callable(function: Any, module: str) -> Any:
    if isinstance(function, type) and issubclass(function, BaseException):
        return function
    if module.startswith("numpy.ma"):
        return partial(opaque, function)
    if type(function).__hash__ is None:
        return partial(_numpy_object, function)  # a polynomial: an object that can be called
    if module.startswith("numpy.random"):
        return partial(draw, function)
    if module.startswith("numpy.testing"):
        return partial(_assertion, function)
    writer = writer_by_name(function)
    if writer is not None:
        return partial(_writing, function, writer)
    if isinstance(function, type) and not issubclass(function, _ARRAY_CLASSES):
        return partial(_numpy_object, function)
    return partial(primitive, function)


_ARRAY_CLASSES = (np.generic, np.dtype, np.ndarray, np.finfo, np.iinfo)


_GENERIC = frozenset({
    "builtins", "functools", "itertools", "operator", "copy", "collections", "contextlib", "dataclasses", "enum",
    "types", "typing", "abc", "heapq", "bisect", "inspect", "unittest", "threading", "concurrent", "asyncio",
})  # fmt: skip
"""Modules of the standard library that hand values on as they are: traced ones may go through them."""


_CHANGING = frozenset({"heapq", "bisect", "operator"})
"""Modules of the standard library whose functions may change a container they are given."""


def _on_container(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A function that may change its first argument."""
    recorder = CURRENT.get()
    if recorder is not None and args and isinstance(args[0], _MUTABLE):
        stored(recorder, args[0], function.__name__, Change.METHOD, sys._getframe(1), holds_traced(args[1:]))
        if not any(v.node is not None for v in traced_in(args)):
            return muted(recorder, function, args, kwargs)  # numbers that are constant: their order is, too
    return function(*args, **kwargs)


def _on_plain_values(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A function of the standard library that wants real numbers and lists gets them, and that is noted."""
    frame = sys._getframe(1)
    for value in traced_in((args, kwargs)):
        lose(value, spell(function), frame)
    return function(*raw(args), **raw(kwargs))


# ---- operations ------------------------------------------------------------------------------------


def operation(function: np.ufunc) -> Function:
    """What stands in for a ufunc: nothing that it is given is called back."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return apply(function, args, kwargs or None, sys._getframe(1))

    return call


def primitive(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """One operation of the graph."""
    for arg in args:
        if type(arg) in _CALLBACKS:
            return _with_callback(function, *args, **kwargs)
        if type(arg) is GeneratorType:
            args = tuple(list(a) if type(a) is GeneratorType else a for a in args)
    return apply(function, args, kwargs or None, sys._getframe(1))


_CALLBACKS = frozenset({FunctionType, partial, MethodType})


def _with_callback(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A NumPy function that calls back: what the callback does is inside the one node."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    called = [getattr(function, "pyfunc", None), *args]
    for cell in (c for f in called for c in getattr(f, "__closure__", None) or ()):
        if recorder is not None and holds_traced(cell.cell_contents):
            what = f"a callback of {spell(function)} that uses traced values of the function around it"
            recorder.emit(Unsupported(site(frame), what))
    return apply(Suspended(function), args, kwargs or None, frame)


class Suspended:
    """`function`, run with no trace on; equal to another of the same function."""

    __slots__ = ("__name__", "function")

    def __init__(self, function: Function) -> None:
        self.function = function
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        token = CURRENT.set(None)
        try:
            return self.function(*args, **kwargs)
        finally:
            CURRENT.reset(token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Suspended) and bool(other.function == self.function)

    def __hash__(self) -> int:
        unhashable = type(self.function).__hash__ is None
        return id(self.function) if unhashable else hash(self.function)


class Closing(Suspended):
    """`function`, run with no trace on and other values in what it holds: the first argument has those of `places`."""

    __slots__ = ("inner", "places")

    def __init__(self, function: Function, places: tuple[_Place, ...]) -> None:
        super().__init__(self._closed)
        self.inner = function
        self.places = places
        self.__name__ = getattr(function, "__name__", type(function).__name__)

    def _closed(self, contents: tuple[Any, ...], /, *args: Any, **kwargs: Any) -> Any:
        before = [_held_in(place) for place in self.places]
        try:
            for place, value in zip(self.places, contents, strict=True):
                _hold_in(place, value)
            return self.inner(*args, **kwargs)
        finally:
            for place, value in zip(self.places, before, strict=True):
                _hold_in(place, value)


_Place = CellType | libraries.Entry
"""Where code that is not seen into finds a value besides its arguments."""


def _held_in(place: _Place) -> Any:
    return place.cell_contents if isinstance(place, CellType) else place.space[place.name]


def _hold_in(place: _Place, value: Any) -> None:
    if isinstance(place, CellType):
        place.cell_contents = value
    else:
        place.space[place.name] = value


def _told_apart(places: Iterable[_Place]) -> dict[Any, _Place]:
    """Each place once, by what tells it apart: cells cannot be hashed."""
    return {id(p) if isinstance(p, CellType) else (id(p.space), p.name): p for p in places}


def _contents(recorder: Recorder, place: _Place, frame: FrameType) -> Any:
    """What a place holds, a module's parameter as what it is in the trace."""
    held = _held_in(place)
    if isinstance(place, CellType) or holds_traced(held) or recorder.library is None:
        return held
    known = recorder.library.known(recorder, held, instruction(user_frame(frame) or frame))
    return held if known is None else TracedArray(*known)


def _places(value: Any, depth: int = 6) -> Iterator[_Place]:
    """The closure cells with traced values of functions in a value, and where its modules keep tensors.

    Functions and modules in the closures of these, and the objects of methods, count too.
    """
    yield from libraries.entries(value)
    if isinstance(value, (tuple, list)):
        parts: Iterable[Any] = value
    elif isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
    elif isinstance(value, MethodType):
        parts = (value.__self__,)
    else:
        parts = ()
    for cell in getattr(value, "__closure__", None) or () if isinstance(value, (FunctionType, MethodType)) else ():
        try:
            held = cell.cell_contents
        except ValueError:  # it is empty: the variable is not bound yet
            continue
        if holds_traced(held):
            yield cell
        elif depth:
            yield from _places(held, depth - 1)
    for part in parts if depth else ():
        yield from _places(part, depth - 1)


def _vouched(function: FunctionType, /, *args: Any, **kwargs: Any) -> Any:
    """A function its author vouches for: one collapsed node."""
    return apply(Suspended(function), args, kwargs or None, sys._getframe(1))


def _writing(function: Function, writer: Writer, /, *args: Any, **kwargs: Any) -> Any:
    """An operation that writes an argument, and is known by its name only."""
    return apply(function, args, kwargs or None, sys._getframe(1), writer(args, kwargs))


def opaque(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Code of another library: one node where arrays go in or come out."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is None:
        return function(*args, **kwargs)
    places = _told_apart(_places(function))
    if not (places or holds_traced(args) or holds_traced(kwargs)):
        result = function(*args, **kwargs)
        return apply(Suspended(function), args, kwargs or None, frame) if libraries.is_array(result) else result
    writer = writer_by_name(function)
    written = writer(args, kwargs) if writer is not None else None
    mark = len(recorder.nodes)
    places |= _told_apart(_places((args, kwargs)))
    called = Closing(function, tuple(places.values())) if places else Suspended(function)
    given = (tuple(_contents(recorder, place, frame) for place in places.values()), *args) if places else args
    result = apply(called, given, kwargs or None, frame, written)
    node = next(n for n in recorder.nodes[mark:] if called in (n.function, getattr(n.function, "function", None)))
    told = node if holds_traced(result) or result is None else None
    recorder.emit(Opaque(site(frame), told, _named(function)))
    return result


def _named(function: Any) -> str:
    """What opaque code is called; what a library made of a function has that one's name, which it is not."""
    found = address(function)
    home = function.__globals__.get("__name__") if isinstance(function, FunctionType) else None
    if found is None and home is not None and home != function.__module__:
        return f"what {home} made of {function.__name__}"
    return spell(function) if found is None else ".".join(found)


def _numpy_object(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A helper object of NumPy (`nditer`, `poly1d`, `errstate`): made from plain values."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if recorder is not None and (holds_traced(args) or holds_traced(kwargs)):
        recorder.emit(Unsupported(site(frame), spell(function)))
    return function(*plain(args, frame), **plain(kwargs, frame))


def _assertion(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A check of `numpy.testing`: it raises or does nothing, and is not in the graph."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    result = Suspended(function)(*plain(args, frame), **plain(kwargs, frame))
    if recorder is not None and function.__name__.startswith("assert"):
        origins = frozenset().union(*(origins_of(a) for a in (*args, *kwargs.values())))
        decide(TracedScalar(True, None, origins), frame, asserted=True)
    return result


def _cached(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call through `lru_cache`: the function is run anew, so that the graph has its operations."""
    return _uncached(function.__wrapped__, function.__wrapped__.__name__, args, kwargs)


def _cached_method(found: Any, /, *args: Any, **kwargs: Any) -> Any:
    return _uncached(found.__func__.__wrapped__, found.__func__.__wrapped__.__name__, (found.__self__, *args), kwargs)


def _uncached(function: Function, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    recorder, frame = CURRENT.get(), sys._getframe(2)
    if recorder is None:
        return function(*args, **kwargs)
    mark = len(recorder.nodes)
    result = function(*args, **kwargs)
    if holds_traced((result, args, kwargs)) or len(recorder.nodes) > mark:
        recorder.emit(Cached(site(frame), name))
    return result


# ---- methods ---------------------------------------------------------------------------------------


def method_callee(owner: Any, name: str, found: Any, recorder: Recorder) -> Any:
    """The callee of a method of something that is no traced value."""
    if isinstance(owner, np.ufunc):
        return partial(primitive, found)
    outside = method_of(owner, name)
    if outside is not None:
        return partial(outside, found)
    if isinstance(owner, _MUTABLE):
        found = partial(sort, owner) if type(owner) is list and name == "sort" else found
        if recorder.holder(owner) is not None:
            return partial(_held, owner, name, found)
        return partial(_look_up, found) if isinstance(owner, dict) and name in _LOOKING_UP else found
    if isinstance(owner, str):
        return partial(_text_method, found)
    if type(owner) is np.ndarray:
        return partial(primitive, getattr(np.ndarray, name), owner) if hasattr(np.ndarray, name) else found
    if libraries.of(owner) is not None:
        return partial(primitive, getattr(type(owner), name), owner) if hasattr(type(owner), name) else found
    holder = recorder.holder(owner)
    if holder is not None and holder.source is not None:
        return partial(_of_outside, found, holder.source)
    return _python_method(found, recorder) if isinstance(found, MethodType) else found


def _python_method(found: MethodType, recorder: Recorder) -> Any:
    inner: Any = found.__func__
    if isinstance(inner, FunctionType) and HOOKS in inner.__globals__:
        return found
    if type(inner) is _CACHE:
        return partial(_cached_method, found)
    return found if callee(inner, recorder) is inner else partial(opaque, found)


def _of_outside(found: Function, source: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method of an object that the outside gave (`datetime.now().timestamp()`)."""
    recorder = CURRENT.get()
    frame = sys._getframe(1)
    result = found(*plain(args, frame), **plain(kwargs, frame))
    return result if recorder is None else from_outside(recorder, result, source)


def _text_method(found: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a string: what it makes of traced values, or of a traced string, knows where they came from."""
    recorder = CURRENT.get()
    owner = found.__self__
    values = (owner, *args, *kwargs.values())
    origins = frozenset().union(*(origins_of(v) for v in values)) if recorder is not None else frozenset()
    if recorder is None or not origins:
        return found(*args, **kwargs)
    method = getattr(raw(owner), found.__name__) if isinstance(owner, TracedText) else found
    result = muted(recorder, method, raw(args) if found.__name__ != "format" else args, kwargs)
    if isinstance(result, str):
        return TracedText.of(result, origins)
    return TracedScalar(result, None, origins) if isinstance(result, (bool, int)) else result


_LOOKING_UP = frozenset({"get", "pop", "setdefault"})


def _look_up(found: Any, key: Any, /, *rest: Any) -> Any:
    """A dictionary's look-up: the key becomes plain, which decides nothing."""
    result = found(plain(key, sys._getframe(1)), *rest)
    if type(key) in (TracedScalar, TracedText) and not holds_traced(result):
        lose(key, LOOK_UP, sys._getframe(1))
    return result


def is_argument(key: Any) -> bool:
    """Whether a key came from an argument: that is told beside the hidden container that it chose from."""
    return any(isinstance(o, Source) and o.origin is Origin.ARGUMENT for o in origins_of(key))


def _held(owner: Any, name: str, found: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A method of a container that was there before the trace: it may change it, or read from it."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    holder = recorder.holder(owner) if recorder is not None else None
    if recorder is None or holder is None:
        return found(*args, **kwargs)
    if name not in _READING:
        stored(recorder, owner, name, Change.METHOD, frame, holds_traced((args, kwargs)))
    if isinstance(owner, dict) and name in _LOOKING_UP and args:
        if is_argument(args[0]):
            lose(args[0], LOOK_UP, frame)
        args = (plain(args[0], frame), *args[1:])
    result = found(*args, **kwargs)
    if holder.argument or type(result) in (TracedArray, TracedScalar, TracedText):
        return result
    at = site(frame)
    if name in ("items", "values") and isinstance(owner, dict):
        told = entries(recorder, owner, at)
        return list(told.items() if name == "items" else told.values())
    if name in ("get", "pop", "popleft", "popitem", "setdefault", "index", "count"):
        label = f"{holder.label}.{name}({', '.join(map(repr, raw(args)))})"
        return hidden(recorder, result, label, at, holder=owner, quiet=holder.quiet)
    return result
