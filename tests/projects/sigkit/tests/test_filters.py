import numpy as np
import pytest

from sigkit import MovingAverage, Recursive, exponential, smooth
from sigkit.filters import differences


@pytest.fixture
def ramp():
    return np.arange(10.0)


def test_smooth_keeps_a_ramp(ramp):
    np.testing.assert_allclose(smooth(ramp), ramp[1:-1])
    assert smooth(ramp, 5).shape == (6,)


@pytest.mark.parametrize("alpha", [0.1, 0.9])
def test_exponential_of_a_constant_is_itself(alpha):
    np.testing.assert_allclose(exponential(np.full(6, 2.5), alpha), 2.5)


def test_exponential_takes_lists():
    assert exponential([1, 2, 3]).shape == (3,)


@pytest.mark.parametrize("order", [1, 2])
def test_differences(ramp, order):
    assert differences(ramp, order).shape == (10 - order,)


def test_moving_average_of_rows(ramp):
    rows = np.stack([ramp, 2 * ramp])
    average = MovingAverage(3)
    assert average(rows).shape == average.apply(rows).shape == (2, 7)
    assert MovingAverage.of_rate(0.5, rate=8).width == 4


def test_recursive_remembers():
    recursive = Recursive(0.5)
    first = recursive.step(np.ones(4))
    second = recursive.step(np.ones(4))
    assert second[0] > first[-1] - 1e-9
    np.testing.assert_allclose(recursive.response(np.array([0.0, 0.5])), [2.0, 2 / 3])
