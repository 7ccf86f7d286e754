"""Arguments given by name, put in their places: rules name their parameters as they please."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

_KNOWN: dict[Any, tuple[str, ...]] = {}
_PLAIN = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def placed(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The same call with the arguments that follow on the positional ones given by position, as far as they go."""
    names = _KNOWN.get(function)
    if names is None:
        names = _KNOWN[function] = _names(function)
    if len(args) >= len(names) or names[len(args)] not in kwargs:
        return args, kwargs
    rest = dict(kwargs)
    more = []
    for name in names[len(args) :]:
        if name not in rest:
            break
        more.append(rest.pop(name))
    return (*args, *more), rest


def _names(function: Any) -> tuple[str, ...]:
    """The parameters that may be given by position, in order; none where the function does not say."""
    if isinstance(function, np.ufunc):
        return ()  # an output by name may be a tuple, by position not
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    found = []
    for parameter in parameters:
        if parameter.kind not in _PLAIN:
            break
        found.append(parameter.name)
    return tuple(found)
