"""Bins found and interpolated in."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, edges):
    i = np.searchsorted(edges, x, side="right") - 1
    i = np.clip(i, 0, len(edges) - 2)
    t = (x - edges[i]) / (edges[i + 1] - edges[i])
    return i, t


EXAMPLE = (np.array([0.5, 1.5]), np.array([0., 1., 2.]))
SAME = (np.array([0.1, 9.]), np.array([0., 1., 5.]))
OTHER = (np.array([0.1, 9., 3.]), np.array([0., 1., 5., 7.]))
