"""An input written by calling its `__setitem__`."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    x.__setitem__(0, 5.0)
#   ^^^^^^^^^^^^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.arange(3.),)
