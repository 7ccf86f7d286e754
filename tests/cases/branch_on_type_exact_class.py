"""The exact class of an array compared with `!=`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    if type(x) != np.ndarray:
#      ^^^^^^^^^^^^^^^^^^^^^ NST105|NST403
        return x * 2
    return x * 3


EXAMPLE = (np.arange(2.),)
