"""Examples that cannot be evaluated, or do not fit; the good ones beside them are traced."""
import numpy as np


# nst: example(np.oness(3))
# ~ NST502
def misspelt(x):
    return x + 1


# nst: example(np.ones(3), 2)
# ~ NST502
def too_many(x):
    return x + 1


# nst: example(np.ones(3)
# ~ NST502
def not_closed(x):
    return x + 1


# nst: example(spec("n 4"))
# ~ NST502
def without_a_size(x):
    return x + 1


# nst: example(undefined_array)
# ~ NST502
# nst: example(np.array([1.0, 2.0]))
def one_of_two(x):
    if x[0] > 0:
#      ^^^^^^^^ NST101
        return x
    return -x
