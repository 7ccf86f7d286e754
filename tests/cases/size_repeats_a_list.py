"""A list repeated as often as an array is long."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    return x + np.array([0.5] * len(x))
#   ~ NST203|NST106 or-right


EXAMPLE = (np.arange(2.),)
WITNESS = (np.arange(3.),)
