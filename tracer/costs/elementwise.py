"""Operations of what works element by element, and of the methods of universal functions.

An operation is one scalar function value, whichever function it is and of whatever dtype: an addition, a comparison, an
`exp`, also of complex numbers.  XLA's cost analysis counts one for each element of the result, too (transcendental
functions apart).  What NumPy composes of several universal functions counts as many, read from its sources.
"""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

import numpy as np

from ..shapes import Reason, Unknown
from ..shapes.elementwise import calls_python
from ..shapes.registry import present
from .operands import UNSET, elements, lanes, operand, whole
from .rule import Rule


def each(times: int) -> Rule:
    """So many operations for each element of the result."""

    def rule(result: Any, /, *args: Any, **named: Any) -> Any:
        whole(named)
        return times * elements(result)

    return rule


EACH = each(1)
"""What universal functions and operators take."""


def of_ufunc(function: Any) -> Rule | None:
    """The rule of a universal function or a method of one, also of other libraries."""
    if isinstance(function, np.ufunc):
        return None if function.signature is not None or calls_python(function) else EACH
    ufunc = getattr(function, "__self__", None)
    if not isinstance(ufunc, np.ufunc) or calls_python(ufunc):
        return None
    return next((rule for name, rule in METHODS.items() if function == getattr(ufunc, name, None)), None)


def reduced(result: Any, /, a: Any, *more: Any, **named: Any) -> Any:
    """N - 1 operations for each element that is made of n, as in XLA; one more where an initial value is taken in."""
    whole(named)
    if len(more) > 4:
        raise Unknown(Reason.RULE, "an initial value or a mask given by position")
    started = named.get("initial", UNSET) is not UNSET
    return operand(a) if started else operand(a) - elements(result)


def _accumulated(result: Any, /, a: Any, axis: Any = 0, *more: Any, **named: Any) -> Any:
    """N - 1 operations for each lane of n elements."""
    return operand(a) - lanes(a, axis)


METHODS: dict[str, Rule] = {"reduce": reduced, "accumulate": _accumulated, "outer": EACH}
"""`at` is counted in `stores`; of `reduceat` the indices decide."""


def _clip(result: Any, /, a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **named: Any) -> Any:
    """A comparison for each bound."""
    whole(named)
    bounds = [a_min, a_max, named.get("min"), named.get("max")]
    return sum(bound is not None and bound is not UNSET for bound in bounds) * elements(result)


def _round(result: Any, /, a: Any, decimals: Any = 0, *more: Any, **named: Any) -> Any:
    """`rint`; where there are decimals, a scaling before it and one behind it."""
    return (1 if decimals == 0 else 3) * elements(result)


def _where(result: Any, /, condition: Any, *choices: Any) -> Any:
    """A choice for each element; `where(condition)` looks at each element of the condition."""
    return elements(result) if choices else operand(condition)


def _select(result: Any, /, conditions: Any, choices: Any, default: Any = 0) -> Any:
    """A choice for each condition."""
    return len(conditions) * elements(result)


def _close(result: Any, /, a: Any, b: Any, rtol: Any = 0, atol: Any = 0, equal_nan: Any = False) -> Any:
    """`abs(a - b) <= atol + rtol * abs(b) & isfinite(b) | (a == b)`; with `equal_nan`, `| isnan(a) & isnan(b)`."""
    return (14 if equal_nan else 10) * elements(result)


def _angle(result: Any, /, z: Any, deg: Any = False) -> Any:
    """`arctan2`, and a scaling to degrees."""
    return (2 if deg else 1) * elements(result)


def _to_numbers(result: Any, /, x: Any, *more: Any, **named: Any) -> Any:
    """`isnan`, `isposinf` and `isneginf`; of integers nothing is asked."""
    return 8 * elements(result) if result.dtype.kind in "fc" else 0


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {getattr(operator, name): EACH for name in _OPERATORS.split()}
    made.update(dict.fromkeys((abs, pow, divmod, math.floor, math.ceil, math.trunc), EACH))
    for kind in (np, np.ndarray, np.generic):
        made.update(dict.fromkeys(present(kind, "clip"), _clip))
        made.update(dict.fromkeys(present(kind, "round around round_"), _round))
        made.update(dict.fromkeys(present(kind, "conj conjugate"), EACH))
    made.update({builtins.round: _round, np.where: _where, np.select: _select, np.isclose: _close, np.angle: _angle})
    made[np.nan_to_num] = _to_numbers
    for times, names in _TIMES.items():
        made.update(dict.fromkeys(present(np, names), each(times)))
    return made


_OPERATORS = (
    "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift lt le gt ge eq ne neg pos invert abs "
    "iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift"
)
_TIMES = {1: "i0 fix isreal iscomplex polyadd polysub kron", 3: "isneginf", 4: "isposinf", 5: "sinc"}
"""Functions of NumPy by the operations for an element of the result."""
