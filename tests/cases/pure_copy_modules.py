"""Shallow and deep copies are copies."""
import numpy as np
import copy


# nst: example(*EXAMPLE)
def fn(x):
    y = copy.copy(x)
    z = copy.deepcopy({"x": x, "n": [x * 2]})
    y[0] = 5.0
    z["x"][1] = 7.0
    return x, y, z["x"] + z["n"][0]


EXAMPLE = (np.arange(4.),)
OTHER = (np.arange(6.),)
