"""Stand-ins for built-in functions and conversions that decide or lose something when plain Python runs them.

Each takes the function it stands for and then that function's own arguments; `STAND_INS` says which is whose.
"""

from __future__ import annotations

import builtins
import cmath
import math
import operator
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType, MethodDescriptorType
from typing import Any

import numpy as np

from .attributes import attribute, iterate, length, shape_of
from .behaviour import traced_range
from .effects import stored
from .events import Change, Decision, News, Origin, RawMemory, Source, Stored
from .hidden import hidden, member_of, opened
from .operations import apply
from .operators import scalar_operation
from .recorder import CURRENT, Recorder, site, stopped_at
from .telling import decide, unrolled
from .traced import (
    Traced,
    TracedArray,
    TracedFlat,
    TracedRange,
    TracedScalar,
    TracedShape,
    TracedText,
    holds_traced,
    origins_of,
    raw,
)

Function = Callable[..., Any]


# ---- numbers and sizes -----------------------------------------------------------------------------


def _len(function: Function, value: Any, /) -> Any:
    if type(value) is TracedArray:
        return length(value, sys._getframe(1))
    recorder, frame = CURRENT.get(), sys._getframe(1)
    if type(value) is TracedRange and recorder is not None:
        return TracedScalar(len(value.raw), value.node, value.origins)
    if type(value) is TracedFlat:
        return attribute(value.array, "size", frame)
    listed = recorder.listed.get(id(value)) if recorder is not None and type(value) is list else None
    if listed is not None and listed[0] is value:
        return length(listed[1], frame)
    if type(value) is TracedShape:
        source = Source(Origin.TYPE, "the number of dimensions", site(frame))
        return TracedScalar(len(value), None, frozenset({source}))
    if type(value) is TracedText:
        return TracedScalar(len(value), None, value.origins)
    holder = recorder.holder(value) if recorder is not None else None
    if holder is None:
        return len(value)
    if holder.argument:
        return len(value)  # the structure of arguments is part of what a graph takes
    if holder.source is not None:
        return TracedScalar(len(value), None, frozenset({holder.source}))
    label, size = f"len({holder.label})", len(value)
    source = Source(Origin.HIDDEN, label, site(frame), value, size, quiet=holder.quiet)
    return TracedScalar(size, None, frozenset({source}))


def _number(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """`int`, `float`, `complex`, `bool`, `round`, `abs`, `divmod`, `pow` and the functions of `math`."""
    if any(type(a) is TracedArray or (type(a) in (list, tuple) and holds_traced(a)) for a in args):
        return apply(function, args, kwargs or None, sys._getframe(1))
    if any(type(a) in (TracedScalar, TracedText) for a in args):
        return scalar_operation(partial(function, **kwargs) if kwargs else function, args, sys._getframe(1))
    return function(*args, **kwargs)


def _identity(function: Function, value: Any, /) -> Any:
    """`id` of a traced value: a number that is another one in every run."""
    number, recorder = id(raw(value)), CURRENT.get()
    if recorder is None or type(value) not in (TracedArray, TracedScalar):
        return id(value)
    source = Source(Origin.ENVIRONMENT, "id()", site(sys._getframe(1)), None, number)
    return TracedScalar(number, None, frozenset({source}))


def _memory(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """`memoryview`, `bytes`, `bytearray`: an array's memory as it is."""
    recorder = CURRENT.get()
    if recorder is not None and args and type(args[0]) is TracedArray:
        recorder.emit(RawMemory(site(sys._getframe(1)), f"{function.__name__}()"))
    return function(*raw(args), **raw(kwargs))


# ---- iteration and order ---------------------------------------------------------------------------


def _extremum(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """`max` and `min`: one node over traced numbers; with a key, a decision."""
    frame = sys._getframe(1)
    if len(args) == 1 and type(args[0]) is not TracedArray:
        args = (list(opened(args[0])),)
    if kwargs.get("key") is not None:
        choices = list(args[0]) if len(args) == 1 else list(args)
        return _chosen(function, choices, kwargs["key"]) if choices else function(*args, **kwargs)
    if not holds_traced(args):
        return function(*args, **kwargs)
    items = args[0] if len(args) == 1 else args
    if type(items) is TracedArray or any(_has_node(a) for a in items):
        return apply(function, args, kwargs or None, frame)
    return scalar_operation(partial(function, **kwargs) if kwargs else function, tuple(items), frame)


def _has_node(value: Any) -> bool:
    return isinstance(value, Traced) and type(value) in (TracedArray, TracedScalar) and value.node is not None


def _chosen(function: Function, items: list[Any], key: Function) -> Any:
    keys = [key(v) for v in items]
    asked, best = _asked(lambda: function(range(len(items)), key=keys.__getitem__))
    if asked:
        _decide_order(order_of, (keys, function is max), str(best), sys._getframe(2))
    return items[best]


def _sorted(function: Function, iterable: Any, /, *, key: Any = None, reverse: Any = False) -> Any:
    frame = sys._getframe(1)
    rows = type(iterable) is TracedArray
    items = [iterable[i] for i in range(len(iterable.value))] if rows else list(opened(iterable))
    keys = items if key is None else [key(v) for v in items]
    asked, order = _asked(lambda: sorted(range(len(items)), key=keys.__getitem__, reverse=bool(raw(reverse))))
    if asked:
        ordered = iterable if rows and key is None else keys
        _decide_order(orders_of, (ordered, bool(raw(reverse))), " ".join(map(str, order)), frame)
    return [items[i] for i in order]


def sort(items: list[Any], /, *, key: Any = None, reverse: Any = False) -> None:
    """`items.sort(…)`: the order is decided as by `sorted`."""
    items[:] = _sorted(sorted, items, key=key, reverse=reverse)


def order_of(keys: list[Any], largest: bool) -> str:
    """Which key is the smallest (or largest), as text: what `min` and `max` with a key decide."""
    choose = max if largest else min
    return str(choose(range(len(keys)), key=keys.__getitem__))


def orders_of(keys: list[Any], reverse: bool) -> str:
    """The order of keys, as text: what `sorted` decides."""
    return " ".join(map(str, sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)))


def _decide_order(function: Function, args: tuple[Any, ...], outcome: str, frame: FrameType) -> None:
    """An order that was decided: a node of its own, so that a guard can ask it again."""
    recorder = CURRENT.get()
    if recorder is None:
        return
    made = apply(function, args, None, frame)
    recorder.emit(Decision(site(frame), made.node, origins_of(made), outcome))


def _asked(ordering: Callable[[], Any]) -> tuple[bool, Any]:
    """Whether an ordering asked the truth of traced comparisons, and what it gave."""
    recorder = CURRENT.get()
    if recorder is None:
        return False, ordering()
    before = recorder.questions
    made = muted(recorder, ordering, (), {})
    return recorder.questions > before, made


def _quantifier(function: Function, iterable: Any, /) -> Any:
    """`any` and `all` ask the truth of elements until it is settled: a decision, as a whole for an array."""
    frame = sys._getframe(1)
    if type(iterable) is TracedArray:
        return decide(apply(function, (iterable,), None, frame), frame)
    stop = function is any
    for value in opened(iterable):
        truth = decide(value, frame) if type(value) in (TracedArray, TracedScalar) else bool(value)
        if truth is stop:
            return stop
    return not stop


def _sum(function: Function, iterable: Any, /, *args: Any, **kwargs: Any) -> Any:
    if type(iterable) is TracedArray:
        return apply(function, (iterable, *args), kwargs or None, sys._getframe(1))
    return function(opened(iterable), *args, **kwargs)


def _passing_items(function: Function, /, *args: Any, **kwargs: Any) -> Any:
    """`zip`, `enumerate`, `list` and the like hand on rows of arrays and items of hidden containers."""
    frame = sys._getframe(1)
    items = [iterate(a, frame) if type(a) is TracedArray else opened(a) for a in args]
    if function in (map, filter) and items and isinstance(items[0], MethodDescriptorType):
        items[0] = partial(_applied, items[0])  # `map(np.ndarray.sum, rows)`
    return function(*items, **kwargs)


def _applied(function: Function, /, *args: Any) -> Any:
    return apply(function, args, None, sys._getframe(1))


def _reversed(function: Function, value: Any, /) -> Any:
    if type(value) is TracedArray:
        return iterate(value, sys._getframe(1), backwards=True)
    return function(opened(value))


def _next(function: Function, iterator: Any, /, *default: Any) -> Any:
    """`next` of an iterator that was there before the trace: it moves on, and what it gives is hidden."""
    recorder, frame = CURRENT.get(), sys._getframe(1)
    holder = recorder.holder(iterator) if recorder is not None else None
    value = function(iterator, *default)
    if recorder is None or holder is None:
        return value
    at = site(frame)
    moved = Stored(at, iterator, holder.label, Change.METHOD, "next", holder.argument, None)
    moved.news.append(News("one item", "the next"))
    recorder.emit(moved)
    if holder.argument:
        return value
    return hidden(recorder, value, f"next({holder.label})", at, holder=iterator, quiet=holder.quiet)


def _shape(function: Function, value: Any, /) -> Any:
    return shape_of(value, sys._getframe(1)) if type(value) is TracedArray else function(raw(value))


def _range(function: Function, /, *args: Any) -> Any:
    if any(type(a) is TracedScalar for a in args):
        return traced_range(args, sys._getframe(1))
    return range(*args)


def _ndindex(function: Function, /, *shape: Any) -> Any:
    """`np.ndindex(x.shape)`: as many iterations as the sizes say, each of them."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    _each_axis(sizes, sys._getframe(1))
    return function(*raw(shape))


def _each_axis(sizes: Any, frame: FrameType) -> None:
    """Note a loop over every element of an array with these sizes."""
    for size in sizes:
        if type(size) is TracedScalar:
            unrolled(size, int(raw(size)), frame)


def _ndenumerate(function: Function, array: Any, /) -> Iterator[Any]:
    if type(array) is not TracedArray:
        return iter(function(array))
    _each_axis(shape_of(array, sys._getframe(1)), sys._getframe(1))
    here = stopped_at(sys._getframe(1))
    places = np.ndindex(array.value.shape)
    return ((place, apply(operator.getitem, (array, place), None, here)) for place in places)


# ---- classes and text ------------------------------------------------------------------------------


def _type(function: Function, /, *args: Any) -> Any:
    if len(args) != 1:
        return type(*args)
    value, recorder, frame = args[0], CURRENT.get(), sys._getframe(1)
    if type(value) in (TracedArray, TracedScalar) and recorder is not None:
        kind = type(value.value)
        recorder.recent.append((frame.f_code, kind, Source(Origin.TYPE, "the class of a value", site(frame))))
        del recorder.recent[:-4]
        return kind
    return value.kind if type(value) is TracedShape else _STANDS_FOR.get(type(value), type(value))


_STANDS_FOR: dict[type, type] = {TracedText: str, TracedRange: range}


def _isinstance(function: Function, value: Any, kind: Any, /) -> Any:
    if type(value) is TracedShape:
        return issubclass(value.kind, kind)
    outcome = isinstance(value, kind)
    if type(value) in (TracedArray, TracedScalar):
        source = Source(Origin.TYPE, "the class of a value", site(sys._getframe(1)), quiet=True)
        return TracedScalar(outcome, None, frozenset({source}))
    return outcome


def _to_text(function: Function, /, *args: Any) -> Any:
    recorder = CURRENT.get()
    if recorder is None or not args or not holds_traced(args):
        return function(*args)
    return TracedText.of(muted(recorder, function, args, {}), origins_of(args[0]))


def muted(recorder: Recorder, function: Function, args: Any, kwargs: Any) -> Any:
    """Call `function` without noting what it formats and compares."""
    recorder.muted += 1
    try:
        return function(*args, **kwargs)
    finally:
        recorder.muted -= 1


def _getattr(function: Function, owner: Any, name: str, /, *default: Any) -> Any:
    try:
        return member_of(owner, raw(name), sys._getframe(1))
    except AttributeError:
        if default:
            return default[0]
        raise


def _setattr(function: Function, owner: Any, name: str, /, *value: Any) -> None:
    recorder = CURRENT.get()
    if recorder is not None and type(owner) not in (TracedArray, TracedScalar):
        stored(recorder, owner, raw(name), Change.ATTRIBUTE, sys._getframe(1))
    function(owner, raw(name), *value)


_NUMBERS = [int, float, complex, bool, round, abs, divmod, pow]
_MATH = [f for m in (math, cmath) for f in vars(m).values() if callable(f) and not isinstance(f, type)]
_ITEMS = [zip, enumerate, list, tuple, set, frozenset, iter, map, filter]

STAND_INS: dict[Any, Function] = {
    **dict.fromkeys([*_NUMBERS, *_MATH], _number),
    **dict.fromkeys(_ITEMS, _passing_items),
    **dict.fromkeys([memoryview, bytes, bytearray], _memory),
    **dict.fromkeys([str, repr, format], _to_text),
    **dict.fromkeys([max, min], _extremum),
    **dict.fromkeys([any, all], _quantifier),
    **dict.fromkeys([setattr, builtins.delattr], _setattr),
    len: _len, sorted: _sorted, sum: _sum, range: _range, np.ndindex: _ndindex, np.ndenumerate: _ndenumerate,
    id: _identity, type: _type, isinstance: _isinstance, getattr: _getattr, reversed: _reversed, next: _next,
    np.shape: _shape,
}  # fmt: skip
