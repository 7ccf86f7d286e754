"""Newton's steps with a `break` at convergence: the condition is asked in each step, and answers differ."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    y = x
    for _ in range(20):
        step = (y * y - 2) / (2 * y)
        if np.abs(step).max() < 1e-6:
#          ^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
            break
        y = y - step
    return y


EXAMPLE = (np.array([1., 4.]),)
WITNESS = (np.array([1., 4000.]),)
