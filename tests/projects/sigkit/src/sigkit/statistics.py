"""Statistics of signals and of tables of samples."""

from __future__ import annotations

import numpy as np

from ._checks import as_rows


def standardise(table):
    """Columns with mean 0 and deviation 1.

    Parameters
    ----------
    table : ndarray of shape (n, d)
        A row for each sample.

    Returns
    -------
    ndarray of shape (n, d)
    """
    return (table - table.mean(axis=0)) / table.std(axis=0)


def correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Pearson's coefficient of two signals."""
    first = first - first.mean()
    second = second - second.mean()
    return (first * second).sum() / np.sqrt((first**2).sum() * (second**2).sum())


def running_mean(signal, weights=None):
    """The mean of all samples so far, which may be weighed."""
    if weights is None:
        weights = np.ones(signal.shape[0])
    return np.cumsum(signal * weights) / np.cumsum(weights)


def outliers(signal, limit=3.0):
    """The samples that lie far off, as a list."""
    centre = np.median(signal)
    spread = np.median(np.abs(signal - centre))
    found = []
    for sample in signal:
        if abs(sample - centre) > limit * spread:
            found.append(float(sample))
    return found


def histogram(signal, edges):
    """How many samples lie between neighbouring edges."""
    counts = np.zeros(len(edges) - 1, dtype=int)
    for i in range(len(edges) - 1):
        counts[i] = ((signal >= edges[i]) & (signal < edges[i + 1])).sum()
    return counts


class Normaliser:
    """Learns mean and deviation of columns, and takes them out."""

    def __init__(self, ddof=0):
        self.ddof = ddof
        self.mean = None
        self.deviation = None

    def fit(self, table):
        table = as_rows(table)
        self.mean = table.mean(axis=0)
        self.deviation = table.std(axis=0, ddof=self.ddof)
        return self

    def transform(self, table):
        """Raises ValueError before `fit`."""
        if self.mean is None:
            raise ValueError("call fit first")
        return (as_rows(table) - self.mean) / self.deviation


def describe(table, names):
    """A line for each column."""
    means = table.mean(axis=0)
    return [f"{name}: {mean:.3f}" for name, mean in zip(names, means)]
