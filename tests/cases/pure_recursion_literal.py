"""A recursion whose depth is written down."""
import numpy as np


def refine(v, depth):
    if depth == 0:
        return v
    return refine(0.5 * (v + 2.0 / v), depth - 1)


# nst: example(*EXAMPLE)
def fn(x):
    return refine(x, 4)


EXAMPLE = (np.arange(4.) + 1,)
SAME = (np.arange(4.) + 3,)
OTHER = (np.arange(6.) + .5,)
