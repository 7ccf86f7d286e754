"""The number of axes asked for by `np.ndim`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if np.ndim(x) > 1:
#      ^^^^^^^^^^^^^^ NST105
        return x.sum(axis=-1)
    return x * 3


EXAMPLE = (np.arange(2.),)
WITNESS = (np.ones((2, 2)),)
