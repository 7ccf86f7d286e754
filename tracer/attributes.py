"""Attributes, sizes and rows of traced values: which are nodes, which are known, and which are told of."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from types import FrameType, MethodType
from typing import Any

import numpy as np

from .events import Origin, Output, RawMemory, Source
from .hollow import Why
from .nodes import Node
from .operations import apply
from .recorder import CURRENT, Holder, Recorder, site, stopped_at, user_frame
from .steps import size_of
from .telling import need_contents, sized, unrolled
from .traced import Traced, TracedFlat, TracedShape, holds_traced, lift_constant, raw

INDEX_TRICKS = frozenset({type(np.mgrid), type(np.ogrid), type(np.r_), type(np.c_)})
"""NumPy's objects that make arrays of what they are indexed with."""
_BY_RANK = frozenset({np.indices, np.meshgrid})
"""Functions whose result has one row for each dimension: iterating it follows no size."""
_CLASSES = frozenset({"__class__", "type"})
LOOK_UP = "look-up"
"""How a key became plain: it chose an item of a dictionary."""
LAYOUT = "the memory layout of an array"
"""What flags and strides tell of."""
RAW_MEMORY = frozenset({"ctypes", "data", "__array_interface__", "__array_struct__", "__dlpack__"})
_SIZES = frozenset({"size", "nbytes"})
_LAYOUT = frozenset({"flags", "strides"})
_TO_FILES = frozenset({"tofile", "dump"})
_METADATA = frozenset({"base", "device", "itemset", "setflags"})


def iterate(array: Traced, frame: FrameType | None, *, backwards: bool = False) -> Iterator[Any]:
    """The rows of an array, as many as the example has; each is read when the loop comes to it."""
    recorder = CURRENT.get()
    library = recorder.library if recorder is not None else None
    written = library is not None and library.is_size_written(array.node, 0)
    if not written and (array.node is None or not _has_written_length(array.node)):
        unrolled(apply(len, (array,), None, frame), len(array.value), frame)
    here = stopped_at(frame)
    places = range(len(array.value))
    return (apply(operator.getitem, (array, i), None, here) for i in (reversed(places) if backwards else places))


def _has_written_length(node: Node) -> bool:
    """Whether an array has as many rows as the program says: one for each dimension that is written there."""
    return node.function in _BY_RANK or (node.function is operator.getitem and type(node.args[0]) in INDEX_TRICKS)


def shape_of(value: Traced, frame: FrameType | None) -> Any:
    """The shape, its sizes traced unless the mode makes them constants."""
    recorder = CURRENT.get()
    if recorder is None or recorder.mode != "symbolic" or value.node is None:
        if recorder is not None:
            sized(recorder, value, frame)
        return tuple(value.value.shape)
    sizes = (apply(size_of, (value, axis), None, frame) for axis in range(value.value.ndim))
    return TracedShape.of(sizes, type(value.value.shape))


def length(value: Traced, frame: FrameType | None) -> Any:
    recorder = CURRENT.get()
    if recorder is None or recorder.mode != "symbolic":
        if recorder is not None:
            sized(recorder, value, frame)
        return len(value.value)
    return apply(len, (value,), None, frame)


_methods: dict[tuple[type, str], Callable[..., Any]] = {}
"""The methods that were asked for, by the class of the value."""


def attribute(value: Traced, name: str, frame: FrameType | None, *, explicit: bool = False) -> Any:
    """Attribute `name` of a traced value: a bound method, or a node that reads it.

    `explicit` tells that the user wrote it; NumPy itself probes for dunder names, which a traced value
    must not answer.
    """
    if name.startswith("__") and not explicit:
        raise AttributeError(name)
    recorder, plain = CURRENT.get(), value.value
    if recorder is None:
        return getattr(plain, name)
    if recorder.library is not None and not isinstance(plain, (np.ndarray, np.generic)):
        found = recorder.library.attribute(value, name, frame)
        if found is not NotImplemented:
            return found
    if isinstance(plain, Enum):
        return _of_member(value, getattr(plain, name))
    if name in RAW_MEMORY and isinstance(plain, (np.ndarray, np.generic)):
        recorder.emit(RawMemory(site(frame), name))
        return getattr(plain, name)
    if name in _TO_FILES:
        return partial(_to_file, getattr(plain, name))
    kind = type(plain)
    known = _methods.get((kind, name))
    if known is not None:
        return partial(call_method, known, value)
    if name in _CLASSES and isinstance(getattr(plain, name), type):
        source = Source(Origin.TYPE, "the class of a value", site(frame))
        at = user_frame(frame)
        recorder.recent.append((at.f_code if at is not None else recorder.root, getattr(plain, name), source))
        return getattr(plain, name)
    method = getattr(np.generic, name, None) if isinstance(plain, np.generic) else None
    method = method if method is not None else getattr(kind, name, None)
    if callable(method) and not isinstance(method, (type, property)):
        _methods[kind, name] = method
        return partial(call_method, method, value)
    if name == "flat":
        return TracedFlat(value)
    if name in _LAYOUT:
        return _layout(recorder, value, name, frame)
    if name in _SIZES and recorder.mode != "symbolic":
        sized(recorder, value, frame)
        return getattr(plain, name)
    if name in _METADATA:
        need_contents(recorder, value, Why.RULE, frame)
        return getattr(plain, name)
    if value.node is None:
        return lift_constant(getattr(plain, name), value.origins)
    return apply(getattr, (value, name), None, frame)


def _of_member(value: Traced, found: Any) -> Any:
    """An attribute of a member of an enumeration; a method, the user's code, knows where it came from."""
    if isinstance(found, MethodType) and found.__self__ is value.value:
        return MethodType(found.__func__, value)
    return lift_constant(found, value.origins)


def _to_file(method: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is not None:
        recorder.emit(Output(site(sys._getframe(1)), f"numpy.ndarray.{method.__name__}"))
    return method(*raw(args), **raw(kwargs))


def _layout(recorder: Recorder, value: Traced, name: str, frame: FrameType | None) -> Any:
    """How an array lies in memory: a matter of its type, as the dtype is; what is read from flags knows it, too."""
    need_contents(recorder, value, Why.RULE, frame)  # a hollow array lies nowhere
    found = getattr(value.value, name)
    source = Source(Origin.TYPE, LAYOUT, site(frame))
    if name == "strides":
        return tuple(lift_constant(stride, frozenset({source})) for stride in found)
    recorder.holders[id(found)] = Holder(found, "flags", False, source=source)
    return found


def call_method(method: Callable[..., Any], value: Traced, /, *args: Any, **kwargs: Any) -> Any:
    if value.node is None and not any(holds_traced(a) for a in (*args, *kwargs.values())):
        return lift_constant(method(value.value, *args, **kwargs), value.origins)
    return apply(method, (value, *args), kwargs or None, sys._getframe(1))
