"""An iterator as argument, advanced by the call."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(batches):
    first = next(batches)
#           ^^^^^^^^^^^^^ NST302
    return first * 2


EXAMPLE = (iter([np.array([1.]), np.array([2.])]),)
