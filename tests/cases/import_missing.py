"""A module that is not installed: the statement that asked for it."""
import numpy as np
import a_module_that_nobody_has
# ~ NST503


# nst: example(np.array([1.0]))
def fn(x):
    return a_module_that_nobody_has.f(x)
