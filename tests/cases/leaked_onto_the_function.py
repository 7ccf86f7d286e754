"""A traced value stored as an attribute of the function itself."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    fn.last = x * 2
#   ^^^^^^^^^^^^^^^ NST305
    return fn.last


EXAMPLE = (np.array([1., 2.]),)
