"""A cached property, computed by the first call."""
import numpy as np
import functools


class Layer:
    def __init__(self, n):
        self.n = n
    @functools.cached_property
    def window(self):
        return np.ones(3) * 2
    def __call__(self, x):
        return x * self.window
#                  ^^^^^^^^^^^ NST209|NST204


# nst: example(*EXAMPLE)
fn = Layer(3)


EXAMPLE = (np.arange(1., 4.),)
