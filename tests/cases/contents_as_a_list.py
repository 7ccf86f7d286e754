"""`.tolist()`: the contents leave as a Python list."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    first, *rest = x.tolist()
#                  ^^^^^^^^^^ NST201 or-right
#   ~ NST106?
    return x - first


EXAMPLE = (np.array([1.0, 2.0]),)
WITNESS = (np.array([5.0, 9.0]),)
