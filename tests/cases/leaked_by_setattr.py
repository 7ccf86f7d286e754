"""A traced value stored on an object by `setattr`."""
import numpy as np


class Layer:
    def __call__(self, x):
        setattr(self, "last", x * 2)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST305
        return x + 1


# nst: example(*EXAMPLE)
fn = Layer()


EXAMPLE = (np.array([1., 2.]),)
