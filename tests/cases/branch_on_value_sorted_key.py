"""Two arguments sorted by a key of their contents."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x, y):
    a, b = sorted([x, y], key=lambda v: v.sum())
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
    return a - b


EXAMPLE = (np.array([.5, 4.]), np.array([1., 1.]))
WITNESS = (np.array([.1, .2]), np.array([1., 1.]))
