"""An input's real part assigned."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    x.real = 0
#   ^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.arange(4.) * (1 + 1j),)
