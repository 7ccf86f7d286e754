"""Arguments that are no arrays: a graph has the items and functions that it was traced with, and says so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tracer.oracle import agrees, same
from tracer import GuardError, spec, trace

A, B, C = np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.array([7.0, 11.0])


def weighted(arrays: Any) -> Any:
    total = 0
    for place, array in enumerate(arrays):
        total = total + array * place
    return total


def layer(parameters: Any, x: Any) -> Any:
    y = parameters["w"] * x
    return y if parameters.get("b") is None else y + parameters["b"]


def added(x: Any, *more: Any) -> Any:
    for each in more:
        x = x + each
    return x


def called(function: Any, x: Any) -> Any:
    return function(x)


def sliced(x: Any, part: Any) -> Any:
    return x[part]


def converted(x: Any, dtype: Any) -> Any:
    return x.astype(dtype)


OTHERS: list[tuple[Any, tuple[Any, ...], tuple[Any, ...], str]] = [
    (weighted, ([A, B],), ([A, B, C],), "len(arrays) == 2"),
    (weighted, ((A, B),), ((A, B, C),), "len(arrays) == 2"),
    (layer, ({"w": A}, B), ({"w": A, "b": C}, B), "list(parameters) == ['w']"),
    (added, (A, B), (A, B, C), "len(more) == 1"),
    (called, (np.sin, A), (np.cos, A), "function is sin"),
    (sliced, (A, slice(1, None)), (A, slice(0, 1)), "part is slice(1, None, None)"),
    (converted, (A, np.dtype("f4")), (A, np.dtype("f8")), "dtype is dtype('float32')"),
]


@pytest.mark.parametrize(
    ("function", "example", "other", "condition"), OTHERS, ids=[f"{f.__name__}-{text}" for f, _, _, text in OTHERS]
)
def test_another_structure_is_refused(function: Any, example: Any, other: Any, condition: str) -> None:
    graph = agrees(function, *example).graph
    with pytest.raises(GuardError) as refused:
        graph(*other)
    assert refused.value.condition == condition
    assert [guard.text for guard in graph.failed_guards(*other)] == [condition]


def scanned(x: Any) -> Any:
    for place, value in enumerate(x):
        if place < 2:
            x[place + 1] += value
    return x


def doubled_on_the_way(x: Any) -> Any:
    total = 0.0
    for left, right in zip(x[1:], x, strict=False):
        x *= 2
        total = total + left * right
    return total


def raised_through_flat(x: Any) -> Any:
    total = 0.0
    for value in x.flat:
        x += 1
        total = total + value
    return total


def backwards(x: Any) -> Any:
    return [x.__iadd__(1)[0] * value for value in reversed(x)]


@pytest.mark.parametrize("function", [scanned, doubled_on_the_way, raised_through_flat, backwards])
def test_a_loop_reads_each_element_when_it_comes_to_it(function: Any) -> None:
    agrees(function, np.array([1.0, 2.0, 3.0]), others=[[np.array([5.0, -1.0, 0.5])]])


def test_a_size_is_told_only_where_it_follows_the_inputs_exactly() -> None:
    def sized(x: Any) -> Any:
        n = x.shape[0]
        return np.zeros(min(n, 5)), np.zeros(max(n, 5)), x[: int(np.sqrt(n))]

    graph = trace(sized, np.ones(6)).graph
    told = [graph.sizes.in_words(node) for node in graph.results()]
    assert told == ["(min(x.shape[0], 5),)", "(max(x.shape[0], 5),)", None]


def multiplied(x: Any, y: Any) -> Any:
    return np.matmul(x, y, out=np.empty((3, 5)))


def flattened(x: Any) -> Any:
    x.shape = (x.size,)
    return x.reshape(x.shape[0] // 2, -1)


@pytest.mark.parametrize("mode", ["symbolic", "fake"])
@pytest.mark.parametrize(("function", "shapes"), [(multiplied, ((3, 4), (4, 5))), (flattened, ((2, 3),))])
def test_abstract_arrays_do_what_arrays_do(function: Any, shapes: Any, mode: str) -> None:
    traced = trace(function, *(spec(shape) for shape in shapes), mode=mode)
    assert traced.error is None
    arrays = [np.arange(float(np.prod(shape))).reshape(shape) for shape in shapes]
    same(traced.graph(*(array.copy() for array in arrays)), function(*(array.copy() for array in arrays)))
