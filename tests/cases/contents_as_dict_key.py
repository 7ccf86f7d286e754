"""Contents made a number, and looked up by it: one finding, where they were taken out."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    table = {1: 0.5, 2: 0.25}
    return x * table[int(x.max())]
#   ~ NST201|NST101


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([1., 1.]),)
