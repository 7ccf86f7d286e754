"""Indices that are contents, used as indices."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    i = np.argmax(x)
    best = x[i]
    j = np.unravel_index(i, x.shape)
    return best, i, j[0] + 1, x[x.argmin()] * 2


EXAMPLE = (np.array([1., 5., 2.]),)
SAME = (np.array([7., 5., 2.]),)
OTHER = (np.array([7., 5., 2., 9.]),)
