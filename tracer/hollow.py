"""Hollow values: arrays of which a trace knows shape and dtype, and no contents.

They come from `spec` examples, and from every array in `fake` mode.  A hollow array is one zero, seen through strides
of zero as the whole shape: it answers for its shape, dtype and dimensions like any array and takes no memory.  What an
operation on it gives is told by the rules of `shapes`; whoever needs contents ends the trace with `ContentsNeeded`.
`Recorder.known` holds the nodes whose values are real all the same: sizes, captured arrays, small arrays made by the
program itself.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from enum import Enum
from types import WrapperDescriptorType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import libraries
from .nodes import Node
from .shapes import Abstract, Reason, Unknown, infer
from .steps import count_of_range

if TYPE_CHECKING:
    from .events import Origins, Site
    from .recorder import Recorder

REAL = 4096
"""Arrays that the program makes from nothing hollow are real up to this many elements."""


class Why(Enum):
    """What contents were needed for; the value is said of the place."""

    CONDITION = "this condition needs"
    VALUE = "this plain value needs"
    SHAPE = "the shape of this result needs"
    OPAQUE = "this code, which the tracer does not see into, needs"
    RULE = "this operation, which has no rule for shapes alone, needs"


class ContentsNeeded(BaseException):
    """The trace cannot go on without contents that the example does not have.

    No `Exception`, so that no `except` of the user's code keeps it: `capture` turns it into data.
    """

    def __init__(self, why: Why, site: Site | None, origins: Origins) -> None:
        super().__init__(f"{why.value} the contents of an array, which the example does not give")
        self.why = why
        self.site = site
        self.origins = origins


class NoContentsError(RuntimeError):
    """What `trace(…).error` is, and `make_graph` raises, where contents were needed that the example does not give."""

    def __init__(self, needed: ContentsNeeded) -> None:
        super().__init__(str(needed))
        self.needed = needed


def hollow(shape: tuple[int, ...], dtype: np.dtype[Any], scalar: bool = False) -> Any:
    """A hollow array, or NumPy scalar, of a shape and dtype."""
    zero = np.zeros((), dtype)
    return zero[()] if scalar else np.broadcast_to(zero, shape)


def reshaped(array: Any, shape: tuple[Any, ...]) -> Any:
    """A hollow array after `array.shape = shape` or `array.resize(*shape)`."""
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    given = math.prod(size for size in sizes if size != -1)
    return hollow(tuple(array.size // given if size == -1 else size for size in sizes), array.dtype)


def is_hollow(recorder: Recorder, node: Node | None) -> bool:
    """Whether a node's value has no contents."""
    return recorder.known is not None and node is not None and node not in recorder.known


def run(
    recorder: Recorder,
    function: Callable[..., Any],
    values: tuple[list[Any], dict[str, Any]],
    operands: tuple[list[Any], dict[str, Any]],
    written: Any,
) -> tuple[Any, bool]:
    """The result of an operation on values some of which may be hollow, and whether it is a real one.

    `values` and `operands` are `(positional, by keyword)`, alike in structure; `written` is the plain array that the
    operation changes in place, if any.  Raises what the operation itself would, and `Unknown` where shapes and dtypes
    do not tell its result.
    """
    library = recorder.library
    if library is not None and (library.address(function) is not None or _holds_tensor(values)):
        result = library.run_hollow(function, *values)
        return result, not _holds_tensor(result)
    function = OPERATORS.get(function, function)
    args, kwargs = (_abstract(recorder, v, o) for v, o in zip(values, operands, strict=True))
    args = tuple(args)
    if not _holds_abstract((args, kwargs)):
        try:
            small = _elements(infer(function, args, kwargs)) <= REAL
        except Unknown:
            small = True  # what it works on is real, and in memory already
        if small or function is operator.setitem:
            return function(*values[0], **values[1]), True
    try:
        result = infer(function, args, kwargs)
    except Unknown as unknown:
        if function is np.count_nonzero and unknown.reason is Reason.CONTENTS:
            return 0, False  # a plain number before NumPy 2.4: as hollow as an array
        raise
    if written is not None and result is not None:
        return written, False
    return _made(result), not _holds_abstract(result)


OPERATORS: dict[Any, Callable[..., Any]] = {
    method: getattr(operator, name)
    for name, method in vars(np.ndarray).items()
    if isinstance(method, WrapperDescriptorType) and hasattr(operator, name)
}
OPERATORS[np.ndarray.__len__] = len
"""The operators by the methods that stand for them, where a program calls these itself."""


def _abstract(recorder: Recorder, value: Any, operand: Any) -> Any:
    """A value as the rules take it: hollow ones by shape and dtype."""
    if type(operand) is Node:
        if is_hollow(recorder, operand) and isinstance(value, (np.ndarray, np.generic)):
            return Abstract(value.shape, value.dtype, isinstance(value, np.generic))
        return value
    kind = type(value)
    if kind is tuple or kind is list:
        return kind(_abstract(recorder, v, o) for v, o in zip(value, operand, strict=True))
    if kind is dict:
        return {k: _abstract(recorder, v, operand[k]) for k, v in value.items()}
    if kind is slice:
        parts = zip((value.start, value.stop, value.step), (operand.start, operand.stop, operand.step), strict=True)
        return slice(*(_abstract(recorder, v, o) for v, o in parts))
    return value


def _holds_tensor(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds_tensor, value))
    return any(map(_holds_tensor, value.values())) if type(value) is dict else libraries.of(value) is not None


def _holds_abstract(value: Any) -> bool:
    kind = type(value)
    if isinstance(value, (tuple, list)):
        return any(_holds_abstract(v) for v in value)
    if kind is dict:
        return any(_holds_abstract(v) for v in value.values())
    if kind is slice:
        return _holds_abstract((value.start, value.stop, value.step))
    return kind is Abstract


def _elements(result: Any) -> int:
    """How many elements a result has, the largest array of several."""
    if isinstance(result, Abstract):
        return int(result.size)
    return max(map(_elements, result), default=0) if isinstance(result, (tuple, list)) else 0


def _made(result: Any) -> Any:
    """A rule's result as plain values, hollow where it is an array."""
    if isinstance(result, Abstract):
        return hollow(tuple(map(int, result.shape)), result.dtype, result.scalar)
    if isinstance(result, (tuple, list)):
        parts = [_made(part) for part in result]
        return type(result)(*parts) if hasattr(result, "_fields") else type(result)(parts)
    return result


def why(function: Callable[..., Any], unknown: Unknown) -> Why:
    """What the contents are needed for that a rule asks for."""
    if unknown.reason is Reason.CONTENTS:
        return Why.SHAPE if function not in _PLAIN else Why.VALUE
    return Why.OPAQUE if hasattr(function, "function") else Why.RULE


_PLAIN = frozenset({
    np.ndarray.item, np.ndarray.tolist, np.ndarray.tobytes, np.generic.item, np.generic.tolist, count_of_range, bool,
    int, float, complex, operator.index, operator.contains, np.array_equal, np.allclose, np.array_equiv, round,
})  # fmt: skip
"""Functions whose result is a plain value made of contents."""
