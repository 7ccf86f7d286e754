"""Pairs of indices up to a size."""
import numpy as np
import itertools


# nst: example(*EXAMPLE)
def fn(x):
    total = 0.0
    for i, j in itertools.combinations(range(len(x)), 2):
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
#   ~ NST203?
        total = total + x[i] * x[j]
    return total


EXAMPLE = (np.arange(3.),)
WITNESS = (np.arange(4.),)
