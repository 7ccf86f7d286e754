"""An import that ends the process at once."""
import os

os._exit(0)
# ~ NST504


# nst: example(np.ones(3))
def never_reached(x):
    return x + 1
