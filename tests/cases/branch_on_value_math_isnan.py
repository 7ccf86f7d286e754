"""A predicate of the math module, asked of a reduction."""
import numpy as np
import math


# nst: example(*EXAMPLE)
def fn(x):
    total = x.sum()
    if math.isnan(total):
#      ^^^^^^^^^^^^^^^^^ NST101
        return np.zeros_like(x)
    return x / total


EXAMPLE = (np.array([1., 4.]),)
WITNESS = (np.array([np.nan, 1.]),)
