"""`any` over a generator: the whole call decided, and the array was walked through."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if any(v < 0 for v in x):
#      ^^^^^^^^^^^^^^^^^^^^^ NST101
#                         ^ NST106?
        return -x
    return x


EXAMPLE = (np.array([.5, 4.]),)
WITNESS = (np.array([-1., 1.]),)
