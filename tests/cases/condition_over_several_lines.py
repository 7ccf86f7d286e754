"""A condition over several lines: each operand at its own."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if (
        x.max() > 2
#       ^^^^^^^^^^^ NST101
        or x.min() < 0
#          ^^^^^^^^^^^ NST101
    ):
        return x * 2
    return x


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([1., 3.]),)
