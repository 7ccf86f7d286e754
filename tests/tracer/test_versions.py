"""A skipped case is one that this NumPy has not, and no other."""

from __future__ import annotations

from operator import attrgetter

import numpy as np
import pytest

from tests.tracer.versions import NUMPY, SINCE, missing


@pytest.mark.parametrize("name", SINCE)
def test_a_name_came_when_the_table_says(name: str) -> None:
    try:
        attrgetter(name.removeprefix("np."))(np)
    except AttributeError:
        assert SINCE[name] > NUMPY
        assert missing(f"{name}(x)" if "ndarray" not in name else f"x{name.removeprefix('np.ndarray')}")
    else:
        assert SINCE[name] <= NUMPY


def test_other_names_are_not_taken_for_those() -> None:
    assert missing("x.astype(float) + np.concatenate([x, x])") is None
