"""Python's built-in functions on arrays and sizes: `len`, `max`, `sum`, conversions to plain numbers."""

from __future__ import annotations

import builtins
import math
import operator
from typing import Any

from .abstract import Abstract, Reason, Unknown
from .dims import broadcast, empty, is_one, product, shape_of
from .elementwise import on_sizes, operation, plain
from .probe import Function, Rule, dressed, probe
from .size import Size, largest, smallest

_ADD = operation(operator.add)


def _len(value: Any) -> Any:
    if not isinstance(value, Abstract):
        return len(value)
    if not value.shape:
        raise TypeError("len() of unsized object")
    return value.shape[0]


def _extremum(function: Function) -> Rule:
    choose = largest if function is builtins.max else smallest

    def rule(*args: Any, **kwargs: Any) -> Any:
        items = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
        if all(type(a) in (int, Size) for a in items) and items and not kwargs:
            return choose(*items)
        if plain(tuple(items)):
            return on_sizes(function, args, kwargs)
        if len(args) > 1 or isinstance(args[0], (list, tuple)):
            raise Unknown(Reason.CONTENTS)  # which of several numbers, and so its class
        like = probe(function, args, kwargs)
        if not isinstance(args[0], Abstract) or len(args[0].shape) > 1:
            raise Unknown(Reason.CONTENTS)
        if empty(args[0].shape) and "default" not in kwargs:
            raise ValueError("iterable argument is empty")
        return dressed(like, ())

    return rule


def _sum(items: Any, /, start: Any = 0) -> Any:
    if not isinstance(items, Abstract):
        total = start
        for item in items:
            total = _ADD(total, item)
        return total
    if empty(items.shape):
        return start
    like = probe(builtins.sum, (items, start), {})
    return dressed(like, broadcast(items.shape[1:], shape_of(start)))


def _round(value: Any, *digits: Any) -> Any:
    if plain((value,)):
        return value if type(value) is Size else round(value, *digits)
    return dressed(probe(round, (value, *digits), {}), ())


def _to_integer(function: Function) -> Rule:
    def rule(*args: Any) -> Any:
        if len(args) == 1 and type(args[0]) is Size:
            return args[0]
        return _to_number(function)(*args)

    return rule


def _to_number(function: Function) -> Rule:
    def rule(*args: Any) -> Any:
        if plain(args) and not any(type(a) is Size for a in args):
            return function(*args)
        if type(args[0]) is Abstract and (len(args[0].shape) > 1 or not is_one(product(args[0].shape))):
            probe(function, (args[0], *args[1:]), {}, 2)  # raises where an array is no number
        raise Unknown(Reason.CONTENTS)

    return rule


def _contains(container: Any, item: Any) -> bool:
    if plain((container, item)):
        return operator.contains(container, item)
    raise Unknown(Reason.CONTENTS)


def rules() -> dict[Any, Rule]:
    """The rules of this module, by the functions themselves."""
    made: dict[Any, Rule] = {function: _extremum(function) for function in (max, min)}
    numbers: list[Any] = [float, complex, bool, operator.truth, operator.not_]
    integers: list[Any] = [int, operator.index, math.floor, math.ceil, math.trunc]
    made.update({function: _to_number(function) for function in numbers})
    made.update({function: _to_integer(function) for function in integers})
    made.update({len: _len, sum: _sum, round: _round, operator.contains: _contains})
    return made
