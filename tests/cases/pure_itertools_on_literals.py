"""Products and combinations of literals and of arguments."""
import numpy as np
import itertools


# nst: example(*EXAMPLE)
def fn(x, y):
    total = 0.0
    for i, j in itertools.product(range(2), repeat=2):
        total = total + x[i] * y[j] * (i + j)
    for a, b in itertools.combinations([x, y, x + y], 2):
        total = total + a @ b
    return total


EXAMPLE = (np.arange(2.), np.ones(2))
SAME = (np.arange(2.) + 3, np.ones(2) * 2)
