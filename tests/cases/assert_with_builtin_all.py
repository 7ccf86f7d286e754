"""An `assert` whose condition calls the builtin `all`: one finding, of the assert."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(p):
    assert all(p >= 0)
#          ^^^^^^^^^^^ NST107
#   ~ NST106?
    return np.sqrt(p)


EXAMPLE = (np.array([.25, .75]),)
WITNESS = (np.array([-.5, .75]),)
