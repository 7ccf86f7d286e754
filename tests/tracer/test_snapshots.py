"""Graphs as text to be kept: without what changes though the graph does not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tracer.versions import EXACT, NO_COLUMNS
from tracer import trace
from tracer.snapshots import snapshot as text_of

few = np.array([0.1 + 0.2, 1.0])
many = np.linspace(0.0, 1.0, 200)
huge = np.ones((100, 100))


def f(x, y=2.5):
    if x.shape[0] > 2:
        x = x * 3.14159265358979
    for i in range(3):
        x = np.sin(x) * i
    x = x + few.sum() + many.sum() + huge[0, 0]
    x[0] = 1e-3
    return x, "it # is", 0x10


@pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)
def test_a_graph_is_kept():
    assert (
        text_of(trace(f, np.ones((3, 4))).graph)
        == """\
# holds for x.shape[0] > 2
import numpy as np

def f(x, y=2.5):
    x_1 = x * 3.14159265  # float64[3, 4]
    sin = np.sin(x_1)  # float64[3, 4]
    x_2 = sin * 0  # float64[3, 4]
    sin_1 = np.sin(x_2)  # float64[3, 4]
    x_3 = sin_1 * 1  # float64[3, 4]
    sin_2 = np.sin(x_3)  # float64[3, 4]
    x_4 = sin_2 * 2  # float64[3, 4]
    few = np.array([0.3, 1.0], dtype='float64')  # float64[2]
    sum_ = few.sum()  # float64[]
    add = x_4 + sum_  # float64[3, 4]
    many = ...  # float64[200]
    sum__1 = many.sum()  # float64[]
    add_1 = add + sum__1  # float64[3, 4]
    huge = ...  # float64[100, 100]
    getitem = huge[0, 0]  # float64[]
    x_5 = add_1 + getitem  # float64[3, 4]
    x_5[0] = 0.001
    return (x_5, 'it # is', 16)
"""
    )


def test_the_last_digits_are_not():
    def nearly(x):
        return x * np.float64(0.1 + 0.2 + 1e-16)

    def exactly(x):
        return x * np.float64(0.3)

    kept = text_of(trace(nearly, np.ones(2)).graph)
    assert "0.3" in kept
    assert kept.replace("nearly", "exactly") == text_of(trace(exactly, np.ones(2)).graph)
