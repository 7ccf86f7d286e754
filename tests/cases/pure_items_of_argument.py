"""A dictionary argument walked through in the order of its keys."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(params):
    total = 0.0
    for key, value in sorted(params.items()):
        total = total + (value**2).sum()
    return total


EXAMPLE = ({"w": np.ones(2), "b": np.zeros(1)},)
SAME = ({"w": np.ones(2) * 2, "b": np.ones(1)},)
OTHER = ({"w": np.ones(3) * 2, "b": np.zeros(2)},)
