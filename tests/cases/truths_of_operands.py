"""`and` and `or` as values: each operand that decides is told, also within another, negated, or at a chain's end."""
import numpy as np


# nst: example(np.array([1., 2.]))
def within_another(x):
    flag = x[0] > 0 and x[1] > 5 or x.sum() > 1
#          ^^^^^^^^ NST101
#                       ^^^^^^^^ NST101
    return x if flag else -x
#               ^^^^ NST101


# nst: example(np.array([1., 2.]))
def negative(x):
    y = -x[0] or x[1]
#       ^^^^^ NST101
    return x * y


# nst: example(np.array([1., 2.]))
def end_of_a_chain(x):
    flag = 0 < x[0] < 1 or x[1] > 3
#          ^^^^^^^^ NST101
#              ^^^^^^^^ NST101
    return x if flag else -x
#               ^^^^ NST101
