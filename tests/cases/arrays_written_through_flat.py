"""An input written through its flat iterator."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    x.flat[0] = 1.5
#   ^^^^^^^^^^^^^^^ NST303
    return x * 2


EXAMPLE = (np.arange(4.),)
