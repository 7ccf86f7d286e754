"""The clock by way of `datetime`, frozen."""
import numpy as np
import datetime


# nst: example(*EXAMPLE)
def fn(x):
    return x + datetime.datetime.now().microsecond
#              ^^^^^^^^^^^^^^^^^^^^^^^ NST207


EXAMPLE = (np.array([1., 2.]),)
