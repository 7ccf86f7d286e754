"""The square root of a size, by the math module, follows the size."""
import numpy as np
import math


# nst: example(*EXAMPLE)
def fn(x):
    return x / math.sqrt(x.shape[-1])
#              ^^^^^^^^^^^^^^^^^^^^^^ NST203 or-right


EXAMPLE = (np.arange(2.),)
WITNESS = (np.arange(3.),)
