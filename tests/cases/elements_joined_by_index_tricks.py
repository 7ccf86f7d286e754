"""Elements and arrays joined by `np.r_`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    return np.r_[x[0], x, 0.0]


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([5., 9.]),)
