"""A program that works and that a graph does not follow: the faults as they look in daily work."""

import numpy as np

settings = {"eps": 1e-6, "clip": 3.0}


def standard_score(column):
    """A helper: what it loses is reported here, with the call that led here."""
    spread = column.std()
    if spread < settings["eps"]:
        return column - column.mean()
    return (column - column.mean()) / spread


# nst: example(np.array([[1.0, 10.0], [2.0, 30.0], [4.0, 20.0]]))
def scores(table):
    columns = [standard_score(table[:, j]) for j in range(table.shape[1])]
    return np.stack(columns, axis=1)


class Smoother:
    """Exponential smoothing that remembers its last value: the memory is not in the graph."""

    def __init__(self, rate):
        self.rate = rate
        self.frozen = False

    # nst: example(Smoother(0.3), np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.5, 0.5]))
    def update(self, x, before):
        if self.frozen:
            return before
        return self.rate * x + (1 - self.rate) * before
