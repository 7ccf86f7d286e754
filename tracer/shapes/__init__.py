"""Shapes and dtypes of results, from those of the operands: no contents are touched, and no cost depends on sizes.

`infer` says what an operation, as it stands in a node, gives for operands of which shape and dtype are known.  The
same rules run on plain numbers and on symbolic sizes; `assumptions` collects what they had to assume of the latter.
Dtypes, classes and structure are asked of NumPy itself (`probe`); the rules say the shapes.  They are written for
NumPy's own arrays, not for subclasses of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from .. import steps
from . import (
    algebra,
    attributes,
    builtin,
    creation,
    elementwise,
    fourier,
    indexing,
    joining,
    manipulation,
    pointwise,
    products,
    reductions,
    searching,
    series,
    statistics,
    strings,
)
from .abstract import Abstract, Reason, Shape, Unknown
from .naming import placed
from .probe import Rule
from .relations import Relation
from .size import Assumption, Assumptions, Dim, Size, assumptions, hint, largest, note, smallest
from .unknown import reasons

RULES: dict[Any, Rule] = {
    **elementwise.rules(),
    **builtin.rules(),
    **reductions.rules(),
    **manipulation.rules(),
    **joining.rules(),
    **creation.rules(),
    **products.rules(),
    **algebra.rules(),
    **fourier.rules(),
    **searching.rules(),
    **statistics.rules(),
    **pointwise.rules(),
    **attributes.rules(steps),
    **indexing.rules(steps),
}
"""The rule of each function, by the function itself: called as it is, on what is known of its operands.

Those of modules that few programs import come in when a function is met that has no rule.
"""


def infer(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any] | None = None) -> Any:
    """What the operation gives: `Abstract` for arrays and NumPy's scalars, plain values where these are known.

    `args` and `kwargs` hold `Abstract`s, arrays with contents, plain values and sizes, also inside tuples, lists,
    dicts and slices.  Raises Unknown where shapes and dtypes do not tell the result, and what NumPy raises where they
    do not fit.
    """
    rule = RULES.get(function)
    if rule is None:
        rule = _found(function)
    if not kwargs:
        return rule(*args)
    args, kwargs = placed(function, args, dict(kwargs))
    return rule(*args, **kwargs)


def has_rule(function: Callable[..., Any]) -> bool:
    """Whether there is a rule for this function; it may still say that contents decide."""
    return function in RULES or _late(function) is not None


def _found(function: Any) -> Rule:
    rule = _late(function)
    if rule is None:
        raise Unknown(*reasons().get(function, (Reason.RULE, f"no rule for {getattr(function, '__name__', function)}")))
    return rule


def _late(function: Any) -> Rule | None:
    """The rule of a function of another module, or of a universal function of another library; kept in the table."""
    rule = elementwise.of_ufunc(function)
    if rule is not None:
        RULES[function] = rule
        return rule
    _extend()
    return RULES.get(function)


@cache
def _extend() -> None:
    RULES.update({**strings.rules(), **series.rules()})


__all__ = [
    "Abstract", "Assumption", "Assumptions", "Dim", "RULES", "Reason", "Relation", "Shape", "Size",
    "Unknown", "assumptions", "has_rule", "hint", "infer", "largest", "note", "reasons", "smallest",
]  # fmt: skip
