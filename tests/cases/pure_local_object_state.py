"""An object that lives only inside the call may change as it likes."""
import numpy as np


class Accumulator:
    def __init__(self, start):
        self.total = start
        self.count = 0
    def add(self, v):
        self.total = self.total + v
        self.count += 1
        return self
    @property
    def mean(self):
        return self.total / self.count


# nst: example(*EXAMPLE)
def fn(x, y):
    acc = Accumulator(np.zeros_like(x))
    acc.add(x).add(y)
    return acc.mean


EXAMPLE = (np.arange(3.), np.ones(3))
SAME = (np.arange(3.) - 5, np.ones(3) * 4)
OTHER = (np.arange(5.) - 2, np.ones(5))
