"""Numbers the function reads but was not given."""
import numpy as np

gain = 2.5
settings = {"eps": 1e-6, "window": 3}
history = [1, 2, 3]


# nst: example(np.array([1.0, 2.0]))
def amplify(x):
    return x * gain
#              ^^^^ NST205


# nst: example(np.array([1.0, 2.0]))
def stable_log(x):
    return np.log(x + settings["eps"])
#                     ^^^^^^^^^^^^^^^ NST205


# nst: example(np.array([1.0, 2.0]))
def scaled_by_length(x):
    return x / len(history)
#              ^^^^^^^^^^^^ NST205


class Shift:
    def __init__(self, amount):
        self.amount = amount

    # nst: example(Shift(3.0), np.array([1.0, 2.0]))
    def __call__(self, x):
        return x + self.amount
#                  ^^^^^^^^^^^ NST205


def power(exponent):
    return lambda x: x**exponent
#                       ^^^^^^^^ NST205


# nst: example(np.array([1.0, 2.0]))
cube = power(3)


# nst: example(np.array([1.0, 2.0]))
def layer_norm(x, eps=1e-5):
    return (x - x.mean()) / np.sqrt(x.var() + eps)
#                                             ^^^ NST205
