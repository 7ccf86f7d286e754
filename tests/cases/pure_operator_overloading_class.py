"""Dual numbers: a class of the user's that overloads operators."""
import numpy as np


class Dual:
    def __init__(self, value, grad):
        self.value, self.grad = value, grad
    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.grad + self.grad * other.value)
    def __add__(self, other):
        return Dual(self.value + other.value, self.grad + other.grad)


# nst: example(*EXAMPLE)
def fn(x):
    d = Dual(x, np.ones_like(x))
    out = d * d + d
    return out.value, out.grad


EXAMPLE = (np.arange(3.),)
SAME = (np.arange(3.) - 5,)
OTHER = (np.arange(5.) - 2,)
