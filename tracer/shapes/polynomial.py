"""Polynomials over sizes: their arithmetic, in a canonical form, and what can be told of them.

What is certain of a polynomial without its atoms' values is told by `bounds`: right, but not always as narrow as could
be.  The largest and smallest of polynomials are atoms, which take in what stands beside them where that makes them
plainer.
"""

from __future__ import annotations

import math
from functools import lru_cache

from .atoms import (
    COMPUTE,
    EXTREMES,
    ZERO,
    Atom,
    Kind,
    Monomial,
    Terms,
    composed_text,
    hinted,
    number,
    single,
    text,
)

DEPTH = 3
"""How deep `bounds` looks into atoms of atoms."""

# ---- arithmetic ------------------------------------------------------------------------------------


def plus(left: Terms, right: Terms, factor: int = 1) -> Terms:
    """`left + factor * right`."""
    found = dict(left)
    for monomial, count in right:
        found[monomial] = found.get(monomial, 0) + factor * count
    return absorbed(_built(found))


def times(left: Terms, right: Terms) -> Terms:
    found: dict[Monomial, int] = {}
    for mine, count in left:
        for its, other in right:
            monomial = tuple(sorted(mine + its, key=_atom_order)) if mine and its else mine or its
            found[monomial] = found.get(monomial, 0) + count * other
    return absorbed(_built(found))


def scaled(terms: Terms, factor: int) -> Terms:
    return tuple((m, c * factor) for m, c in terms) if factor else ZERO


def _built(found: dict[Monomial, int]) -> Terms:
    kept = [item for item in found.items() if item[1]]
    if len(kept) > 1:
        kept.sort(key=_term_order)
    return tuple(kept)


def _atom_order(atom: Atom) -> tuple[str, int]:
    return atom.order


def _term_order(term: tuple[Monomial, int]) -> tuple[bool, tuple[tuple[str, int], ...]]:
    return (not term[0], tuple(atom.order for atom in term[0]))


def absorbed(terms: Terms) -> Terms:
    """`n - max(n - 3, 0)` is `min(3, n)`: an only extreme takes in what is in its parts, and constants."""
    if len(terms) < 2:
        return terms
    extremes = [(m[0], c) for m, c in terms if len(m) == 1 and m[0].kind in EXTREMES]
    if len(extremes) == 2:
        return _paired(terms, *extremes)
    if len(extremes) != 1 or abs(extremes[0][1]) != 1:
        return terms
    atom, sign = extremes[0]
    inside = {monomial for part in atom.parts for monomial, _ in part} | {()}
    shared = tuple((m, c) for m, c in terms if m in inside)
    if not shared:
        return terms
    rest = tuple((m, c) for m, c in terms if m not in inside and m != (atom,))
    kind = atom.kind if sign > 0 else _OPPOSITE[atom.kind]
    taken = extreme(kind, [plus(shared, part, sign) for part in atom.parts])
    return plus(rest, taken) if rest else taken


def _paired(terms: Terms, one: tuple[Atom, int], other: tuple[Atom, int]) -> Terms:
    """`max(n - k, 0) + min(n, k)` is `n`: the larger and the smaller of two are both of them."""
    (left, count), (right, same) = one, other
    if count != same or left.kind is right.kind or len(left.parts) != 2 or len(right.parts) != 2:
        return terms
    first, second = left.parts
    for its, last in (right.parts, right.parts[::-1]):
        if plus(first, its, -1) == plus(second, last, -1):
            rest = tuple(t for t in terms if t[0] not in ((left,), (right,)))
            return plus(rest, plus(first, last), count)
    return terms


_OPPOSITE = {Kind.LARGEST: Kind.SMALLEST, Kind.SMALLEST: Kind.LARGEST}


# ---- what can be told ------------------------------------------------------------------------------

Interval = tuple[float, float]


@lru_cache(maxsize=4096)
def bounds(terms: Terms, depth: int = DEPTH) -> Interval:
    """Between which two numbers (infinity included) the value lies whatever the atoms' values are."""
    low: float = 0
    high: float = 0
    for monomial, count in terms:
        least, most = _monomial_bounds(monomial, depth)
        low += count * (least if count > 0 else most)
        high += count * (most if count > 0 else least)
    if depth and low != high:
        for monomial, count in terms:
            if len(monomial) == 1 and monomial[0].kind not in (Kind.INPUT, Kind.UNKNOWN, Kind.REMAINDER):
                rest = tuple(t for t in terms if t[0] != monomial)
                least, most = _opened(monomial[0], count, rest, depth - 1)
                low, high = max(low, least), min(high, most)
    return low, high


def _monomial_bounds(monomial: Monomial, depth: int) -> Interval:
    low: float = 1
    high: float = 1
    for atom in monomial:
        least, most = _atom_bounds(atom, depth)
        ends = [_product(a, b) for a in (low, high) for b in (least, most)]
        low, high = min(ends), max(ends)
    return low, high


def _product(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def _atom_bounds(atom: Atom, depth: int) -> Interval:
    if atom.kind in (Kind.INPUT, Kind.UNKNOWN):
        return 0, math.inf
    if not depth:
        return -math.inf, math.inf
    parts = [bounds(part, depth - 1) for part in atom.parts]
    if atom.kind in EXTREMES:
        chosen = max if atom.kind is Kind.LARGEST else min
        return chosen(p[0] for p in parts), chosen(p[1] for p in parts)
    (low, high), (least, most) = parts
    if least < 0:
        return -math.inf, math.inf
    if atom.kind is Kind.REMAINDER:
        return 0, min(most - 1, high if low >= 0 else math.inf)
    return _divided(low, least if low < 0 else most), _divided(high, most if high < 0 else least)


def _divided(value: float, by: float) -> float:
    """`value // by` for a divisor that is at least 1 where the division is done at all."""
    by = max(by, 1)
    if math.isinf(value):
        return value
    return value // by if not math.isinf(by) else (-1 if value < 0 else 0)


def _opened(atom: Atom, count: int, rest: Terms, depth: int) -> Interval:
    """Bounds of `count * atom + rest`, from what the atom is made of."""
    if atom.kind is Kind.QUOTIENT:
        by = number(atom.parts[1])
        if by is None or by < 1:
            return -math.inf, math.inf
        whole = plus(scaled(rest, by), atom.parts[0], count)  # by * (a // by) is at most a, and at least a - (by - 1)
        low, high = bounds(whole, depth)
        slack = count * (by - 1)
        return math.ceil((low - max(slack, 0)) / by) if low > -math.inf else low, (
            math.floor((high - min(slack, 0)) / by) if high < math.inf else high
        )
    ways = [bounds(plus(rest, part, count), depth) for part in atom.parts]
    greatest = (atom.kind is Kind.LARGEST) == (count > 0)
    chosen = max if greatest else min
    return chosen(w[0] for w in ways), chosen(w[1] for w in ways)


def at_least(left: Terms, right: Terms) -> bool:
    """Whether `left >= right` is certain."""
    return bounds(plus(left, right, -1))[0] >= 0


# ---- atoms of polynomials --------------------------------------------------------------------------


def composed(kind: Kind, parts: tuple[Terms, ...]) -> Terms:
    """The atom of that kind, as a polynomial."""
    hint = COMPUTE[kind]([hinted(part) for part in parts])
    return single(Atom(kind, parts, hint, composed_text(kind, parts)))


def extreme(kind: Kind, parts: list[Terms]) -> Terms:
    """The largest or smallest of polynomials, without those that another certainly surpasses."""
    flat: list[Terms] = []
    for part in parts:
        atom = part[0][0][0] if len(part) == 1 and part[0][1] == 1 and len(part[0][0]) == 1 else None
        flat += atom.parts if atom is not None and atom.kind is kind else [part]
    kept: list[Terms] = []
    for part in flat:
        if any(_surpasses(kind, other, part) for other in kept):
            continue
        kept = [other for other in kept if not _surpasses(kind, part, other)] + [part]
    if len(kept) == 1:
        return kept[0]
    return composed(kind, tuple(sorted(kept, key=lambda p: (number(p) is not None, text(p)))))


def _surpasses(kind: Kind, one: Terms, other: Terms) -> bool:
    return at_least(one, other) if kind is Kind.LARGEST else at_least(other, one)
