"""A script without a main guard: importing it calls `sys.exit`."""
import sys

sys.exit("usage: script FILE")
# ~ NST503|NST504


# nst: example(np.ones(3))
def never_reached(x):
    return x + 1
