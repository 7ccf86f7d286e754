"""Conditions on arguments that are no arrays."""
import numpy as np


# nst: example(np.array([-1.0, 1.0]), "relu")
def activation(x, kind):
    if kind == "relu":
#      ^^^^^^^^^^^^^^ NST103
        return np.maximum(x, 0)
    return np.tanh(x)


# nst: example(np.ones(4), True)
def dropout(x, training):
    if not training:
#          ^^^^^^^^ NST103
        return x
    return x * 0.5


# nst: example(np.ones((2, 3)), None)
def total(x, axis):
    if axis is None:
#      ^^^^^^^^^^^^ NST103
        return x.sum()
    return np.sort(x)


# nst: example(np.ones(3), 2)
def norm(x, order):
    return np.abs(x).sum() if order == 1 else np.sqrt((x * x).sum())
#                             ^^^^^^^^^^ NST103


# nst: example(np.ones(3), {"centre": True, "scale": False})
def standardise(x, options):
    if options["centre"]:
#      ^^^^^^^^^^^^^^^^^ NST103
        x = x - x.mean()
    if options["scale"]:
#      ^^^^^^^^^^^^^^^^ NST103
        x = x / x.std()
    return x
