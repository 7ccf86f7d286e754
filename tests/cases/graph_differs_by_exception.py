"""An exception that a size raises decides what is returned; no condition says so."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
#   ^^ NST601
    try:
        return x.reshape(2, -1).sum(axis=0)
    except ValueError:
        return x * 3


EXAMPLE = (np.arange(4.),)
