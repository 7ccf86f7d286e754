"""`np.asarray` of an array is the array: writing to it writes the input."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    y = np.asarray(x)
    y[0] = 1.5
#   ^^^^^^^^^^ NST303
    return y * 2


EXAMPLE = (np.arange(4.),)
