"""Values as text that makes them, or what is like them, again; nothing of the user's is run for it."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from nst_lsp.testing.telling import Untold, tell
from tracer.specs import spec


class Pair(NamedTuple):
    first: int
    second: int


class Colour(enum.Enum):
    RED = 1


@dataclass
class Record:
    size: int
    rows: Any = None
    cache: int = field(default=0, init=False)


@dataclass(slots=True)
class Slotted:
    size: int


class Outer:
    class Inner(enum.Enum):
        ONE = 1


def helper(x):
    return x


SPACE = {**globals(), "np": np}


def text(value: Any) -> str:
    return tell(value, SPACE, lambda value, space: None).text


def made(value: Any) -> Any:
    return eval(text(value), {**SPACE, "spec": spec})


ARRAYS = [
    (np.array([1.0, 2.5]), "np.array([1.0, 2.5])"),
    (np.array([[1, 2], [3, 5]]), "np.array([[1, 2], [3, 5]])"),
    (np.array([1.5, 0.1], "f4"), 'np.array([1.5, 0.1], dtype="float32")'),
    (np.array([np.nan, -np.inf]), "np.array([np.nan, -np.inf])"),
    (np.array([True, False]), "np.array([True, False])"),
    (np.array([1j, 2]), "np.array([1j, (2+0j)])"),
    (np.array(3.0), "np.array(3.0)"),
    (np.zeros((0, 3)), "np.zeros((0, 3))"),
    (np.ones((3, 4)), "np.ones((3, 4))"),
    (np.zeros(5, "i4"), 'np.zeros(5, dtype="int32")'),
    (np.full((2, 3), 2.5, "f4"), 'np.full((2, 3), 2.5, dtype="float32")'),
    (np.full(4, True), "np.full(4, True)"),
    (np.arange(10), "np.arange(10)"),
    (np.arange(10.0), "np.arange(10.0)"),
    (np.arange(3, 9, dtype="u1"), 'np.arange(3, 9, dtype="uint8")'),
    (np.arange(20.0, dtype="f4"), 'np.arange(20.0, dtype="float32")'),
    (np.linspace(0.0, 1.0, 50), "np.linspace(0.0, 1.0, 50)"),
    (np.eye(4, dtype="f4"), 'np.eye(4, dtype="float32")'),
]


@pytest.mark.parametrize(("array", "expected"), ARRAYS, ids=[expected for _, expected in ARRAYS])
def test_an_array_that_is_told_exactly(array: np.ndarray[Any, Any], expected: str):
    assert text(array) == expected
    again = made(array)
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(again, array)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "i8", "u1", "?", "c8", "c16"])
@pytest.mark.parametrize("shape", [(20,), (4, 30), (2, 3, 5)])
def test_an_array_that_is_not_has_its_like(dtype: str, shape: tuple[int, ...]):
    array = (np.random.default_rng(3).normal(size=shape) * 40).astype(dtype)
    again = made(array)
    assert (again.dtype, again.shape) == (array.dtype, array.shape)
    if array.dtype.kind in "iu":
        assert again.min() >= array.min()
        assert again.max() <= array.max()


def test_a_large_array_is_abstract():
    assert text(np.ones((1000, 1000), "f4")) == 'spec((1000, 1000), "float32")'


VALUES = [
    (None, "None"),
    (3, "3"),
    (-0.5, "-0.5"),
    (float("inf"), "np.inf"),
    (2j, "2j"),
    ("a'b", '"a\'b"'),
    ((1,), "(1,)"),
    ([1, (2.0, "x")], "[1, (2.0, 'x')]"),
    ({"a": np.ones(3)}, "{'a': np.ones(3)}"),
    (slice(1, None), "slice(1, None, None)"),
    (np.float32(0.1), "np.float32(0.1)"),
    (np.bool_(True), "np.bool_(True)"),
    (np.dtype("i4"), 'np.dtype("int32")'),
    (np.float32, "np.float32"),
    (np.tanh, "np.tanh"),
    (len, "len"),
    (float, "float"),
    (helper, "helper"),
    (Colour.RED, "Colour.RED"),
    (Pair(1, 2), "Pair(1, 2)"),
    (Record(3, np.ones(4)), "Record(size=3, rows=np.ones(4))"),
    (Record(3), "Record(size=3)"),
    (Slotted(3), "Slotted(size=3)"),
]


@pytest.mark.parametrize(("value", "expected"), VALUES, ids=[expected for _, expected in VALUES])
def test_other_values(value: Any, expected: str):
    assert text(value) == expected
    eval(expected, SPACE)


class Trap:
    """Whatever is asked of it fails the test."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked for")

    def __repr__(self) -> str:
        raise AssertionError("its text was asked for")

    __eq__ = __hash__ = __len__ = __iter__ = __repr__  # type: ignore[assignment]


class MyList(list):
    __len__ = __iter__ = Trap.__repr__  # type: ignore[assignment]


UNTOLD = [
    np.array(["a"]), np.array([object()]), np.ma.ones(3), range(3), {1, 2},
    "x" * 500, list(range(100)), lambda x: x, ModuleType("m"), object(), np.datetime64("2020-01-01"), 10**200,
    [[[[[[[1]]]]]]], np.zeros(2, "f4,i4"), Record.__init__,
]  # fmt: skip


@pytest.mark.parametrize("value", UNTOLD, ids=lambda value: type(value).__name__)
def test_what_cannot_be_told_is_left_alone(value: Any):
    with pytest.raises(Untold):
        text(value)


@pytest.mark.parametrize("make", [Trap, lambda: [Trap()], lambda: {"a": Trap()}, lambda: Record(1, Trap()), MyList])
def test_nothing_is_asked_of_an_object(make: Callable[[], Any]):
    with pytest.raises(Untold):
        text(make())


def test_names_of_other_modules_are_reached_through_them():
    module = ModuleType("other")
    vars(module)["helper"] = helper
    assert tell(helper, {"o": module}, lambda value, space: None).text == "o.helper"
    with pytest.raises(Untold):
        tell(helper, {}, lambda value, space: None)
    assert tell(Outer.Inner.ONE, {"Outer": Outer}, lambda value, space: None).text == "Outer.Inner.ONE"


def test_without_numpy_there_are_no_arrays(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "numpy")
    assert tell([1, 2], {}, lambda value, space: None).text == "[1, 2]"
