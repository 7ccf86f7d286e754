"""The function raises on its own example: the expression that raised, in the user's code."""
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def out_of_bounds(x):
    return x[0] + x[5]
#                 ^^^^ NST501


# nst: example(np.ones(3), np.ones(4))
def shapes_do_not_fit(x, y):
    total = (x + y) * 2
#            ^^^^^ NST501
    return total


# nst: example(np.zeros((2, 2)))
def singular(a):
    return np.linalg.inv(a) + 1
#          ^^^^^^^^^^^^^^^^ NST501


# nst: example(np.ones(2))
def unknown_name(x):
    return x * scael
#              ^^^^^ NST501


# nst: example({"a": np.ones(2)})
def missing_key(params):
    return params["a"] + params["b"]
#                        ^^^^^^^^^^^ NST501


# nst: example(np.ones(2))
def refuses(x):
    raise ValueError("not today")
#   ~ NST501


def project(x, axis):
    return np.sum(x, axis=3)
#          ^^^^^^^^^^^^^^^^^ NST501


# nst: example(np.ones((2, 2)))
def in_a_helper(x):
    return project(x, 0) / 2


# nst: example(np.ones(2))
def missing_attribute(x):
    return x.maen()
#          ^^^^^^ NST501
