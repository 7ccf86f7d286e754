"""What Python and NumPy ask of traced values, besides operators: the methods of their classes."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

from . import libraries
from .attributes import attribute, iterate, length, shape_of
from .operations import apply
from .recorder import stopped_at
from .steps import copy_of, count_of_range, flat_item, set_flat_item, set_part, set_shape
from .telling import decide, formatted, lose, unrolled
from .traced import (
    Traced,
    TracedArray,
    TracedFlat,
    TracedRange,
    TracedScalar,
    TracedShape,
    TracedText,
    holds_traced,
    methods_of,
    origins_of,
    raw,
)


@methods_of(Traced)
class _Any(Traced):
    """What arrays and scalars share."""

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
        return formatted(self, str(self.value), sys._getframe(1))

    def __repr__(self) -> str:
        return formatted(self, repr(self.value), sys._getframe(1))

    def __format__(self, spec: str) -> str:
        return formatted(self, format(self.value, spec), sys._getframe(1))

    def __copy__(self) -> Any:
        library = libraries.of(self.value)
        if library is not None:
            return apply(library.clone, (self,), None, sys._getframe(1))
        return apply(copy_of, (self,), None, sys._getframe(1)) if isinstance(self.value, np.ndarray) else self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        lose(self, "pickle", sys._getframe(1))
        return self.value.__reduce_ex__(protocol)


@methods_of(TracedArray)
class _Array(TracedArray):
    @property
    def shape(self) -> Any:
        return shape_of(self, sys._getframe(1))

    @shape.setter
    def shape(self, shape: Any) -> None:
        apply(set_shape, (self, shape), None, sys._getframe(1), self)

    @property
    def T(self) -> Any:  # noqa: N802  # NumPy's name
        return apply(getattr, (self, "T"), None, sys._getframe(1))

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


@methods_of(TracedScalar)
class _Scalar(TracedScalar):
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


@methods_of(TracedText)
class _Text(TracedText):  # noqa: PLW1641  # the class itself hashes
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

    def __getattr__(self, name: str) -> Any:
        """An attribute that an element of an array of strings has besides those of `str`."""
        if self.node is None or name.startswith("__"):
            raise AttributeError(name)
        if callable(getattr(np.str_, name, None)):
            lose(self, name, sys._getframe(1))
        return getattr(np.str_("".join(self)), name)


@methods_of(TracedShape)
class _Shape(TracedShape):  # noqa: PLW1641  # the class itself hashes
    def __eq__(self, other: object) -> Any:
        return self._compared(operator.eq, other, sys._getframe(1))

    def __ne__(self, other: object) -> Any:
        return self._compared(operator.ne, other, sys._getframe(1))

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return TracedShape.of(found, self.kind) if isinstance(key, slice) and holds_traced(found) else found

    def __getattr__(self, name: str) -> Any:
        if name != "numel" or not hasattr(self.kind, name):  # PyTorch's shapes know how many elements there are
            raise AttributeError(f"'{self.kind.__name__}' object has no attribute '{name}'")
        return lambda: functools.reduce(operator.mul, self, 1)

    def __add__(self, other: Any) -> Any:
        """Before a shape of a library's own class does it, which would make numbers of the sizes."""
        return TracedShape.of((*self, *other), self.kind) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return TracedShape.of((*other, *self), self.kind) if isinstance(other, tuple) else NotImplemented

    def _compared(self, function: Callable[..., Any], other: Any, frame: FrameType) -> Any:
        """Shapes are compared as a whole: one node, and one decision where its truth is asked."""
        if not isinstance(other, tuple):
            return function(raw(self), other)
        return apply(function, (self, other), None, frame)


@methods_of(TracedRange)
class _Range(TracedRange):
    def __iter__(self) -> Iterator[int]:
        unrolled(self, len(self.raw), sys._getframe(1))
        return iter(self.raw)

    def __reversed__(self) -> Iterator[int]:
        unrolled(self, len(self.raw), sys._getframe(1))
        return reversed(self.raw)


def traced_range(args: tuple[Any, ...], frame: FrameType) -> TracedRange:
    """`range(*args)` of traced numbers."""
    count = apply(count_of_range, args, None, frame)
    node = count.node if isinstance(count, Traced) else None
    return TracedRange(range(*(raw(a) for a in args)), node, origins_of(count))


@methods_of(TracedFlat)
class _Flat(TracedFlat):
    def __getitem__(self, key: Any) -> Any:
        return apply(flat_item, (self.array, key), None, sys._getframe(1))

    def __setitem__(self, key: Any, value: Any) -> None:
        apply(set_flat_item, (self.array, key, value), None, sys._getframe(1), self.array)

    def __iter__(self) -> Iterator[Any]:
        frame = sys._getframe(1)
        unrolled(apply(getattr, (self.array, "size"), None, frame), self.array.value.size, frame)
        here = stopped_at(frame)
        return (apply(flat_item, (self.array, i), None, here) for i in range(self.array.value.size))
