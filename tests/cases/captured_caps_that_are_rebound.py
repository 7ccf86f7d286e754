"""A name in capitals that a function rebinds is no constant."""
import numpy as np

GAIN = 2.0


def set_gain(value):
    global GAIN
    GAIN = value


# nst: example(*EXAMPLE)
def fn(x):
    return GAIN * x
#          ^^^^ NST205


EXAMPLE = (np.array([1., 2.]),)
