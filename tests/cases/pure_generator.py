"""A generator of powers, walked through with its index."""
import numpy as np


def powers(v, count):
    term = np.ones_like(v)
    for _ in range(count):
        yield term
        term = term * v


# nst: example(*EXAMPLE)
def fn(x):
    total = 0.0
    for k, p in enumerate(powers(x, 4)):
        total = total + p / (k + 1)
    return total


EXAMPLE = (np.arange(4.) + 1,)
SAME = (np.arange(4.) + 3,)
OTHER = (np.arange(6.) + .5,)
