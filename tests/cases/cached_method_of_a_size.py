"""A cached method called with a size: what it returns is what the cache kept."""
import numpy as np
import functools


class Window:
    @functools.lru_cache
    def build(self, n):
        return np.hanning(n)
    def __call__(self, x):
        return x * self.build(x.shape[0])
#                  ^^^^^^^^^^^^^^^^^^^^^^ NST209
#   ~ NST203?


# nst: example(*EXAMPLE)
fn = Window()


EXAMPLE = (np.array([1., 2., 4.]),)
WITNESS = (np.array([1., 2.]),)
