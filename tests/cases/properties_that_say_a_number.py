"""A property that gives what is written in it is no hidden input; one that reads the object is."""
import numpy as np


class Layer:
    def __init__(self):
        self._scale = 2.0

    @property
    def two(self):
        """Always."""
        return 2.0

    @property
    def scale(self):
        return self._scale
#              ^^^^^^^^^^^ NST205

    # nst: example(Layer(), np.array([1., 2.]))
    def __call__(self, x):
        return x * self.scale + self.two
