"""A counter incremented by a method, read through what the method returns."""
import numpy as np


class Counter:
    def __init__(self):
        self.value = 0
    def increment(self):
        self.value += 1
#       ^^^^^^^^^^^^^^^ NST304
        return self


counter = Counter()


# nst: example(*EXAMPLE)
def fn(x):
    return x + counter.increment().value
#              ^^^^^^^^^^^^^^^^^^^^^^^^^ NST205


EXAMPLE = (np.ones(3),)
