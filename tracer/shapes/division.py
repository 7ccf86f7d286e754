"""Floor division and remainder of polynomials: exact where it can be told, an atom of its own where not."""

from __future__ import annotations

import math
from functools import lru_cache

from .atoms import EXTREMES, ZERO, Atom, Kind, Monomial, Terms, constant, number
from .polynomial import bounds, composed, extreme, plus, scaled


@lru_cache(maxsize=4096)
def quotient(dividend: Terms, divisor: Terms) -> Terms:
    """`dividend // divisor`; raises ZeroDivisionError where the divisor is 0."""
    by = number(divisor)
    if by is not None:
        return _by_number(dividend, by)
    exact = _exact(dividend, divisor)
    if exact is not None:
        return exact
    dividend, divisor = _cancelled(dividend, divisor)
    by = number(divisor)
    return _by_number(dividend, by) if by is not None else composed(Kind.QUOTIENT, (dividend, divisor))


def remainder(dividend: Terms, divisor: Terms) -> Terms:
    """`dividend % divisor`, with the sign of the divisor."""
    by = number(divisor)
    if by is None:
        return ZERO if _exact(dividend, divisor) is not None else composed(Kind.REMAINDER, (dividend, divisor))
    if by == 0:
        raise ZeroDivisionError("integer modulo by zero")
    if by < 0:
        return plus(dividend, quotient(dividend, divisor), -by)
    rest = tuple((m, c % by) for m, c in dividend if c % by)
    low, high = bounds(rest)
    return rest if low >= 0 and high < by else composed(Kind.REMAINDER, (rest, divisor))


def _by_number(dividend: Terms, by: int) -> Terms:
    if by == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    if by < 0:
        return _by_number(scaled(dividend, -1), -by)
    if by == 1:
        return dividend
    opened = _through_extreme(dividend, by)
    if opened is not None:
        return opened
    whole = tuple((m, c // by) for m, c in dividend if c // by and (not m or c % by == 0))
    rest = tuple((m, c % by if not m else c) for m, c in dividend if c % by)
    low, high = bounds(rest)
    if math.isfinite(low) and math.isfinite(high) and low // by == high // by:
        return plus(whole, constant(int(low // by)))
    return plus(whole, _nested(rest, by) or composed(Kind.QUOTIENT, (rest, constant(by))))


def _through_extreme(dividend: Terms, by: int) -> Terms | None:
    """Dividing keeps the order: `max(n, 1) // 2` is `max(n // 2, 0)`."""
    atom = _lone_atom(dividend)
    if atom is None or atom.kind not in EXTREMES:
        return None
    return extreme(atom.kind, [_by_number(part, by) for part in atom.parts])


def _nested(rest: Terms, by: int) -> Terms | None:
    """`(n // 2 + 1) // 3` is `(n + 2) // 6`."""
    shift = rest[-1][1] if not rest[-1][0] else 0
    atom = _lone_atom(rest[:-1] if shift else rest)
    inner = number(atom.parts[1]) if atom is not None and atom.kind is Kind.QUOTIENT else None
    if atom is None or inner is None or inner < 1:
        return None
    return _by_number(plus(atom.parts[0], constant(shift * inner)), inner * by)


def _lone_atom(terms: Terms) -> Atom | None:
    return terms[0][0][0] if len(terms) == 1 and terms[0][1] == 1 and len(terms[0][0]) == 1 else None


# ---- division of polynomials -----------------------------------------------------------------------


def _exact(dividend: Terms, divisor: Terms) -> Terms | None:
    """The polynomial which times `divisor` is `dividend`, if there is one."""
    atoms = sorted({a for terms in (dividend, divisor) for m, _ in terms for a in m}, key=lambda a: a.order)

    def leading(terms: Terms) -> tuple[Monomial, int]:
        return max(terms, key=lambda t: (len(t[0]), tuple(t[0].count(a) for a in atoms)))

    top, count = leading(divisor)
    found = ZERO
    while dividend:
        monomial, coefficient = leading(dividend)
        left = _without(monomial, top)
        if left is None or coefficient % count:
            return None
        step: Terms = ((left, coefficient // count),)
        found = _sum(found, step)
        dividend = _sum(dividend, _product(step, divisor), -1)
    return found


def _sum(left: Terms, right: Terms, factor: int = 1) -> Terms:
    """Plain addition: an extreme that took something in would no longer be the same atom."""
    found = dict(left)
    for m, c in right:
        found[m] = found.get(m, 0) + factor * c
    return tuple((m, c) for m, c in found.items() if c)


def _product(left: Terms, right: Terms) -> Terms:
    found: dict[Monomial, int] = {}
    for mine, count in left:
        for its, other in right:
            monomial = tuple(sorted(mine + its, key=lambda a: a.order))
            found[monomial] = found.get(monomial, 0) + count * other
    return tuple(found.items())


def _without(monomial: Monomial, factor: Monomial) -> Monomial | None:
    left = list(monomial)
    for atom in factor:
        if atom not in left:
            return None
        left.remove(atom)
    return tuple(left)


def _cancelled(dividend: Terms, divisor: Terms) -> tuple[Terms, Terms]:
    """Both without the number and the atoms that all their monomials have in common."""
    common = math.gcd(*(c for terms in (dividend, divisor) for _, c in terms))
    monomials = [m for terms in (dividend, divisor) for m, _ in terms]
    shared: Monomial = ()
    for atom in dict.fromkeys(monomials[0]):
        shared += (atom,) * min(m.count(atom) for m in monomials)
    if common == 1 and not shared:
        return dividend, divisor
    first, second = (
        plus(ZERO, tuple((_without(m, shared) or (), c // common) for m, c in t)) for t in (dividend, divisor)
    )
    return first, second
