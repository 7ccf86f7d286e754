"""Augmented assignment to values of the function's own."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    total = 0
    total += x.sum()
    total *= 2
    y = x @ x
    y -= total
    z = x + 0
    z **= 2
    z[z > 3] *= 0.5
    return z + y


EXAMPLE = (np.arange(5.),)
SAME = (np.arange(5.) - 5,)
OTHER = (np.arange(8.) - 2,)
