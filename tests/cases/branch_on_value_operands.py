"""`and`, `or`, `not` and chained comparisons: the operand that became a truth value."""
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def not_any(x):
    if not x.any():
#          ^^^^^^^ NST101
        return x
    return x * 2


# nst: example(np.array([1.0, 2.0]))
def both(x):
    if x[0] > 0 and x[1] > 0:
#      ^^^^^^^^ NST101
#                   ^^^^^^^^ NST101
        return np.log(x)
    return x


# nst: example(np.array([1.0, 2.0]))
def the_second_is_never_asked(x):
    if x[0] > 0 or x[1] > 0:
#      ^^^^^^^^ NST101
        return x + 1
    return x


# nst: example(np.array([0.5, 2.0]))
def between(x):
    centre = x.mean()
    return x * 2 if 0 < centre < 10 else x
#                   ^^^^^^^^^^ NST101
#                       ^^^^^^^^^^^ NST101


# nst: example(np.array([[1.0, 2.0], [3.0, 4.0]]))
def rank_and_value(x):
    if x.ndim == 2 and x[0, 0] > 0:
#      ^^^^^^^^^^^ NST105
#                      ^^^^^^^^^^^ NST101
        return x.T
    return x
