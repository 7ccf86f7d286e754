"""What the tracer is known to get wrong, by name of the case: an entry fails the day it is mended, and then goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

_VIEW = "a write through a view that another function made is lost on replay"
_SETTER = "arrays have no such attribute to set while they are traced"
_OUTS = "several `out` arrays are asked for their truth"

GAPS = {
    "a_split": _VIEW,
    "asarray_is_no_copy": _VIEW,
    "astype_without_copy": _VIEW,
    "x.flat[3] = 8.0": _VIEW,
    "x.flat = 4": _SETTER,
    "x.real = 2": _SETTER,
    "z.real = 1": _SETTER,
    "z.imag += 1": _SETTER,
    "outs-divmod": _OUTS,
    "outs-modf": _OUTS,
    "reads_two_views_of_one_memory": "a view captured before its base does not share memory with it",
    "np.fromfunction(lambda p, q: p + q, (3, 4)) * x": "a callback cannot be printed",
}


def cases(values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, those with a gap marked; functions go by their names, pairs joined by a dash."""
    return [pytest.param(value, marks=_marks(name(value)), id=name(value)) for value in values]


def name(value: Any) -> str:
    if isinstance(value, tuple):
        return "-".join(value)
    return value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__)


def _marks(case: str) -> list[Any]:
    return [pytest.mark.xfail(strict=True, reason=GAPS[case])] if case in GAPS else []
