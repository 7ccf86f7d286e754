"""Sizes asked for by `np.size` and `np.shape`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if np.size(x) > 3 and np.shape(x)[0] < 9:
#      ^^^^^^^^^^^^^^ NST102
#                         ^^^^^^^^^^^^^^^^^^ NST102
        return x.sum()
    return x


EXAMPLE = (np.ones((2, 2)),)
WITNESS = (np.ones((1, 2)),)
