"""`np.nan_to_num(..., copy=False)` writes its argument."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    np.nan_to_num(x, copy=False)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.array([1., np.nan]),)
