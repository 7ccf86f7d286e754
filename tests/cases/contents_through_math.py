"""The `math` module reaches contents its own way."""
import math

import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    length = math.sqrt((x * x).sum())
#            ^^^^^^^^^^^^^^^^^^^^^^^^ NST201 or-right
    return x / length


EXAMPLE = (np.array([3.0, 4.0]),)
WITNESS = (np.array([6.0, 8.0]),)
