"""Functions that take all there is."""
import os
import sys


# nst: example(np.ones(3))
def forks_without_end(x):
    y = x + 1
    while True:
        os.fork()
#       ~ NST504
    return y


# nst: example(np.ones(3))
def prints_without_end(x):
    y = x + 1
    while True:
        sys.stdout.write("x" * 1000)
#       ~ NST504
#       ~ NST301?
    return y


# nst: example(np.ones(3))
def records_without_end(x):
    while True:
        x = x + 1
#       ~ NST504


# nst: example(np.ones(3))
def comes_after(x):
    return x * 2
