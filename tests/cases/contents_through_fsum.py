"""Elements summed by the math module."""
import numpy as np
import math


# nst: example(*EXAMPLE)
def fn(x):
    return x / math.fsum([x[0], x[1]])
#              ^^^^^^^^^^^^^^^^^^^^^^^ NST201 or-right


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([5., 9.]),)
