"""A module-level buffer written by index, then read."""
import numpy as np

buffer = np.zeros(3)


# nst: example(*EXAMPLE)
def fn(x):
    buffer[:] = x
#   ^^^^^^^^^^^^^ NST304|NST305
    return buffer * 2
#          ^^^^^^ NST204


EXAMPLE = (np.array([3., 1., 2.]),)
