"""Conditions on what is not passed in: globals, attributes, items, closures, defaults."""
import numpy as np

verbose_mode = False
config = {"normalize": True, "power": 2}


# nst: example(np.array([1.0, 3.0]))
def by_global(x):
    if verbose_mode:
#      ^^^^^^^^^^^^ NST104
        return x
    return x + 1


# nst: example(np.array([1.0, 3.0]))
def by_item(x):
    if config["normalize"]:
#      ^^^^^^^^^^^^^^^^^^^ NST104
        return x / x.sum()
    return x


# nst: example(np.array([1.0, 3.0]))
def by_compared_item(x):
    return x * x if config["power"] == 2 else x
#                   ^^^^^^^^^^^^^^^^^^^^ NST104


class BatchNorm:
    def __init__(self):
        self.training = True

    # nst: example(BatchNorm(), np.array([[1.0, 2.0], [3.0, 5.0]]))
    def forward(self, x):
        if self.training:
#          ^^^^^^^^^^^^^ NST104
            return (x - x.mean(axis=0)) / x.std(axis=0)
        return x


def make_scaler(double):
    def scale(x):
        if double:
#          ^^^^^^ NST104
            return x * 2
        return x

    return scale


# nst: example(np.array([1.0, 3.0]))
scaler = make_scaler(True)


# nst: example(np.array([1.0, 3.0]))
def by_default(x, squared=True):
    if squared:
#      ^^^^^^^ NST104
        return x * x
    return x
