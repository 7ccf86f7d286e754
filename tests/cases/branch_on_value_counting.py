"""Elements counted one by one: a loop over the array, and a condition on each."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    count = sum(1 for v in x if v > 1)
#                          ^ NST106
#                               ^^^^^ NST101
    return x * count


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([2., 2.]),)
