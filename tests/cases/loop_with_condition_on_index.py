"""A loop over a size with a condition on its index: only the loop is told."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    total = 0.0
    for i in range(x.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        if i % 2 == 0:
            total = total + x[i]
    return total


EXAMPLE = (np.arange(3.),)
WITNESS = (np.arange(2.),)
