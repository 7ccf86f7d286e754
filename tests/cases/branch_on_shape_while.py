"""Rounds counted down from a size, by a `while`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    n = x.shape[0]
    while n > 1:
#         ^^^^^ NST102
        x = x[::2] + 1
        n = n // 2
    return x


EXAMPLE = (np.arange(4.),)
WITNESS = (np.arange(8.),)
