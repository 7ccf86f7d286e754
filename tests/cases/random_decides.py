"""A draw that decides a branch."""
import numpy as np
import random


# nst: example(*EXAMPLE)
def fn(x):
    if random.random() < 2:
#   ~ NST206|NST104
#   ~ NST206|NST104?
        return x * 2
    return x


EXAMPLE = (np.array([1., 2., 3.]),)
