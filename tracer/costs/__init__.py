"""What operations cost, from shapes and dtypes: scalar operations counted, bytes read and written.

A rule counts the operations of a function; where a call does not read its operands and write its result as they are,
another one tells the bytes.  Both stand in tables by the functions themselves, as the rules of `shapes` do, and run on
plain numbers and on symbolic sizes.  Each module says where its formulas come from.  A function without a rule is
unknown, never a wrong number: `tests/tracer/test_costs_complete.py` names those.
"""

from __future__ import annotations

from typing import Any

from ..hollow import OPERATORS
from ..libraries import LIBRARIES
from . import algebra, elementwise, fourier, moves, ordering, products, reductions, stores
from .rule import Rule, Traffic

RULES: dict[Any, Rule] = {
    **moves.rules(),
    **stores.rules(),
    **elementwise.rules(),
    **reductions.rules(),
    **ordering.rules(),
    **products.rules(),
    **algebra.rules(),
    **fourier.rules(),
}
"""How many operations a call takes."""
TRAFFIC: dict[Any, Traffic] = {**moves.traffic(), **stores.traffic(), **reductions.traffic()}
"""Which bytes a call reads and writes, where these are not all of its operands and of its result."""


def rules_of(function: Any) -> tuple[Rule | None, Traffic | None]:
    """The rules of a function, also of a universal function of another library; None where there is none."""
    for library in LIBRARIES:
        its, traffic = library.costs(function)
        if its is not None:
            return its, traffic
    try:
        function = OPERATORS.get(function, function)
        rule = RULES.get(function)
    except TypeError:  # a callable that cannot be hashed
        return None, None
    if rule is not None:
        return rule, TRAFFIC.get(function)
    if stores.is_at(function):
        return stores.at, stores.at_traffic
    return elementwise.of_ufunc(function), None


__all__ = ["RULES", "TRAFFIC", "Rule", "Traffic", "rules_of"]
