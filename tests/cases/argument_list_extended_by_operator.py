"""A list argument that `+=` extends."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(items, x):
    items += [x]
#   ^^^^^^^^^^^^ NST302|NST305
    return x * 3


EXAMPLE = ([np.array([1.]), np.array([2.])], np.array([3.]))
