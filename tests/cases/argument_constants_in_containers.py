"""Numbers inside dictionaries and dataclasses that are passed in; and in a helper."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Options:
    rate: float
    decay: float


# nst: example(np.array([1.0, 2.0]), np.array([0.5, 0.5]), {"rate": 0.1})
def sgd(weights, gradient, options):
    return weights - options["rate"] * gradient
#                    ^^^^^^^^^^^^^^^ NST202


# nst: example(np.array([1.0, 2.0]), np.array([0.5, 0.5]), Options(0.1, 0.01))
def decayed(weights, gradient, options):
    shrunk = weights * (1 - options.decay)
#                       ^^^^^^^^^^^^^^^^^ NST202
    return shrunk - options.rate * gradient
#                   ^^^^^^^^^^^^ NST202


def scaled(values, factor):
    return values * factor
#                   ^^^^^^ NST202


# nst: example(np.array([1.0, 2.0]), 3.0)
def in_a_helper(x, p):
    return scaled(x, p) + 1
