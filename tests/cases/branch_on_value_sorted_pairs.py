"""Pairs sorted by their first members, which are contents."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    pairs = sorted([(x.sum(), 0), (y.sum(), 1)])
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
    return x if pairs[0][1] == 0 else y


EXAMPLE = (np.array([1., 2.]), np.array([3., 4.]))
WITNESS = (np.array([1., 20.]), np.array([3., 4.]))
