"""Constants of the standard library and of NumPy are nobody's hidden input."""
import numpy as np
import math
from math import pi


# nst: example(*EXAMPLE)
def fn(x):
    return np.sin(math.pi * x) + np.cos(2 * pi * x) + np.e * x


EXAMPLE = (np.ones((2, 3)),)
