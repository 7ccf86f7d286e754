"""What sizes are made of: atoms, and polynomials of them with integer coefficients, their values and their text.

An atom is an input's size, a size that nobody knows, or a floor division, remainder, largest or smallest of
polynomials.  Atoms of the first two kinds are at least 0; nothing else is assumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any

Monomial = tuple["Atom", ...]
"""Atoms in order, repeated as often as their power; the empty one stands for 1."""
Terms = tuple[tuple[Monomial, int], ...]
"""Monomials in order with their coefficients, none of them 0."""

ZERO: Terms = ()


class Kind(Enum):
    INPUT = "input"
    UNKNOWN = "unknown"
    QUOTIENT = "quotient"
    REMAINDER = "remainder"
    LARGEST = "largest"
    SMALLEST = "smallest"


EXTREMES = (Kind.LARGEST, Kind.SMALLEST)


class Atom:
    """What a polynomial is made of.

    `parts` is the text of an INPUT, the number of an UNKNOWN, and the polynomials of all others.  `hint` is the
    value on the example: atoms of two examples are not equal.
    """

    __slots__ = ("kind", "parts", "hint", "text", "order", "_hash")

    def __init__(self, kind: Kind, parts: tuple[Any, ...], hint: int, text: str) -> None:
        self.kind = kind
        self.parts = parts
        self.hint = hint
        self.text = text
        self.order = (text, parts[0] if kind is Kind.UNKNOWN else 0)
        self._hash = hash((kind, parts, hint))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Atom) or self._hash != other._hash:
            return False
        return (self.kind, self.parts, self.hint) == (other.kind, other.parts, other.hint)

    def __hash__(self) -> int:
        return self._hash


def constant(value: int) -> Terms:
    return (((), value),) if value else ZERO


def single(atom: Atom) -> Terms:
    return (((atom,), 1),)


def number(terms: Terms) -> int | None:
    """The value of a polynomial without atoms, None of any other."""
    if not terms:
        return 0
    return terms[0][1] if len(terms) == 1 and not terms[0][0] else None


# ---- values ---------------------------------------------------------------------------------------


def hinted(terms: Terms) -> int:
    """The value on the example."""
    total = 0
    for monomial, count in terms:
        value = count
        for atom in monomial:
            value *= atom.hint
        total += value
    return total


def evaluated(terms: Terms, values: Mapping[str, int]) -> int | None:
    """The value where inputs have these sizes; None where it depends on an unknown."""
    total = 0
    for monomial, count in terms:
        product = count
        for atom in monomial:
            value = _atom_value(atom, values)
            if value is None:
                return None
            product *= value
        total += product
    return total


def _atom_value(atom: Atom, values: Mapping[str, int]) -> int | None:
    if atom.kind is Kind.INPUT:
        return values.get(atom.parts[0])
    if atom.kind is Kind.UNKNOWN:
        return None
    parts = [evaluated(part, values) for part in atom.parts]
    known = [p for p in parts if p is not None]
    if len(known) != len(parts) or (atom.kind in (Kind.QUOTIENT, Kind.REMAINDER) and known[1] == 0):
        return None
    return COMPUTE[atom.kind](known)


COMPUTE: dict[Kind, Callable[[list[int]], int]] = {
    Kind.QUOTIENT: lambda p: p[0] // p[1] if p[1] else 0,
    Kind.REMAINDER: lambda p: p[0] % p[1] if p[1] else 0,
    Kind.LARGEST: max,
    Kind.SMALLEST: min,
}


# ---- text ------------------------------------------------------------------------------------------


def text(terms: Terms) -> str:
    """As the user would write it: `2*b*t - 1`."""
    if not terms:
        return "0"
    ordered = sorted(terms, key=lambda t: (t[1] < 0, not t[0])) if terms[0][1] < 0 else list(terms)
    made = ""
    for monomial, count in ordered:
        sign = (" - " if count < 0 else " + ") if made else ("-" if count < 0 else "")
        made += sign + _term_text(monomial, abs(count), negated=sign == "-")
    return made


def _term_text(monomial: Monomial, count: int, *, negated: bool) -> str:
    if not monomial:
        return str(count)
    alone = count == 1 and len(monomial) == 1 and not negated  # -n//2 would be (-n)//2
    factors = [] if count == 1 else [str(count)]
    for atom in dict.fromkeys(monomial):
        power = monomial.count(atom)
        name = f"({atom.text})" if atom.kind in (Kind.QUOTIENT, Kind.REMAINDER) and not alone else atom.text
        factors.append(f"{name}**{power}" if power > 1 else name)
    return "*".join(factors)


def composed_text(kind: Kind, parts: tuple[Terms, ...]) -> str:
    texts = [text(part) for part in parts]
    if kind in EXTREMES:
        return f"{'max' if kind is Kind.LARGEST else 'min'}({', '.join(texts)})"
    left, right = (t if _is_word(part) else f"({t})" for t, part in zip(texts, parts, strict=False))
    return f"{left}//{right}" if kind is Kind.QUOTIENT else f"{left} % {right}"


def _is_word(terms: Terms) -> bool:
    value = number(terms)
    if value is not None:
        return value >= 0
    monomial, count = terms[0]
    plain = len(terms) == 1 and count == 1 and len(monomial) == 1
    return plain and monomial[0].kind not in (Kind.QUOTIENT, Kind.REMAINDER)
