"""Symbolic sizes compute what integers compute, at every value, and say what they assumed."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracer.shapes import Size, assumptions, largest, smallest

NAMES = ("n", "m", "k")
Values = dict[str, int]
Tree = tuple[Any, ...]
"""A name, a number, or a function and its operands."""

BINARY: list[Callable[..., Any]] = [operator.add, operator.sub, operator.mul, max, min]
leaves = st.one_of(st.sampled_from(NAMES), st.integers(-4, 4))
trees: st.SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(BINARY), inner, inner),
        st.tuples(st.sampled_from([operator.floordiv, operator.mod]), inner, st.sampled_from([1, 2, 3, 4, -2, *NAMES])),
    ),
    max_leaves=7,
)
values = st.fixed_dictionaries({name: st.integers(0, 9) for name in NAMES})
settings.register_profile("shapes", max_examples=200, deadline=None)
ONE_SIZE = settings(settings.get_profile("shapes"))


def plainly(tree: Any, known: Values) -> int:
    if not isinstance(tree, tuple):
        return known[tree] if isinstance(tree, str) else tree
    function, *operands = tree
    return int(function(*(plainly(operand, known) for operand in operands)))


def symbolically(tree: Any, known: Values) -> Any:
    if not isinstance(tree, tuple):
        return Size.atom(tree, known[tree]) if isinstance(tree, str) else tree
    function, *operands = tree
    sizes = [symbolically(operand, known) for operand in operands]
    return largest(*sizes) if function is max else smallest(*sizes) if function is min else function(*sizes)


def value_at(size: Any, known: Values) -> Any:
    return size.evaluate(known) if isinstance(size, Size) else size


@ONE_SIZE
@given(trees, values, st.lists(values, min_size=4, max_size=8))
def test_an_expression_has_the_value_of_its_numbers(tree: Any, example: Values, others: list[Values]) -> None:
    try:
        wanted = plainly(tree, example)
        size = symbolically(tree, example)
    except ZeroDivisionError:
        return
    with assumptions() as assumed:
        assert value_at(size, example) == wanted
        assert not isinstance(size, Size) or size.hint == wanted
    assert not len(assumed)
    for other in others:
        try:
            expected = plainly(tree, other)
        except ZeroDivisionError:
            continue
        found = value_at(size, other)
        assert found == expected, f"{size} is {found} at {other}"


@ONE_SIZE
@given(trees, values)
def test_its_text_is_the_expression(tree: Any, example: Values) -> None:
    """What is printed can be evaluated as Python, and has the same value."""
    try:
        size = symbolically(tree, example)
        wanted = plainly(tree, example)
    except ZeroDivisionError:
        return
    try:
        assert eval(str(size), {"max": max, "min": min}, dict(example)) == wanted
    except ZeroDivisionError:
        pytest.fail(f"{size} divides by zero at {example}")


RELATIONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@ONE_SIZE
@given(st.sampled_from(RELATIONS), trees, trees, values, st.lists(values, min_size=4, max_size=8))
def test_a_comparison_is_true_or_assumed(
    relation: Callable[..., Any], left: Any, right: Any, example: Values, others: list[Values]
) -> None:
    try:
        wanted = relation(plainly(left, example), plainly(right, example))
        mine, its = symbolically(left, example), symbolically(right, example)
    except ZeroDivisionError:
        return
    with assumptions() as assumed:
        assert relation(mine, its) == wanted
    for other in others:
        try:
            outcome = relation(plainly(left, other), plainly(right, other))
        except ZeroDivisionError:
            continue
        held = all(a.holds(other) for a in assumed)
        assert outcome == wanted or not held, f"{mine} and {its} at {other}, assuming {[a.text for a in assumed]}"
        assert not len(assumed) or held == (outcome == wanted)


# ---- as a person reads them ------------------------------------------------------------------------

n, m = Size.atom("x.shape[0]", 5), Size.atom("b", 3)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (n - 1, "x.shape[0] - 1"), (2 * m * n, "2*b*x.shape[0]"), ((n + 1) // 2, "(x.shape[0] + 1)//2"),
        (1 - m, "1 - b"), (n // 2 * 3, "3*(x.shape[0]//2)"), (m % 4 + 1, "b % 4 + 1"), (m * m, "b**2"),
        (largest(n - 1, 0), "max(x.shape[0] - 1, 0)"), (n - largest(n - 3, 0), "min(x.shape[0], 3)"),
        ((2 * n * m + 4 * m) // (2 * m), "x.shape[0] + 2"), ((n // 2 + 1) // 3, "(x.shape[0] + 2)//6"),
        (largest(n, 1) // 2, "x.shape[0]//2"), (Size.unknown(4) + 1, "? + 1"), (-n, "-x.shape[0]"),
        (largest(largest(n - 1, 0) - 1, 0), "max(x.shape[0] - 2, 0)"),
        (largest(n - m, 0) + smallest(n, m), "x.shape[0]"), (n - n // 2 - (n - n // 2), "0"),
    ],
)  # fmt: skip
def test_texts(size: Any, text: str) -> None:
    assert str(size) == text


def test_what_is_certain_is_not_assumed() -> None:
    with assumptions() as assumed:
        assert n == n
        assert n + 1 != n
        assert n >= 0
        assert not n < 0
        assert largest(n - 1, 0) <= n
        assert n - n // 2 >= 0
        assert n - 2 * (n // 2) <= 1
        assert smallest(n, 3) <= 3
        assert hash(n + m) == hash(m + n)
    assert not list(assumed)


def test_assumptions_are_in_order_and_each_is_there_once() -> None:
    with assumptions() as assumed:
        assert n != m
        assert n > 2
        assert n != m
        assert range(m)[-1] == 2
    assert [a.text for a in assumed] == ["x.shape[0] != b", "x.shape[0] > 2", "b == 3"]
    assert [a.holds({"x.shape[0]": 3, "b": 3}) for a in assumed] == [False, True, True]


def test_unknown_sizes_are_equal_to_themselves_only() -> None:
    one, other = Size.unknown(4), Size.unknown(4)
    with assumptions() as assumed:
        assert one == one
        assert one == other
    assert [a.holds({}) for a in assumed] == [None]
    assert (one + n).evaluate({"x.shape[0]": 2}) is None
    assert (one - one + n).evaluate({"x.shape[0]": 2}) == 2


def test_the_innermost_context_collects() -> None:
    with assumptions() as outer:
        with assumptions() as inner:
            assert n == 5
        assert m == 3
    assert [a.text for a in inner] == ["x.shape[0] == 5"]
    assert [a.text for a in outer] == ["b == 3"]
