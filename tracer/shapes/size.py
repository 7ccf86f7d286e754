"""Symbolic sizes: integers of which an expression in the inputs' sizes is known, and the value on the example.

Arithmetic on them is exact and gives plain integers where nothing symbolic is left, so that rules for shapes are
ordinary Python.  A comparison that the expressions do not decide is decided by the example; that it was, is noted as an
assumption and handed to whoever asked for `assumptions()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from .atoms import Atom, Kind, Terms, constant, evaluated, hinted, number, single, text
from .division import quotient, remainder
from .polynomial import extreme, plus, scaled, times
from .relations import CONTRARY, Relation, told

_SERIAL = count()


class Size:
    """An integer known by its expression; `hint` is its value on the example."""

    __slots__ = ("terms", "hint")

    terms: Terms
    hint: int

    def __init__(self, terms: Terms, hint: int) -> None:
        self.terms = terms
        self.hint = hint

    @staticmethod
    def atom(text: str, hint: int) -> Size:
        """The size that the user would write as `text`: `x.shape[0]`, or `b` where dimensions have names."""
        return Size(single(Atom(Kind.INPUT, (text,), hint, text)), hint)

    @staticmethod
    def unknown(hint: int) -> Size:
        """A size of which nothing is known: equal to itself only."""
        return Size(single(Atom(Kind.UNKNOWN, (next(_SERIAL),), hint, "?")), hint)

    def evaluate(self, values: Mapping[str, int]) -> int | None:
        """The value where the inputs have these sizes; None where an unknown is in it."""
        return evaluated(self.terms, values)

    @property
    def known(self) -> bool:
        """Whether it can be told from the inputs' sizes."""
        return "?" not in str(self)

    def __str__(self) -> str:
        return text(self.terms)

    def __repr__(self) -> str:
        return f"<Size {self} = {self.hint}>"

    def __hash__(self) -> int:
        return hash(self.terms)

    def __index__(self) -> int:
        note(self, Relation.EQUAL, self.hint)
        return self.hint

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __add__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(plus(self.terms, its))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(plus(self.terms, its, -1))

    def __rsub__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(plus(its, self.terms, -1))

    def __mul__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(times(self.terms, its))

    __rmul__ = __mul__

    def __pow__(self, other: Any) -> Any:
        if type(other) is not int or other < 0:
            return NotImplemented
        made = constant(1)
        for _ in range(other):
            made = times(made, self.terms)
        return _made(made)

    def __floordiv__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(quotient(self.terms, its))

    def __rfloordiv__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(quotient(its, self.terms))

    def __mod__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(remainder(self.terms, its))

    def __rmod__(self, other: Any) -> Any:
        its = _terms(other)
        return NotImplemented if its is None else _made(remainder(its, self.terms))

    def __divmod__(self, other: Any) -> Any:
        return NotImplemented if _terms(other) is None else (self // other, self % other)

    def __rdivmod__(self, other: Any) -> Any:
        return NotImplemented if _terms(other) is None else (other // self, other % self)

    def __neg__(self) -> Any:
        return _made(scaled(self.terms, -1))

    def __pos__(self) -> Size:
        return self

    def __abs__(self) -> Any:
        return largest(self, -self)

    def __eq__(self, other: object) -> Any:
        return _compared(self, Relation.EQUAL, other)

    def __ne__(self, other: object) -> Any:
        return _compared(self, Relation.UNEQUAL, other)

    def __lt__(self, other: Any) -> Any:
        return _compared(self, Relation.LESS, other)

    def __le__(self, other: Any) -> Any:
        return _compared(self, Relation.AT_MOST, other)

    def __gt__(self, other: Any) -> Any:
        return _compared(self, Relation.GREATER, other)

    def __ge__(self, other: Any) -> Any:
        return _compared(self, Relation.AT_LEAST, other)


Dim = int | Size
"""A size: a plain number where it is the same whatever the inputs are."""


def largest(*dims: Dim) -> Dim:
    """The largest of sizes, as an expression."""
    return _extreme(Kind.LARGEST, max, dims)


def smallest(*dims: Dim) -> Dim:
    """The smallest of sizes, as an expression."""
    return _extreme(Kind.SMALLEST, min, dims)


def hint(dim: Dim) -> int:
    """The value on the example, with nothing noted."""
    return dim.hint if type(dim) is Size else dim  # type: ignore[return-value]  # a plain number otherwise


def _extreme(kind: Kind, plain: Callable[[Any], Any], dims: tuple[Dim, ...]) -> Dim:
    if not any(type(d) is Size for d in dims):
        return plain(dims)  # type: ignore[no-any-return]
    parts = [_terms(d) for d in dims]
    return _made(extreme(kind, [p for p in parts if p is not None]))


def _terms(value: Any) -> Terms | None:
    if type(value) is Size:
        return value.terms
    return constant(int(value)) if isinstance(value, (int, np.integer)) else None


def _made(terms: Terms) -> Dim:
    value = number(terms)
    return value if value is not None else Size(terms, hinted(terms))


# ---- comparison ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assumption:
    """What was true on the example and had to be taken for true: `x.shape[0] == y.shape[0]`."""

    text: str
    left: Dim
    relation: Relation
    right: Dim

    def holds(self, values: Mapping[str, int]) -> bool | None:
        """Whether it is true for these sizes of the inputs; None where that depends on an unknown."""
        left, right = (d.evaluate(values) if isinstance(d, Size) else d for d in (self.left, self.right))
        return None if left is None or right is None else self.relation.holds(left, right)


_NOTED: ContextVar[dict[Any, Assumption] | None] = ContextVar("noted assumptions", default=None)


class Assumptions:
    """The assumptions noted so far, in order, each once."""

    __slots__ = ("_noted",)

    def __init__(self, noted: dict[Any, Assumption]) -> None:
        self._noted = noted

    def __iter__(self) -> Iterator[Assumption]:
        return iter(tuple(self._noted.values()))

    def __len__(self) -> int:
        return len(self._noted)


@contextmanager
def assumptions() -> Iterator[Assumptions]:
    """Collect what is assumed meanwhile; where contexts are nested, the innermost collects."""
    noted: dict[Any, Assumption] = {}
    token = _NOTED.set(noted)
    try:
        yield Assumptions(noted)
    finally:
        _NOTED.reset(token)


def note(left: Dim, relation: Relation, right: Dim) -> None:
    """Note that `left relation right` was taken for true."""
    noted = _NOTED.get()
    if noted is not None:
        key = (relation, _terms(left), _terms(right))
        if key not in noted:
            noted[key] = Assumption(f"{left} {relation.value} {right}", left, relation, right)


def _compared(left: Size, relation: Relation, other: object) -> Any:
    its = _terms(other)
    if its is None:
        return NotImplemented
    sure = told(plus(left.terms, its, -1), relation)
    if sure is not None:
        return sure
    right = _made(its)
    outcome = relation.holds(left.hint, hint(right))
    note(left, relation if outcome else CONTRARY[relation], right)
    return outcome
