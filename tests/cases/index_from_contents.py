"""A position computed from contents and used as an index."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    peak = int(x.argmax())
#          ^^^^^^^^^^^^^^^ NST201 or-right
    return x - x[peak]


EXAMPLE = (np.array([1.0, 5.0, 2.0]),)
WITNESS = (np.array([9.0, 5.0, 2.0]),)
