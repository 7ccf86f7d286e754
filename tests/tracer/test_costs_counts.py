"""Polynomials with fractions and logarithms, and amounts for people."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracer.costs.counts import Count, count, log2, ratio
from tracer.shapes import Size
from tracer.units import in_bytes, in_flop

SIZES = st.integers(2, 500)


def formulas(n: object, m: object) -> list[object]:
    """The same formulas of whatever they are given: numbers, or sizes."""
    return [
        ratio(2, 3) * n**3 - ratio(1, 2) * n**2,  # type: ignore[operator]  # numbers and sizes have both
        5 * m * n * log2(n),  # type: ignore[operator,arg-type]
        n * m - n + ratio(5, 2) * (n + 1) * log2(m),  # type: ignore[operator,arg-type]
        count(n) * count(m) - m * n,  # type: ignore[operator]
    ]


@given(SIZES, SIZES)
def test_symbols_and_numbers_agree(n: int, m: int) -> None:
    for symbolic, plain in zip(formulas(Size.atom("n", n), Size.atom("m", m)), formulas(n, m), strict=True):
        assert count(symbolic).number == count(plain).number


@given(SIZES, SIZES, SIZES, SIZES)
def test_words_are_what_they_say(n: int, m: int, other: int, another: int) -> None:
    for symbolic, there in zip(formulas(Size.atom("n", n), Size.atom("m", m)), formulas(other, another), strict=True):
        words = count(symbolic).words
        value = eval(words, {"n": other, "m": another, "log2": math.log2}) if words else 0
        assert math.isclose(value, count(there).number, rel_tol=1e-9, abs_tol=1)


def test_words() -> None:
    n, b = Size.atom("n", 8), Size.atom("b", 3)
    assert (5 * b * n * log2(n)).words == "5*b*n*log2(n)"
    assert (ratio(2, 3) * n**3 - 2 * n + 1).words == "2/3*n**3 + 1 - 2*n"
    assert (ratio(1, 1) * (n // 2) * b).words == "b*(n//2)"
    assert (ratio(1, 1) * Size.unknown(4) * n).words is None
    assert log2(6).words is None
    assert count(7).words is None


def test_numbers_are_exact() -> None:
    n = 1_000_003
    assert (ratio(2, 3) * n**3 + 1).number == round(Fraction(2, 3) * n**3 + 1)
    assert (log2(1024) * n).number == 10 * n
    assert [log2(size).number for size in (0, 1, 2)] == [0, 0, 1]
    assert isinstance(1 - log2(6), Count)


@pytest.mark.parametrize(
    ("number", "size", "flop"),
    [
        (0, "0 B", "0 flop"), (1, "1 B", "1 flop"), (999, "999 B", "999 flop"), (1000, "1000 B", "1 kflop"),
        (1023, "1023 B", "1.02 kflop"), (1024, "1 KiB", "1.02 kflop"), (1536, "1.5 KiB", "1.54 kflop"),
        (999_950, "977 KiB", "1 Mflop"), (1_048_000, "1023 KiB", "1.05 Mflop"), (1_048_575, "1 MiB", "1.05 Mflop"),
        (1_200_000, "1.14 MiB", "1.2 Mflop"), (12_345_678, "11.8 MiB", "12.3 Mflop"), (10**21, "867 EiB", "1000 Eflop"),
    ],
)  # fmt: skip
def test_amounts_for_people(number: int, size: str, flop: str) -> None:
    assert (in_bytes(number), in_flop(number)) == (size, flop)
