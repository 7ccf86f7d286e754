"""A number formatted with `%` and compared: the comparison is what decided."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if "%.1f" % x[0] == "0.5":
#      ^^^^^^^^^^^^^^^^^^^^^^ NST101
        return x * 2
    return x


EXAMPLE = (np.array([.5, 4.]),)
WITNESS = (np.array([7., 1.]),)
