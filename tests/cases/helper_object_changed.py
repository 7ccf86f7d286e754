"""A module-level object whose method counts and sums."""
import numpy as np


class Stats:
    def __init__(self):
        self.n = 0
        self.total = 0.0
    def add(self, v):
        self.n += 1
#       ^^^^^^^^^^^ NST304
        self.total = self.total + v.sum()
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST305
#                    ^^^^^^^^^^^^^^^^^^^^ NST205?


stats = Stats()


# nst: example(*EXAMPLE)
def fn(x):
    stats.add(x)
    return x * 2


EXAMPLE = (np.arange(4.),)
