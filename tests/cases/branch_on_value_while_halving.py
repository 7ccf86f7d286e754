"""A `while` that goes on for as long as the contents say: one finding, however often it is asked."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    while np.abs(x).max() > 1:
#         ^^^^^^^^^^^^^^^^^^^ NST101
        x = x / 2
    return x


EXAMPLE = (np.array([1., 4.]),)
WITNESS = (np.array([1., 16.]),)
