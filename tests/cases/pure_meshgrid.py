"""Grids from two axes, and from literals."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    xx, yy = np.meshgrid(x, y, indexing="ij")
    r2 = xx**2 + yy**2
    grid = np.mgrid[0:3, 0:2]
    return np.exp(-r2), grid.sum(axis=0) + 0 * x[0]


EXAMPLE = (np.array([0.5, 1.5]), np.array([0., 1., 2.]))
SAME = (np.array([0.1, 9.]), np.array([0., 1., 5.]))
OTHER = (np.array([0.1, 9., 3.]), np.array([0., 1., 5., 7.]))
