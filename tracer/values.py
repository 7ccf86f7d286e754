"""Traced values: arrays and numbers that carry their real value and the node that made it.

They are plain classes, not subclasses, and answer `__class__` with the class of the value they carry:
`isinstance` is right, while C code that wants the raw thing must ask (`__array__`, `__index__`, …) and is
seen.  Every operation passes through `apply`; a traced value never raises where the plain one would not.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import Any, NoReturn

import numpy as np

from . import hollow
from .events import Decision, Iteration, Lost, Origin, Origins, RawMemory, Source, Written
from .hollow import ContentsNeeded, Why
from .instructions import instruction
from .nodes import Kind, Node
from .recorder import CURRENT, USER_FILES, Holder, Recorder, site, user_frame
from .shapes import Unknown
from .steps import copy_of, count_of_range, flat_item, set_flat_item, set_part, set_shape, size_of
from .views import base_of, base_of_part
from .writers import WRITERS

current = CURRENT.get
ndarray, generic = np.ndarray, np.generic  # looked up a few times in every operation
_CALL = Kind.CALL
NO_ORIGINS: Origins = frozenset()
_LITERAL = frozenset({int, float, complex, bool, str, bytes, type(None), type(...), type, np.dtype})
_OBJECTS = (np.generic, int, float, complex, np.dtype, np.finfo, np.iinfo)
"""What a traced scalar may stand for, besides text."""


class Traced:
    """What arrays and scalars share.

    `value` is the plain value, `node` what made it (None for a number that the graph takes as it is),
    `origins` where a value without a node came from.
    """

    __slots__ = ("value", "node", "origins")

    value: Any
    node: Node | None
    origins: Origins

    def __init__(self, value: Any, node: Node | None, origins: Origins = NO_ORIGINS) -> None:
        self.value = value
        self.node = node
        self.origins = origins

    @property
    def __class__(self) -> Any:
        return type(self.value)

    @__class__.setter
    def __class__(self, _: Any) -> NoReturn:
        raise TypeError("__class__ of a traced value cannot be set")

    def __getattr__(self, name: str) -> Any:
        return attribute(self, name, sys._getframe(1))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return apply(function, inputs, kwargs, sys._getframe(1))

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        return apply(function, args, kwargs, sys._getframe(1))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        lose(self, "__array__", sys._getframe(1))
        return np.array(self.value, dtype=dtype)

    def __bool__(self) -> bool:
        return decide(self, sys._getframe(1))

    def __index__(self) -> int:
        lose(self, "__index__", sys._getframe(1))
        return operator.index(self.value)

    def __int__(self) -> int:
        lose(self, "__int__", sys._getframe(1))
        return int(self.value)

    def __float__(self) -> float:
        lose(self, "__float__", sys._getframe(1))
        return float(self.value)

    def __complex__(self) -> complex:
        lose(self, "__complex__", sys._getframe(1))
        return complex(self.value)

    def __str__(self) -> str:
        return _formatted(self, str(self.value), sys._getframe(1))

    def __repr__(self) -> str:
        return _formatted(self, repr(self.value), sys._getframe(1))

    def __format__(self, spec: str) -> str:
        return _formatted(self, format(self.value, spec), sys._getframe(1))

    def __copy__(self) -> Any:
        return apply(copy_of, (self,), None, sys._getframe(1)) if isinstance(self.value, np.ndarray) else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        lose(self, "pickle", sys._getframe(1))
        return self.value.__reduce_ex__(protocol)


class TracedArray(Traced):
    """A traced `np.ndarray`."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # as np.ndarray's

    @property
    def shape(self) -> Any:
        return shape_of(self, sys._getframe(1))

    @shape.setter
    def shape(self, shape: Any) -> None:
        apply(set_shape, (self, shape), None, sys._getframe(1), self)

    @property
    def flat(self) -> Any:
        return TracedFlat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        apply(set_flat_item, (self, slice(None), value), None, sys._getframe(1), self)

    @property
    def real(self) -> Any:
        return apply(getattr, (self, "real"), None, sys._getframe(1))

    @real.setter
    def real(self, value: Any) -> None:
        apply(set_part, (self, "real", value), None, sys._getframe(1), self)

    @property
    def imag(self) -> Any:
        return apply(getattr, (self, "imag"), None, sys._getframe(1))

    @imag.setter
    def imag(self, value: Any) -> None:
        apply(set_part, (self, "imag", value), None, sys._getframe(1), self)

    def __len__(self) -> int:
        return int(length(self, sys._getframe(1)))

    def __iter__(self) -> Iterator[Any]:
        return iterate(self, sys._getframe(1))

    def __contains__(self, item: Any) -> bool:
        found = apply(operator.contains, (self, item), None, sys._getframe(1))
        return decide(found, sys._getframe(1)) if isinstance(found, Traced) else bool(found)

    def __getitem__(self, key: Any) -> Any:
        return apply(operator.getitem, (self, key), None, sys._getframe(1))

    def __setitem__(self, key: Any, value: Any) -> None:
        apply(operator.setitem, (self, key, value), None, sys._getframe(1), self)


class TracedScalar(Traced):
    """A traced NumPy scalar, Python number, dtype, or `finfo`/`iinfo`."""

    __slots__ = ()

    @property
    def shape(self) -> Any:
        return shape_of(self, sys._getframe(1))

    def __hash__(self) -> int:
        lose(self, "__hash__", sys._getframe(1))
        return hash(self.value)

    def __getitem__(self, key: Any) -> Any:
        return apply(operator.getitem, (self, key), None, sys._getframe(1))

    def __setitem__(self, key: Any, value: Any) -> None:
        apply(operator.setitem, (self, key, value), None, sys._getframe(1), self)

    def __round__(self, digits: int | None = None) -> Any:
        args = (self,) if digits is None else (self, digits)
        return apply(round, args, None, sys._getframe(1))


class TracedText(str):  # noqa: SLOT000  # a str subclass with slots cannot be assigned to by `of`
    """A string made from traced values, or read from a hidden input: comparing it decides something.

    A subclass of `str`, since C code takes no stand-in for a string.
    """

    node: Node | None
    origins: Origins

    @classmethod
    def of(cls, text: str, origins: Origins, node: Node | None = None) -> TracedText:
        made = cls(text)
        made.node, made.origins = node, origins
        return made

    def _compare(self, function: Callable[..., Any], other: Any) -> Any:
        value = function(str(self), str(other) if isinstance(other, str) else other)
        if value is NotImplemented:
            return value
        return TracedScalar(value, None, origins_of(self) | origins_of(other))

    def __eq__(self, other: object) -> Any:
        return self._compare(str.__eq__, other)

    def __ne__(self, other: object) -> Any:
        return self._compare(str.__ne__, other)

    def __lt__(self, other: Any) -> Any:
        return self._compare(str.__lt__, other)

    def __le__(self, other: Any) -> Any:
        return self._compare(str.__le__, other)

    def __gt__(self, other: Any) -> Any:
        return self._compare(str.__gt__, other)

    def __ge__(self, other: Any) -> Any:
        return self._compare(str.__ge__, other)

    def __contains__(self, other: Any) -> bool:
        found = TracedScalar(str.__contains__(self, str(other)), None, origins_of(self) | origins_of(other))
        return decide(found, sys._getframe(1))

    def startswith(self, *args: Any) -> Any:
        return TracedScalar(str.startswith(self, *args), None, origins_of(self))

    def endswith(self, *args: Any) -> Any:
        return TracedScalar(str.endswith(self, *args), None, origins_of(self))

    def __str__(self) -> str:
        return str.__str__(self) if type(self) is str else "".join(self)

    def __getattr__(self, name: str) -> Any:
        """An attribute that an element of an array of strings has besides those of `str`."""
        if self.node is None or name.startswith("__"):
            raise AttributeError(name)
        if callable(getattr(np.str_, name, None)):
            lose(self, name, sys._getframe(1))
        return getattr(np.str_("".join(self)), name)

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (str, ("".join(self),))


class TracedShape(tuple[Any, ...]):  # noqa: SLOT001  # CPython allows a tuple subclass no slots
    """A shape whose items are traced sizes; `array` is the value it belongs to."""

    array: Traced

    def __eq__(self, other: object) -> Any:
        return self._compared(operator.eq, other, sys._getframe(1))

    def __ne__(self, other: object) -> Any:
        return self._compared(operator.ne, other, sys._getframe(1))

    def _compared(self, function: Callable[..., Any], other: Any, frame: FrameType) -> Any:
        """Shapes are compared as a whole: one node, and one decision where its truth is asked."""
        if not isinstance(other, tuple):
            return function(raw(self), other)
        return apply(function, (self, other), None, frame)

    def __hash__(self) -> int:
        return hash(raw(self))


class TracedFlat:
    """`array.flat` of a traced array: reads and writes through it are nodes."""

    __slots__ = ("array",)

    def __init__(self, array: TracedArray) -> None:
        self.array = array

    @property  # type: ignore[misc]  # as for Traced: only the question of isinstance is answered
    def __class__(self) -> Any:
        return np.flatiter

    def __getitem__(self, key: Any) -> Any:
        return apply(flat_item, (self.array, key), None, sys._getframe(1))

    def __setitem__(self, key: Any, value: Any) -> None:
        apply(set_flat_item, (self.array, key, value), None, sys._getframe(1), self.array)

    def __len__(self) -> int:
        return int(self.array.value.size)

    def __iter__(self) -> Iterator[Any]:
        frame = sys._getframe(1)
        unrolled(apply(getattr, (self.array, "size"), None, frame), self.array.value.size, frame)
        return iter([apply(flat_item, (self.array, i), None, frame) for i in range(self.array.value.size)])


class TracedRange:
    """`range` over traced numbers: iterating it unrolls a loop."""

    __slots__ = ("raw", "node", "origins")

    def __init__(self, args: tuple[Any, ...], frame: FrameType) -> None:
        self.raw = range(*(raw(a) for a in args))
        traced = apply(count_of_range, args, None, frame)
        self.node = traced.node if isinstance(traced, Traced) else None
        self.origins = origins_of(traced)

    @property  # type: ignore[misc]  # as for Traced: only the question of isinstance is answered
    def __class__(self) -> Any:
        return range

    def __iter__(self) -> Iterator[int]:
        unrolled(self, len(self.raw), sys._getframe(1))
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def __getitem__(self, key: Any) -> Any:
        return self.raw[raw(key)]

    def __contains__(self, item: Any) -> bool:
        return raw(item) in self.raw

    def __reversed__(self) -> Iterator[int]:
        unrolled(self, len(self.raw), sys._getframe(1))
        return reversed(self.raw)

    def __eq__(self, other: object) -> bool:
        return bool(self.raw == raw(other))

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return repr(self.raw)


# ---- the one interception --------------------------------------------------------------------------


def apply(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    frame: FrameType | None,
    written: Any = None,
) -> Any:
    """Run one operation on the values, record it, and hand back its traced result.

    `written` is the traced array that the operation changes in place, where it is not to be found in
    the table of writers.  What `function` raises is raised unchanged.
    """
    recorder = current()
    if recorder is None:
        return function(*[raw(a) for a in args], **{k: raw(v) for k, v in (kwargs or {}).items()})
    entered: list[tuple[tuple[int | str, ...], Any]] | None = None
    values: list[Any] = []
    operands: list[Any] = []
    for arg in args:
        kind = type(arg)
        if kind is TracedArray and not arg.origins:
            values.append(arg.value)
            operands.append(arg.node)
        elif kind in _LITERAL:
            values.append(arg)
            operands.append(arg)
        elif kind is TracedScalar and arg.node is not None:
            values.append(arg.value)
            operands.append(arg.node)
        else:
            entered = [] if entered is None else entered
            value, operand = _lower(arg, recorder, frame, entered, (len(values),))
            values.append(value)
            operands.append(operand)
    named_values: dict[str, Any] = {}
    named: dict[str, Any] | None = None
    if kwargs:
        entered, named = [] if entered is None else entered, {}
        for name, arg in kwargs.items():
            named_values[name], named[name] = _lower(arg, recorder, frame, entered, (name,))
        if written is None and "out" in kwargs:
            written = kwargs["out"][0] if type(kwargs["out"]) is tuple and len(kwargs["out"]) == 1 else kwargs["out"]
    if written is None and function in WRITERS:
        written = WRITERS[function](args, kwargs or {})
    real = True
    if recorder.known is not None:
        try:
            result, real = hollow.run(recorder, function, (values, named_values), (operands, named or {}), raw(written))
        except Unknown as unknown:
            origins = NO_ORIGINS.union(*(origins_of(a) for a in args))
            raise ContentsNeeded(hollow.why(function, unknown), site(frame), origins) from None
    elif named_values:
        result = function(*values, **named_values)
    else:
        result = function(*values)
    if frame is not None and frame.f_code.co_filename in USER_FILES:
        at: FrameType | None = frame
    else:
        at = user_frame(frame)
    code, lasti = (at.f_code, at.f_lasti) if at is not None else (None, 0)
    base = None
    kind = type(result)
    if kind is ndarray:
        shape, dtype = result.shape, result.dtype
        if written is None:
            if not real:
                base = base_of(function, tuple(operands), named or {}, result)
            elif result.base is not None:
                base = _base(result.base, args)
            elif result is values[0] if values else False:
                base = operands[0].owner  # `np.asarray` of an array is that array
    elif isinstance(result, generic):
        shape, dtype = (), result.dtype
        if kind is np.void and function is operator.getitem:
            base = operands[0].owner  # a record can be written, and is then written in its array
    elif isinstance(result, ndarray):
        shape, dtype = result.shape, result.dtype
        base = _base(result.base, args) if real and result.base is not None else None
    else:
        shape, dtype = None, getattr(result, "dtype", kind)
    node = Node(_CALL, function, tuple(operands), named, shape, dtype, base, written is not None, code, lasti)
    recorder.nodes.append(node)
    if real and recorder.known is not None:
        recorder.known.add(node)
    if entered:
        for where, value in entered:
            plain = raw(value) if isinstance(value, str) else value.value
            recorder.enter(at if at is not None else sys._getframe(), node, where, value.origins, plain)
    if written is not None:
        return _wrote(result, node, written, recorder, at, args)
    return TracedArray(result, node) if kind is ndarray else lift(result, node, recorder, at, args)


def _base(base: Any, args: tuple[Any, ...]) -> Node | None:
    """The node whose memory a result lies in, where one of the arguments lies there, too."""
    while not isinstance(base, ndarray) and base is not None:
        base = getattr(base, "base", None)  # `as_strided` puts an object of its own between
    for arg in args:
        if type(arg) is TracedArray:
            value = arg.value
            if base is value or (value.base is not None and base is value.base):
                return arg.node.owner if arg.node is not None else None
        elif type(arg) in (tuple, list):
            found = _base(base, tuple(arg))
            if found is not None:
                return found
    return None


def _wrote(
    result: Any, node: Node, written: Any, recorder: Recorder, at: FrameType | None, args: tuple[Any, ...]
) -> Any:
    """Note an in-place write, and hand back the array that was written where that is the result."""
    targets = [t for t in (written if type(written) is tuple else (written,)) if is_array(t) and t.node is not None]
    for target in targets:
        if target.node.owner.kind is not _CALL:  # the function's own arrays are its own concern
            recorder.emit(Written(site(at), node, target.node))
    if result is None:
        return None
    for target in targets:
        if result is target.value:
            return target
    if type(result) is tuple:
        return tuple(
            lift(part, _element(node, i, part, recorder, args), recorder, at) if target is None else target
            for i, part, target in ((i, part, _holding(part, targets)) for i, part in enumerate(result))
        )
    return TracedArray(result, node) if type(result) is np.ndarray else lift(result, node, recorder, at)


def _holding(part: Any, targets: list[Any]) -> Any:
    """The written array that a part of a result is, or None."""
    return next((t for t in targets if t.value is part), None)


def lift(result: Any, node: Node, recorder: Recorder, at: FrameType | None, args: tuple[Any, ...] = ()) -> Any:
    """The traced counterpart of an operation's result; `args` are the operation's own."""
    if isinstance(result, generic):
        return (
            TracedText.of(str(result), frozenset({node}), node)
            if isinstance(result, str)
            else TracedScalar(result, node)
        )
    if isinstance(result, ndarray):
        return TracedArray(result, node)
    if isinstance(result, _OBJECTS):
        return TracedScalar(result, node)
    if isinstance(result, str):
        return TracedText.of(result, frozenset({node}), node)
    if result is None or result is NotImplemented:
        return result
    if type(result) in (tuple, list) or hasattr(result, "_fields"):
        if node.function is np.ndarray.tolist:
            recorder.emit(Lost(site(at), node, NO_ORIGINS, result, "tolist"))
        elif node.function in _PARTS_BY_SIZE:
            count = Node(_CALL, len, (node,), None, None, int, None, False, node.code, node.lasti)
            recorder.nodes.append(count)
            recorder.emit(Iteration(site(at), count, frozenset({count}), len(result)))
        parts = [lift(part, _element(node, i, part, recorder, args), recorder, at) for i, part in enumerate(result)]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    recorder.emit(Lost(site(at), node, NO_ORIGINS, result, getattr(node.function, "__name__", "")))
    return result


def _element(node: Node, index: int, part: Any, recorder: Recorder, args: tuple[Any, ...]) -> Node:
    """The node of one part of a result that is a sequence."""
    shape = part.shape if isinstance(part, (np.ndarray, np.generic)) else None
    dtype = getattr(part, "dtype", type(part))
    real = recorder.known is None or node in recorder.known or dtype is type(part)
    base = None if real else base_of_part(node, index, part)
    if real and isinstance(part, np.ndarray) and part.base is not None:
        base = _base(part.base, args)
    made = Node(Kind.CALL, operator.getitem, (node, index), None, shape, dtype, base, False, node.code, node.lasti)
    recorder.nodes.append(made)
    if real and recorder.known is not None:
        recorder.known.add(made)
    return made


def _lower(
    arg: Any, recorder: Recorder, frame: FrameType | None, entered: list[Any], where: tuple[int | str, ...]
) -> tuple[Any, Any]:
    """What an argument is for NumPy, and what it is in a node."""
    kind = type(arg)
    if kind is TracedArray:
        if arg.origins:
            entered.append((where, arg))
        return arg.value, arg.node
    if kind is TracedScalar:
        if arg.node is not None:
            return arg.value, arg.node
        if arg.origins:
            entered.append((where, arg))
        return arg.value, arg.value
    if kind in _LITERAL:
        return arg, arg
    if kind is slice:
        if type(arg.start) in _LITERAL and type(arg.stop) in _LITERAL and type(arg.step) in _LITERAL:
            return arg, arg
        bounds = enumerate((arg.start, arg.stop, arg.step))
        pairs = [_lower(part, recorder, frame, entered, (*where, i)) for i, part in bounds]
        return slice(*(p[0] for p in pairs)), slice(*(p[1] for p in pairs))
    if kind is list or kind is dict:
        holder = recorder.holder(arg)
        if holder is not None and not holder.argument and holder.at is not None:
            source = Source(Origin.HIDDEN, holder.label, holder.at, arg, arg, quiet=holder.quiet)
            entered.append((where, Untracked(arg, frozenset({source}))))
    if kind is tuple or kind is list or kind is TracedShape or hasattr(arg, "_fields"):
        pairs = [_lower(part, recorder, frame, entered, (*where, i)) for i, part in enumerate(arg)]
        plain = list if kind is list else tuple
        return plain(p[0] for p in pairs), plain(p[1] for p in pairs)
    if kind is dict:
        lowered = {k: _lower(v, recorder, frame, entered, (*where, k)) for k, v in arg.items()}
        return {k: v[0] for k, v in lowered.items()}, {k: v[1] for k, v in lowered.items()}
    if kind is TracedText:
        entered.append((where, arg))
        return raw(arg), raw(arg)
    if kind is TracedRange:
        return arg.raw, arg.raw
    if isinstance(arg, np.ndarray) and kind is np.ndarray:
        at = user_frame(frame) or sys._getframe()
        mine, node = recorder.capture(arg, None, instruction(at))
        entered.append((where, Untracked(arg, frozenset({node}))))
        return mine, node
    return arg, arg


class Untracked:
    """A value that came into an operation as it is: an array by a way no hook saw, or a hidden container."""

    __slots__ = ("value", "origins")

    def __init__(self, value: Any, origins: Origins) -> None:
        self.value = value
        self.origins = origins


def raw(value: Any) -> Any:
    """The plain value inside a traced one, containers included."""
    if isinstance(value, Traced):
        return value.value
    kind = type(value)
    if kind is TracedText:
        return "".join(value)
    if kind is TracedRange:
        return value.raw
    if kind is TracedShape:
        return tuple(raw(v) for v in value)
    if kind is tuple or kind is list:
        return kind(raw(v) for v in value)
    if kind is dict:
        return {k: raw(v) for k, v in value.items()}
    if kind is slice:
        return slice(raw(value.start), raw(value.stop), raw(value.step))
    return value


def is_array(value: Any) -> bool:
    """Whether `value` is a traced array or number (of `isinstance`, it is what it stands for)."""
    kind = type(value)
    return kind is TracedArray or kind is TracedScalar


def is_traced(value: Any) -> bool:
    """Whether `value` carries a node or an origin itself (not: whether something inside it does)."""
    return type(value) in (TracedArray, TracedScalar, TracedText, TracedRange)


def holds_traced(value: Any, depth: int = 6) -> bool:
    """Whether `value` is traced or a plain container with something traced in it."""
    kind = type(value)
    if is_traced(value):
        return True
    if depth and kind in (tuple, list, TracedShape, set, frozenset):
        return any(holds_traced(v, depth - 1) for v in value)
    if depth and kind is dict:
        return any(holds_traced(v, depth - 1) for v in value.values())
    return kind is slice and any(is_traced(v) for v in (value.start, value.stop, value.step))


def traced_in(value: Any, depth: int = 6) -> Iterator[Any]:
    """The traced arrays and numbers in a value and its plain containers."""
    if type(value) in (TracedArray, TracedScalar, TracedText):
        yield value
    elif depth and type(value) in (tuple, list, TracedShape, set, frozenset):
        for item in value:
            yield from traced_in(item, depth - 1)
    elif depth and type(value) is dict:
        yield from traced_in(list(value.values()), depth - 1)


def origins_of(value: Any) -> Origins:
    """Where a value came from: its node, or the origins it carries."""
    if isinstance(value, (Traced, TracedText, TracedRange)) and type(value) is not str:
        return value.origins if value.node is None else value.origins | {value.node}
    if type(value) in (tuple, list, set, TracedShape):
        return frozenset().union(*(origins_of(v) for v in value))
    return NO_ORIGINS


# ---- what traced values tell the recorder ----------------------------------------------------------


def decide(value: Traced, frame: FrameType | None, *, asserted: bool = False) -> bool:
    """The truth of a traced value, noted as a decision."""
    recorder = CURRENT.get()
    if recorder is not None:
        recorder.questions += 1
        _need_contents(recorder, value, Why.CONDITION, frame)
    outcome = bool(value.value)
    if recorder is not None and recorder.decided is value:
        recorder.decided = None
    elif recorder is not None and not recorder.muted:
        recorder.emit(Decision(site(frame), value.node, origins_of(value), outcome, asserted))
    return outcome


def lose(value: Any, how: str, frame: FrameType | None) -> None:
    """Note that a traced value is about to become a plain one."""
    recorder = CURRENT.get()
    if recorder is not None and not recorder.muted:
        _need_contents(recorder, value, Why.VALUE, frame)
        recorder.emit(Lost(site(frame), value.node, origins_of(value), raw(value), how))


def _need_contents(recorder: Recorder, value: Any, why: Why, frame: FrameType | None) -> None:
    """End the trace where the plain value is asked of what has no contents."""
    if recorder.known is not None:
        origins = origins_of(value)
        if any(isinstance(o, Node) and o not in recorder.known for o in origins):
            raise ContentsNeeded(why, site(frame), origins)


def unrolled(value: Any, count: int, frame: FrameType | None) -> None:
    """Note that a loop runs as often as a traced value says."""
    recorder = CURRENT.get()
    if recorder is not None and not recorder.muted:
        recorder.emit(Iteration(site(frame), value.node, origins_of(value), count))


def _formatted(value: Traced, text: str, frame: FrameType) -> str:
    recorder = CURRENT.get()
    if recorder is None:
        return text
    if hollow.is_hollow(recorder, value.node):
        text = f"<{value.value.dtype}{list(value.value.shape)} without contents>"
    if recorder.muted:
        return text
    at = user_frame(frame)
    if at is not None:
        recorder.formatted.append((at.f_code, value))
    return text


def iterate(array: Traced, frame: FrameType | None) -> Iterator[Any]:
    """The rows of an array, as many as the example has."""
    if array.node is None or not _has_written_length(array.node):
        unrolled(apply(len, (array,), None, frame), len(array.value), frame)
    return iter([apply(operator.getitem, (array, i), None, frame) for i in range(len(array.value))])


_PARTS_BY_SIZE = frozenset(getattr(np, name) for name in ("unstack", "histogramdd") if hasattr(np, name))
"""Functions whose result has as many parts as an axis is long."""


def _has_written_length(node: Node) -> bool:
    """Whether an array has as many rows as the program says: one for each dimension that is written there."""
    return node.function in _BY_RANK or (node.function is operator.getitem and type(node.args[0]) in INDEX_TRICKS)


def shape_of(value: Traced, frame: FrameType | None) -> Any:
    """The shape, its sizes traced unless the mode makes them constants."""
    recorder = CURRENT.get()
    if recorder is None or recorder.mode != "symbolic" or value.node is None:
        if recorder is not None and value.node is not None:
            recorder.sized.append((value.node, site(frame)))
        return value.value.shape
    shape = TracedShape(apply(size_of, (value, axis), None, frame) for axis in range(value.value.ndim))
    shape.array = value
    return shape


def length(value: Traced, frame: FrameType | None) -> Any:
    recorder = CURRENT.get()
    if recorder is None or recorder.mode != "symbolic":
        if recorder is not None and value.node is not None:
            recorder.sized.append((value.node, site(frame)))
        return len(value.value)
    return apply(len, (value,), None, frame)


INDEX_TRICKS = frozenset({type(np.mgrid), type(np.ogrid), type(np.r_), type(np.c_)})
"""NumPy's objects that make arrays of what they are indexed with."""
_BY_RANK = frozenset({np.indices, np.meshgrid})
"""Functions whose result has one row for each dimension: iterating it follows no size."""
_CLASSES = frozenset({"__class__", "type"})
LOOK_UP = "look-up"
"""How a key became plain: it chose an item of a dictionary."""
RAW_MEMORY = frozenset({"ctypes", "data", "__array_interface__", "__array_struct__", "__dlpack__"})
_SIZES = frozenset({"size", "nbytes"})
_LAYOUT = frozenset({"flags", "strides"})
_METADATA = frozenset({"base", "device", "itemset", "setflags"})


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
    if name in RAW_MEMORY and isinstance(plain, np.ndarray):
        recorder.emit(RawMemory(site(frame), name))
        return getattr(plain, name)
    kind = type(plain)
    if name in _CLASSES and isinstance(getattr(plain, name), type):
        source = Source(Origin.TYPE, "the class of a value", site(frame))
        at = user_frame(frame)
        recorder.recent.append((at.f_code if at is not None else recorder.root, getattr(plain, name), source))
        return getattr(plain, name)
    method = getattr(np.generic, name, None) if isinstance(plain, np.generic) else None
    method = method if method is not None else getattr(kind, name, None)
    if callable(method) and not isinstance(method, (type, property)):
        return partial(_call_method, method, value)
    if name == "flat" and type(value) is TracedArray:
        return TracedFlat(value)
    if name in _LAYOUT:
        return _layout(recorder, value, name, frame)
    if name in _SIZES and recorder.mode != "symbolic":
        if value.node is not None:
            recorder.sized.append((value.node, site(frame)))
        return getattr(plain, name)
    if name in _METADATA:
        return getattr(plain, name)
    if value.node is None:
        return lift_constant(getattr(plain, name), value.origins)
    return apply(getattr, (value, name), None, frame)


def _layout(recorder: Recorder, value: Traced, name: str, frame: FrameType | None) -> Any:
    """How an array lies in memory: a matter of its type, as the dtype is; what is read from flags knows it, too."""
    found = getattr(value.value, name)
    source = Source(Origin.TYPE, "the memory layout of an array", site(frame))
    if name == "strides":
        return tuple(lift_constant(stride, frozenset({source})) for stride in found)
    recorder.holders[id(found)] = Holder(found, "flags", False, source=source)
    return found


def _call_method(method: Callable[..., Any], value: Traced, /, *args: Any, **kwargs: Any) -> Any:
    if value.node is None and not any(holds_traced(a) for a in (*args, *kwargs.values())):
        return lift_constant(method(value.value, *args, **kwargs), value.origins)
    return apply(method, (value, *args), kwargs or None, sys._getframe(1))


def lift_constant(value: Any, origins: Origins) -> Any:
    """A number that is constant in the graph, with where it came from; other values as they are."""
    if isinstance(value, str):
        return TracedText.of(value, origins)
    if isinstance(value, _OBJECTS) and not isinstance(value, Traced):
        return TracedScalar(value, None, origins)
    return value


# ---- operators -------------------------------------------------------------------------------------


def scalar_operation(function: Callable[..., Any], args: tuple[Any, ...], frame: FrameType | None) -> Any:
    """An operation on numbers: folded where all are constant in the graph, else a node."""
    for arg in args:
        if type(arg) in (TracedArray, TracedScalar) and arg.node is not None:
            return _repeated(function, args, arg, frame) or apply(function, args, None, frame)
        if type(arg) is np.ndarray:
            return apply(function, args, None, frame)
    result = function(*[raw(a) for a in args])
    if result is NotImplemented:
        return result
    return lift_constant(result, frozenset().union(*(origins_of(a) for a in args)))


def _repeated(function: Callable[..., Any], args: tuple[Any, ...], count: Any, frame: FrameType | None) -> Any:
    """`sequence * number`: a plain sequence, whose length no longer follows the number."""
    if function is not operator.mul or not any(isinstance(a, (list, tuple, str, bytes)) for a in args):
        return None
    lose(count, "repeat", frame)
    left, right = (a.value if a is count else a for a in args)
    return left * right


def _array_binary(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (self, other), None, sys._getframe(1))

    return method


def _array_reflected(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (other, self), None, sys._getframe(1))

    return method


def _array_inplace(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return apply(function, (self, other), None, sys._getframe(1), self)

    return method


def _scalar_binary(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return scalar_operation(function, (self, other), sys._getframe(1))

    return method


def _scalar_reflected(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return scalar_operation(function, (other, self), sys._getframe(1))

    return method


def _scalar_unary(function: Callable[..., Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return scalar_operation(function, (self,), sys._getframe(1))

    return method


def _array_unary(function: Callable[..., Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return apply(function, (self,), None, sys._getframe(1))

    return method


_BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "matmul": operator.matmul,
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift, "divmod": divmod,
}  # fmt: skip
_INPLACE = {
    "iadd": operator.iadd, "isub": operator.isub, "imul": operator.imul, "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv, "imod": operator.imod, "ipow": operator.ipow, "iand": operator.iand,
    "ior": operator.ior, "ixor": operator.ixor, "ilshift": operator.ilshift, "irshift": operator.irshift,
    "imatmul": operator.imatmul,
}  # fmt: skip
_COMPARE = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip
_UNARY: dict[str, Callable[..., Any]] = {
    "neg": operator.neg,
    "pos": operator.pos,
    "invert": operator.invert,
    "abs": abs,
}


def _install() -> None:
    """Give both classes their operators, from the tables above."""
    for name, function in {**_BINARY, **_COMPARE}.items():
        setattr(TracedArray, f"__{name}__", _array_binary(function))
        setattr(TracedScalar, f"__{name}__", _scalar_binary(function))
    for name, function in _BINARY.items():
        setattr(TracedArray, f"__r{name}__", _array_reflected(function))
        setattr(TracedScalar, f"__r{name}__", _scalar_reflected(function))
    for name, function in _INPLACE.items():
        setattr(TracedArray, f"__{name}__", _array_inplace(function))
    for name, unary in _UNARY.items():
        setattr(TracedArray, f"__{name}__", _array_unary(unary))
        setattr(TracedScalar, f"__{name}__", _scalar_unary(unary))


_install()
