"""A list of elements sorted in place: the order was decided by contents."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    items = [x[0], x[1], x[2]]
    items.sort()
#   ^^^^^^^^^^^^ NST101
    return items[0] + 2 * items[1]


EXAMPLE = (np.array([3., 1., 2.]),)
WITNESS = (np.array([1., 2., 3.]),)
