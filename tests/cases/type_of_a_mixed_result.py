"""The dtype of a result does not depend on the sizes and numbers that went into it."""
import numpy as np


# nst: example(np.array([-0.75, 3.0, -1.5]))
def after_a_size(x):
    level = x / x.shape[0]
    return level * 2 if level.dtype == np.float64 else level
#                       ^^^^^^^^^^^^^^^^^^^^^^^^^ NST105


# nst: example(np.array([-0.75, 3.0, -1.5]), 2.0)
def after_an_argument(x, power):
    level = x * power
#               ^^^^^ NST202
    return level * 2 if level.dtype == np.float64 else level
#                       ^^^^^^^^^^^^^^^^^^^^^^^^^ NST105
