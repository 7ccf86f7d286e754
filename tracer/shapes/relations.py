"""How two sizes are compared, and when their expressions alone decide it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .atoms import Terms
from .polynomial import bounds


class Relation:
    """How two sizes are compared: the sign in Python, and what it does."""

    __slots__ = ("sign", "holds")

    EQUAL: Relation
    UNEQUAL: Relation
    LESS: Relation
    AT_MOST: Relation
    GREATER: Relation
    AT_LEAST: Relation

    def __init__(self, sign: str, holds: Callable[[Any, Any], bool]) -> None:
        self.sign = sign
        self.holds = holds


Relation.EQUAL = Relation("==", operator.eq)
Relation.UNEQUAL = Relation("!=", operator.ne)
Relation.LESS = Relation("<", operator.lt)
Relation.AT_MOST = Relation("<=", operator.le)
Relation.GREATER = Relation(">", operator.gt)
Relation.AT_LEAST = Relation(">=", operator.ge)
CONTRARY = {
    Relation.EQUAL: Relation.UNEQUAL, Relation.UNEQUAL: Relation.EQUAL, Relation.LESS: Relation.AT_LEAST,
    Relation.AT_LEAST: Relation.LESS, Relation.GREATER: Relation.AT_MOST, Relation.AT_MOST: Relation.GREATER,
}  # fmt: skip


def told(difference: Terms, relation: Relation) -> bool | None:
    """What the difference of two expressions says of their relation, whatever the inputs are."""
    low, high = bounds(difference)
    if relation is Relation.EQUAL or relation is Relation.UNEQUAL:
        if low == high == 0:
            return relation is Relation.EQUAL
        return relation is Relation.UNEQUAL if low > 0 or high < 0 else None
    if relation.holds(low, 0) and relation.holds(high, 0):
        return True
    contrary = CONTRARY[relation]
    return False if contrary.holds(low, 0) and contrary.holds(high, 0) else None
