"""How often something happens: polynomials over sizes, with fractions as coefficients and binary logarithms.

The formulas of costs are written with these as one reads them in books (`ratio(2, 3) * n**3`, `5 * n * log2(n)`), for
plain numbers and for the symbolic sizes of `shapes` alike.  Sums and products are exact; only a logarithm is a float,
and the whole number that `number` gives is rounded once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..shapes import Dim, Size, hint
from ..shapes.atoms import Atom
from ..shapes.atoms import Kind as AtomKind

Monomial = tuple["Atom | Log", ...]
"""Factors in order, repeated as often as their power; the empty one stands for 1."""
Terms = Mapping[Monomial, int | Fraction]


class Log:
    """The binary logarithm of a size: of one below 2 it is taken for 0, as there is nothing to sort or transform."""

    __slots__ = ("text", "hint", "order", "plain")

    def __init__(self, size: Dim) -> None:
        self.text = f"log2({size})"
        self.hint = math.log2(hint(size)) if hint(size) > 1 else 0.0
        self.order = (f"\x7f{self.text}", 0)  # behind the sizes: `n*log2(n)`
        self.plain = not isinstance(size, Size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and (other.order, other.hint) == (self.order, self.hint)

    def __hash__(self) -> int:
        return hash(self.order)


class Count:
    """A polynomial; it takes part in arithmetic with numbers, fractions and sizes."""

    __slots__ = ("terms", "_symbolic")

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._symbolic = len(terms) > 1 or (len(terms) == 1 and () not in terms)

    def __add__(self, other: Any) -> Count:
        found = dict(self.terms)
        for monomial, factor in count(other).terms.items():
            found[monomial] = found.get(monomial, 0) + factor
        return Count({monomial: factor for monomial, factor in found.items() if factor})

    def __sub__(self, other: Any) -> Count:
        return self + -1 * count(other)

    def __rsub__(self, other: Any) -> Count:
        return count(other) + -1 * self

    def __mul__(self, other: Any) -> Count:
        found: dict[Monomial, int | Fraction] = {}
        for mine, factor in self.terms.items():
            for its, times in count(other).terms.items():
                both = tuple(sorted(mine + its, key=_order)) if mine and its else mine or its
                found[both] = found.get(both, 0) + factor * times
        return Count({monomial: factor for monomial, factor in found.items() if factor})

    __radd__, __rmul__ = __add__, __mul__

    @property
    def number(self) -> int:
        """The value on the example, rounded to a whole number."""
        if not self._symbolic:
            return round(self.terms.get((), 0))
        total: int | Fraction = 0
        for monomial, factor in self.terms.items():
            exact, inexact = factor, 1.0
            for part in monomial:
                if isinstance(part, Log):
                    inexact *= part.hint
                else:
                    exact *= part.hint
            total += exact if inexact == 1.0 else Fraction(float(exact) * inexact)
        return round(total)

    @property
    def words(self) -> str | None:
        """The polynomial as a Python expression (`2*b*t*d`); None where it is a number, or not all of it is known."""
        if not self._symbolic:
            return None
        parts = {part for monomial in self.terms for part in monomial}
        if all(isinstance(part, Log) and part.plain for part in parts) or any("?" in part.text for part in parts):
            return None
        made = ""
        for monomial, factor in sorted(self.terms.items(), key=_place):
            sign = (" - " if factor < 0 else " + ") if made else ("-" if factor < 0 else "")
            made += sign + _term(monomial, factor if factor > 0 else -factor)
        return made


class Sum:
    """A long sum, term by term."""

    def __init__(self) -> None:
        self._terms: dict[Monomial, int | Fraction] = {}

    def add(self, what: Count, times: int = 1) -> None:
        for monomial, factor in what.terms.items():
            self._terms[monomial] = self._terms.get(monomial, 0) + factor * times

    @property
    def count(self) -> Count:
        return Count({monomial: factor for monomial, factor in self._terms.items() if factor})


def count(value: Any) -> Count:
    """A number, fraction or size as a polynomial."""
    if isinstance(value, Count):
        return value
    if isinstance(value, Size):
        return Count(dict(value.terms))
    return Count({(): value} if value else {})


def ratio(numerator: int, denominator: int) -> Count:
    """A fraction, as a factor of what may be symbolic."""
    return Count({(): Fraction(numerator, denominator)})


def log2(size: Dim) -> Count:
    """The binary logarithm of a size."""
    if not isinstance(size, Size) and size & (size - 1) == 0:
        return count(max(size, 1).bit_length() - 1)
    return Count({(Log(size),): 1})


def _order(part: Atom | Log) -> tuple[str, int]:
    return part.order


def _place(term: tuple[Monomial, int | Fraction]) -> tuple[bool, int, list[str]]:
    """Highest powers first, what is subtracted last."""
    return term[1] < 0, -len(term[0]), [part.text for part in term[0]]


def _term(monomial: Monomial, factor: int | Fraction) -> str:
    if not monomial:
        return str(factor)
    factors = [] if factor == 1 else [str(factor)]
    for part in dict.fromkeys(monomial):
        power = monomial.count(part)
        loose = isinstance(part, Atom) and part.kind in (AtomKind.QUOTIENT, AtomKind.REMAINDER)
        name = f"({part.text})" if loose else part.text
        factors.append(f"{name}**{power}" if power > 1 else name)
    return "*".join(factors)
