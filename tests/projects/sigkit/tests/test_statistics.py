import numpy as np
import pytest

from sigkit import Normaliser, correlation, outliers, running_mean, standardise
from sigkit.statistics import describe, histogram


@pytest.fixture
def table():
    return np.random.default_rng(7).normal(size=(20, 3))


def test_standardise(table):
    np.testing.assert_allclose(standardise(table).mean(axis=0), 0, atol=1e-12)


def test_correlation_of_a_signal_with_itself(table):
    assert correlation(table[:, 0], table[:, 0]) == pytest.approx(1)


def test_running_mean():
    np.testing.assert_allclose(running_mean(np.array([1.0, 3.0])), [1, 2])
    np.testing.assert_allclose(running_mean(np.array([1.0, 3.0]), np.array([1, 3])), [1, 2.5])


def test_outliers():
    assert outliers(np.array([1.0, 2.0, 1.5, 90.0])) == [90.0]


def test_histogram():
    np.testing.assert_array_equal(histogram(np.array([0.5, 1.5, 1.6]), [0, 1, 2]), [1, 2])


def test_normaliser(table):
    normaliser = Normaliser(ddof=1).fit(table)
    assert normaliser.transform(table[0]).shape == (1, 3)
    with pytest.raises(ValueError, match="call fit first"):
        Normaliser().transform(table)
    with pytest.raises(ValueError, match="two axes"):
        normaliser.transform(np.ones((2, 2, 2)))


def test_describe(table):
    assert len(describe(table, ["a", "b", "c"])) == 3
