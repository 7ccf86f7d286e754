"""What the tracer is known to get wrong, by name of the case: an entry fails the day it is mended, and then goes.

Cases of what this NumPy has not (`versions.py`) are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tests.tracer.versions import missing

GAPS: dict[str, str] = {}


def cases(values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, marked where there is a gap, or another NumPy is needed.

    Functions go by their names, pairs joined by a dash.
    """
    return [pytest.param(value, marks=_marks(name(value)), id=name(value)) for value in values]


def name(value: Any) -> str:
    if isinstance(value, tuple):
        return "-".join(value)
    return value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__)


def _marks(case: str) -> list[Any]:
    reason = missing(case)
    if reason is not None:
        return [pytest.mark.skip(reason=reason)]
    return [pytest.mark.xfail(strict=True, reason=GAPS[case])] if case in GAPS else []
