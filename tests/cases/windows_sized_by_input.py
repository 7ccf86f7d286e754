"""Window functions as long as the input stay so."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    return x * np.hanning(len(x)) + np.hamming(x.shape[0]) + np.bartlett(x.size)
#   ~ NST203 or-right


EXAMPLE = (np.arange(4.),)
WITNESS = (np.arange(3.),)
