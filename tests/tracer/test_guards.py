"""Conditions that were decided while tracing: the graph refuses arguments for which they are decided otherwise."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from tests.tracer.oracle import agrees, same
from tracer import GuardError, make_graph, trace

V = np.array([0.5, -1.0, 2.0])


def on_a_size(x):
    if x.shape[0] > 2:
        return x * 2
    return x - 1


def on_len(x):
    return x.sum() if len(x) == 3 else x.max()


def on_two_sizes(x, y):
    if x.shape[0] == y.shape[0]:
        return x + y
    return x


def on_arithmetic_of_sizes(x):
    rows = x.shape[0]
    while rows > 1:
        rows //= 2
    return x * 2 if rows == 1 else x


def on_contents(x):
    if x.sum() > 0:
        return x
    return -x


def on_an_element(x):
    return x + 1 if x[0] > 0 else x - 1


def on_a_chain(x):
    if 0 < x[0] < 1:
        return x
    return x * 0


def on_an_any(x):
    if np.any(x > 1):
        return np.minimum(x, 1)
    return x


def on_a_number(x, n):
    if n > 2:
        return x * 2
    return x * 3


def on_a_flag(x, training=True):
    return x * 0.5 if training else x


def on_a_text(x, kind):
    if kind == "double":
        return x * 2
    return x


def on_and_or(x):
    if x.shape[0] > 2 and x[0] > 0:
        return x
    if x.shape[0] > 5 or x[1] > 0:
        return x * 2
    return x * 3


def on_not(x):
    if not x[0] > 0:
        return x * 2
    return x


def on_a_dtype(x):
    if x.dtype == np.float64:
        return x * 2
    return x


def on_ndim(x):
    return x.sum(axis=1) if x.ndim == 2 else x


def on_a_loop_over_a_size(x):
    total = x[0] * 0
    for i in range(x.shape[0]):
        total = total + x[i] * i
    return total


def on_a_loop_over_rows(x):
    total = x[0] * 0
    for row in x:
        total = total * 2 + row
    return total


def in_a_helper(x):
    return on_a_size(x) + 1


def in_a_comprehension(x):
    return [v * 2 for v in x if v > 0]


def in_a_conditional_expression(x):
    return x * (2 if x.shape[0] > 2 else 3)


def on_unpacking(x):
    a, b, c = x
    return a + b * c


LONG, SHORT = np.arange(1.0, 6.0), np.array([0.25, 2.0])
CASES: dict[Any, tuple[tuple[Any, ...], list[tuple[Any, ...]], str]] = {
    # function: example, arguments for which it takes another way, the condition as the user wrote it
    on_a_size: ((V,), [(SHORT,)], "x.shape[0] > 2"),
    on_len: ((V,), [(SHORT,), (LONG,)], "len(x) == 3"),
    on_two_sizes: ((V, V * 2), [(V, SHORT[:1])], "x.shape[0] == y.shape[0]"),
    on_contents: ((V,), [(-V,)], "x.sum() > 0"),
    on_an_element: ((V,), [(-V,)], "x[0] > 0"),
    on_a_chain: ((V,), [(-V,), (V + 5,)], "0 < x[0]|x[0] < 1|0 < x[0] < 1"),
    on_an_any: ((V,), [(V - 3,)], "np.any(x > 1)"),
    on_a_number: ((V, 3), [(V, 2)], "n"),
    on_a_flag: ((V, True), [(V, False)], "training"),
    on_a_text: ((V, "double"), [(V, "single")], "kind"),
    on_and_or: ((V,), [(SHORT,), (-V,)], "x.shape[0] > 2|x[0] > 0"),
    on_not: ((V,), [(-V,)], "x[0] > 0|not x[0] > 0"),
    on_a_dtype: ((V,), [(V.astype(np.float32),)], "x.dtype == np.float64"),
    on_ndim: ((np.ones((2, 2)),), [(V,)], "x.ndim == 2"),
    on_a_loop_over_a_size: ((V,), [(SHORT,), (LONG,)], "x.shape[0]|range(x.shape[0])"),
    on_a_loop_over_rows: ((V,), [(SHORT,), (LONG,)], "x|len(x)|x.shape[0]"),
    in_a_helper: ((V,), [(SHORT,)], "x.shape[0] > 2"),
    in_a_comprehension: ((V,), [(-V,)], "v > 0"),
    in_a_conditional_expression: ((V,), [(SHORT,)], "x.shape[0] > 2"),
    on_unpacking: ((V,), [(LONG,)], "x|len(x)|x.shape[0]"),
}


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_a_condition_becomes_a_guard(function: Any) -> None:
    example, otherwise, condition = CASES[function]
    graph = make_graph(function, tracing_mode="symbolic")(*example)
    same(graph(*example), function(*example))
    for args in otherwise:
        with pytest.raises(GuardError) as refused:
            graph(*args)
        texts = condition.split("|")
        assert any(text in refused.value.condition for text in texts), refused.value.condition
        assert refused.value.condition in str(refused.value)


@pytest.mark.parametrize(
    "function", [on_contents, on_an_element, on_a_chain, on_an_any, on_not, on_a_number, on_a_text]
)
def test_contents_and_arguments_are_guarded_in_real_mode_too(function: Any) -> None:
    example, otherwise, _ = CASES[function]
    graph = make_graph(function, tracing_mode="real")(*example)
    same(graph(*example), function(*example))
    for args in otherwise:
        with pytest.raises(GuardError):
            graph(*args)


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_a_guard_names_the_line(function: Any) -> None:
    example, otherwise, _ = CASES[function]
    graph = make_graph(function, tracing_mode="symbolic")(*example)
    owner = on_a_size if function is in_a_helper else function
    lines, first = inspect.getsourcelines(owner)
    with pytest.raises(GuardError) as refused:
        graph(*otherwise[0])
    number = refused.value.line
    if number is not None:
        assert first < number < first + len(lines)
        assert any(word in lines[number - first] for word in ("if", "for", "while", "a, b, c"))
    else:
        assert function in (on_a_number, on_a_flag, on_a_text), "only an argument itself has no line"


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_replay_does_not_look_at_guards(function: Any) -> None:
    example, otherwise, _ = CASES[function]
    graph = make_graph(function, tracing_mode="symbolic")(*example)
    for args in otherwise:
        try:
            graph.replay(*args)
        except GuardError:
            raise
        except (IndexError, ValueError):
            pass  # the other way would have needed other operations


def test_no_condition_no_guard() -> None:
    def straight(x):
        return (x - x.mean()) / x.std()

    traced = agrees(straight, V, others=[[SHORT], [LONG]])
    assert traced.guards == ()
    assert traced.valid_for == ""


def test_the_guards_read_as_one_condition() -> None:
    assert trace(on_a_size, V).valid_for == "x.shape[0] > 2"
    assert trace(on_two_sizes, V, V).valid_for == "x.shape[0] == y.shape[0]"


def test_a_guard_that_held_says_so() -> None:
    graph = make_graph(on_a_size, tracing_mode="symbolic")(V)
    same(graph(LONG), on_a_size(LONG))
    with pytest.raises(GuardError, match=r"x\.shape\[0\] > 2.*False.*True"):
        graph(SHORT)


def test_sizes_are_constants_in_real_mode() -> None:
    def mean(x):
        return x.sum() / x.shape[0]

    graph = make_graph(mean, tracing_mode="real")(V)
    same(graph(V * 2), mean(V * 2))
    symbolic = make_graph(mean, tracing_mode="symbolic")(V)
    same(symbolic(LONG), mean(LONG))
