"""A loop over an array from its end."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    total = 0.0
    for v in reversed(x):
#            ^^^^^^^^^^^ NST106
        total = total * 2 + v
    return total


EXAMPLE = (np.arange(4.),)
WITNESS = (np.arange(6.),)
