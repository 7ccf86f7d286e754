"""An input sorted by the method of its class."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    np.ndarray.sort(x)
#   ^^^^^^^^^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.arange(3.)[::-1].copy(),)
