"""A recursion whose depth the contents decide, told in the helper."""
import numpy as np


def halve(v):
    if v.sum() < 1:
#      ^^^^^^^^^^^ NST101
        return v
    return halve(v / 2)


# nst: example(*EXAMPLE)
def fn(x):
    return halve(x) + 1


EXAMPLE = (np.array([1., 4.]),)
WITNESS = (np.array([1., 40.]),)
