"""A list of indices shuffled by the random module."""
import numpy as np
import random


# nst: example(*EXAMPLE)
def fn(x):
    order = [0, 1, 2]
    random.shuffle(order)
#   ^^^^^^^^^^^^^^^^^^^^^ NST206
    return x[order]


EXAMPLE = (np.arange(1., 4.),)
