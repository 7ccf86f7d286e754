"""A failing import that the module itself handles is no failure."""
import numpy as np

try:
    import a_module_that_nobody_has
except ImportError:
    a_module_that_nobody_has = None


# nst: example(np.array([1.0, 2.0]))
def fn(x):
    return x * 2
