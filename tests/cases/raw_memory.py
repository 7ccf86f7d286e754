"""Memory reached past the tracer."""
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def by_ctypes(x):
    pointer = x.ctypes.data_as(None)
#             ^^^^^^^^ NST401
    return x + 1


# nst: example(np.array([1.0, 2.0]))
def by_data(x):
    buffer = x.data
#            ^^^^^^ NST401
    return x + 1


# nst: example(np.array([1.0, 2.0]))
def by_memoryview(x):
    view = memoryview(x)
#          ^^^^^^^^^^^^^ NST401
    return x + 1


# nst: example(np.array([1.0, 2.0]))
def by_interface(x):
    interface = x.__array_interface__
#               ^^^^^^^^^^^^^^^^^^^^^ NST401
    return x + 1
