"""How two sizes are compared, and when their expressions alone decide it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from enum import Enum

from .atoms import Terms
from .polynomial import bounds


class Relation(Enum):
    """How two sizes are compared, by the sign in Python."""

    EQUAL = "=="
    UNEQUAL = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="

    def holds(self, left: float, right: float) -> bool:
        return _COMPARE[self](left, right)


_COMPARE: dict[Relation, Callable[[float, float], bool]] = {
    Relation.EQUAL: operator.eq, Relation.UNEQUAL: operator.ne, Relation.LESS: operator.lt,
    Relation.AT_MOST: operator.le, Relation.GREATER: operator.gt, Relation.AT_LEAST: operator.ge,
}  # fmt: skip
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
