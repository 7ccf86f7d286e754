"""NumPy itself says what shape, dtype and kind a result has; rules must say the same from shapes and dtypes alone."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tracer.shapes import Abstract, Reason, Size, Unknown, assumptions, infer

ARRAYS = (np.ndarray, np.generic)


@dataclass(frozen=True)
class Call:
    """One call of a function with real arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [*map(short, self.args), *(f"{k}={short(v)}" for k, v in self.kwargs.items())]
        return f"{getattr(self.function, '__qualname__', self.function)}({', '.join(parts)})"


def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Call:
    return Call(function, args, kwargs)


def short(value: Any) -> str:
    if isinstance(value, ARRAYS):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + "(" + ", ".join(map(short, value)) + ")"
    return repr(value)


def mapped(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """A copy of arguments with each array replaced by what `leaf` makes of it."""
    if isinstance(value, ARRAYS):
        return leaf(value)
    if hasattr(value, "_fields"):
        return type(value)(*(mapped(v, leaf) for v in value))
    if type(value) in (list, tuple):
        return type(value)(mapped(v, leaf) for v in value)
    if type(value) is dict:
        return {k: mapped(v, leaf) for k, v in value.items()}
    if type(value) is slice:
        return slice(mapped(value.start, leaf), mapped(value.stop, leaf), mapped(value.step, leaf))
    return value


def abstract(value: Any) -> Any:
    return Abstract(value.shape, value.dtype, isinstance(value, np.generic))


def outcome(function: Callable[[], Any]) -> Any:
    """The result, or the exception that was raised."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function()
        except Exception as raised:
            return raised


def copy_of(array: Any) -> Any:
    """A copy; strings of no length would not stay so."""
    return array.copy(order="K") if isinstance(array, np.ndarray) and array.itemsize else array


def real(made: Call) -> Any:
    return outcome(lambda: made.function(*mapped(made.args, copy_of), **mapped(made.kwargs, copy_of)))


def differs(found: Any, wanted: Any) -> str | None:
    """What is wrong with an inferred result, if anything is."""
    if isinstance(found, ARRAYS):
        found = abstract(found)  # its contents are known, too
    if isinstance(wanted, ARRAYS):
        if not isinstance(found, Abstract):
            return f"{found!r} is no array"
        if tuple(found.shape) != wanted.shape:
            return f"shape {found.shape} instead of {wanted.shape}"
        if found.dtype != wanted.dtype:
            return f"{found.dtype} instead of {wanted.dtype}"
        if found.scalar != isinstance(wanted, np.generic):
            return "a scalar" if found.scalar else "no scalar"
        return None
    if isinstance(wanted, (tuple, list)):
        if type(found) is not type(wanted) or len(found) != len(wanted):
            return f"{type(found).__name__} {found!r} instead of {type(wanted).__name__} of {len(wanted)}"
        return next((wrong for wrong in map(differs, found, wanted) if wrong is not None), None)
    if type(found) is not type(wanted) or (found != wanted and repr(found) != repr(wanted)):
        return f"{found!r} instead of {wanted!r}"
    return None


def agrees(made: Call) -> Reason | None:
    """Hold the rule, on plain numbers, against NumPy; why it does not know the result, if it does not."""
    wanted = real(made)
    args, kwargs = mapped(made.args, abstract), mapped(made.kwargs, abstract)
    found = outcome(lambda: infer(made.function, args, kwargs))
    if isinstance(found, Unknown):
        return found.reason
    if isinstance(wanted, IndexError) and not isinstance(found, Exception):
        return Reason.CONTENTS  # positions that lie outside are contents
    if isinstance(wanted, Exception):
        assert isinstance(found, type(wanted)) or isinstance(wanted, type(found)) or (
            isinstance(found, Exception) and isinstance(wanted, _SHAPE_ERRORS) and isinstance(found, _SHAPE_ERRORS)
        ), f"{made}: {found!r} where NumPy raises {wanted!r}"  # fmt: skip
        return None
    assert not isinstance(found, Exception), f"{made}: raises {found!r}"
    wrong = differs(found, wanted)
    assert wrong is None, f"{made}: {wrong}"
    return None


_SHAPE_ERRORS = (ValueError, IndexError, TypeError)


# ---- symbolic sizes --------------------------------------------------------------------------------


@dataclass
class Symbols:
    """Arrays of a call with a symbol for each size, and the same call at other sizes."""

    made: Call
    arrays: list[Any]

    @classmethod
    def of(cls, made: Call) -> Symbols:
        arrays: list[Any] = []
        mapped((made.args, list(made.kwargs.values())), lambda a: arrays.append(a))
        return cls(made, arrays)

    def abstracted(self) -> tuple[Any, Any]:
        numbers = iter(range(len(self.arrays)))

        def leaf(array: Any) -> Any:
            number = next(numbers)
            sizes = tuple(Size.atom(f"a{number}.shape[{axis}]", size) for axis, size in enumerate(array.shape))
            return Abstract(sizes, array.dtype, isinstance(array, np.generic))

        return mapped(self.made.args, leaf), mapped(self.made.kwargs, leaf)

    def at(self, sizes: dict[str, int]) -> Call:
        numbers = iter(range(len(self.arrays)))

        def leaf(array: Any) -> Any:
            number = next(numbers)
            shape = tuple(sizes[f"a{number}.shape[{axis}]"] for axis in range(array.ndim))
            return array if isinstance(array, np.generic) else resized(array, shape)

        return Call(self.made.function, mapped(self.made.args, leaf), mapped(self.made.kwargs, leaf))

    def others(self, chance: random.Random, count: int) -> Iterator[dict[str, int]]:
        """Other sizes: sizes that are equal stay equal mostly, and each may change by itself."""
        names = {f"a{n}.shape[{i}]": s for n, a in enumerate(self.arrays) for i, s in enumerate(a.shape)}
        for _ in range(count):
            alike = {s: chance.choice((s, s + 1, s + 3, 2 * s, 0, 1, 7)) for s in set(names.values())}
            yield {n: alike[s] if chance.random() < 0.9 else chance.randrange(5) for n, s in names.items()}


def resized(array: Any, shape: Sequence[int]) -> Any:
    """An array of that shape with the first one's dtype and contents in the same range."""
    if not array.size:
        return np.zeros(shape, array.dtype)
    return np.resize(array, tuple(shape)).astype(array.dtype, copy=False)


def evaluated(found: Any, sizes: dict[str, int]) -> Any:
    """An inferred result with its sizes computed; None for one that nobody knows."""
    if isinstance(found, Size):
        return found.evaluate(sizes)
    if isinstance(found, Abstract):
        return Abstract(tuple(evaluated(d, sizes) for d in found.shape), found.dtype, found.scalar)
    if isinstance(found, tuple) and hasattr(found, "_fields"):
        return type(found)(*(evaluated(f, sizes) for f in found))
    if isinstance(found, (tuple, list)):
        return type(found)(evaluated(f, sizes) for f in found)
    return found


def holds_elsewhere(made: Call, seed: int = 0, count: int = 12) -> int:
    """Hold expressions against NumPy at other sizes, wherever the assumptions are true; at how many they were."""
    symbols, held = Symbols.of(made), 0
    args, kwargs = symbols.abstracted()
    with assumptions() as assumed:
        found = outcome(lambda: infer(made.function, args, kwargs))
    if isinstance(found, Exception):
        assert isinstance(found, Unknown) or isinstance(real(made), Exception), f"{made}, symbolic: raises {found!r}"
        return 0
    if found is None:
        return 0  # written in place: nothing comes out
    for sizes in symbols.others(random.Random(seed), count):
        if not all(a.holds(sizes) for a in assumed):
            continue
        other = symbols.at(sizes)
        wanted = real(other)
        if isinstance(wanted, Exception):
            continue
        wrong = differs_symbolic(evaluated(found, sizes), wanted)
        assert wrong is None, f"{other}, by {found}, of {made}, assuming {[a.text for a in assumed]}: {wrong}"
        held += 1
    return held


def differs_symbolic(found: Any, wanted: Any) -> str | None:
    """As `differs`, with None for sizes that nobody knows."""
    if isinstance(wanted, ARRAYS) and isinstance(found, Abstract) and len(found.shape) == wanted.ndim:
        guesses: tuple[Any, ...] = found.shape
        sizes = tuple(w if f is None else f for f, w in zip(guesses, wanted.shape, strict=True))
        return differs(Abstract(sizes, found.dtype, found.scalar), wanted)
    if isinstance(wanted, (tuple, list)) and type(found) is type(wanted) and len(found) == len(wanted):
        return next((w for w in map(differs_symbolic, found, wanted) if w is not None), None)
    return differs(found, wanted)
