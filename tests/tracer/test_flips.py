"""A witness of a condition is one under which it decides otherwise, not one that shows what else a value does."""

from __future__ import annotations

import numpy as np
import pytest

from tracer import trace
from tracer.worker.wire import Finding

SCALE = 4.0
settings = {"power": 3}


def configure(power):
    settings["power"] = power


def large(x, y):
    error = (x - y) * SCALE
    if np.abs(error).max() > 100.0:
        error = error / 2
    return error


def far_from_its_limit(x):
    if settings["power"] < 50:
        return x ** settings["power"]
    return x


def at_its_limit(x):
    if settings["power"] < 4:
        return x ** settings["power"]
    return x


def by_argument(x, power):
    if power < 50:
        return x**power
    return x


def at_a_limit(x, power):
    if power < 4:
        return x**power
    return x


def finding(code: str, function, *example) -> Finding:
    (found,) = [f for f in trace(function, *example, verify=True).findings if f.code == code]
    return found


def test_a_condition_on_magnitudes_is_shown_by_large_arrays():
    found = finding("NST101", large, np.array([0.5, 1.5]), np.array([1.0, -1.0]))
    assert found.witness is not None
    assert "SCALE" not in found.witness.arguments
    x, y = (eval(found.witness.arguments[name]) for name in "xy")
    assert np.abs((x - y) * SCALE).max() > 100.0


@pytest.mark.parametrize(
    ("code", "function", "rest", "is_shown"),
    [
        ("NST104", far_from_its_limit, (), False),
        ("NST104", at_its_limit, (), True),
        ("NST103", by_argument, (3,), False),
        ("NST103", at_a_limit, (3,), True),
    ],
)
def test_a_value_that_decides_nothing_else_is_no_witness_of_the_condition(code, function, rest, is_shown):
    assert (finding(code, function, np.array([2.0, 3.0]), *rest).witness is not None) is is_shown
