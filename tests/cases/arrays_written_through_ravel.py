"""An input written through a view that `np.ravel` made."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    np.ravel(x)[0] = 7
#   ^^^^^^^^^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.arange(4.).reshape(2, 2),)
