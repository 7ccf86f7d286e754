"""A mode read through a property."""
import numpy as np


class Layer:
    def __init__(self):
        self._mode = "train"
    @property
    def training(self):
        return self._mode == "train"
    def __call__(self, x):
        if self.training:
#          ^^^^^^^^^^^^^ NST104
            return x * 0.5
        return x


# nst: example(*EXAMPLE)
fn = Layer()


EXAMPLE = (np.arange(1., 4.),)
