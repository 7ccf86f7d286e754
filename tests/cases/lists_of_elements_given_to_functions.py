"""Functions of NumPy given lists of elements follow them."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    a = np.linalg.norm([x[0], x[1]])
    b = np.max([x[0], x[1]])
    c = np.dot([x[0], x[1]], x)
    return np.add([x[0], x[1]], 1) * a + b - c


EXAMPLE = (np.array([1., 2.]),)
WITNESS = (np.array([5., 9.]),)
