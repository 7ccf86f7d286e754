"""A list argument popped under another name."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(items):
    queue = items
    x = queue.pop(0)
#       ^^^^^^^^^^^^ NST302
    return x + queue[0]


EXAMPLE = ([np.array([1.]), np.array([2.])],)
