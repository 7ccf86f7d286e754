"""Contents rounded by Python itself."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    centre = round(float(x.mean()), 1)
#            ~ NST201 or-right
    return x - centre


EXAMPLE = (np.array([1.0, 2.0]),)
WITNESS = (np.array([10.0, 20.0]),)
