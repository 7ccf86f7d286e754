"""A name that a module does not have."""
import numpy as np
from math import sqroot, floor
# ~ NST503


# nst: example(np.array([1.0]))
def fn(x):
    return x
