"""The dtype of an array like another is that one's, also where rows were written into it."""
import numpy as np


# nst: example(np.array([[0.75, 0.75], [3.0, 0.0]]))
def compute(x):
    scaled = np.zeros_like(x)
    scaled[0] = x[0] * 2
    return scaled * 2 if scaled.dtype == np.float64 else scaled
#                        ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST105


# nst: example(np.array([[0.75, 0.75], [3.0, 0.0]]))
def unwritten(x):
    scaled = np.zeros_like(x)
    return x * 2 if scaled.dtype == np.float64 else x
#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST105


# nst: example(np.array([[0.75, 0.75], [3.0, 0.0]]))
def in_a_loop(x):
    for _ in range(2):
        scaled = np.zeros_like(x)
        for i in range(len(x)):
#                ^^^^^^^^^^^^^ NST106
            scaled[i] = x[i] * 2
    return scaled * 2 if scaled.dtype == np.float64 else scaled
#                        ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST105
