"""Input arrays written in place, by every way NumPy has."""
import numpy as np


# nst: example(np.array([1.0, 2.0]))
def by_index(x):
    x[0] = 7.0
#   ^^^^^^^^^^ NST303
    return x


# nst: example(np.array([1.0, 2.0]))
def by_operator(x):
    x /= 2
#   ^^^^^^ NST303
    return x + 1


# nst: example(np.array([3.0, 1.0, 2.0]))
def by_method(x):
    x.sort()
#   ^^^^^^^^ NST303
    return x[0]


# nst: example(np.array([1.0, 2.0]))
def by_out(x):
    np.add(x, 1, out=x)
#   ^^^^^^^^^^^^^^^^^^^ NST303
    return x * 2


# nst: example(np.array([1.0, 2.0, 3.0]))
def through_a_view(x):
    tail = x[1:]
    tail *= 10
#   ^^^^^^^^^^ NST303
    return x.sum()


# nst: example(np.array([-1.0, 2.0]))
def by_mask(x):
    x[x < 0] = 0
#   ^^^^^^^^^^^^ NST303
    return x


# nst: example(np.zeros(2), np.array([1.0, 2.0]))
def by_copyto(target, source):
    np.copyto(target, source)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return target * 2


# nst: example(np.array([1.0, 2.0]))
def by_fill(x):
    x.fill(3.0)
#   ^^^^^^^^^^^ NST303
    return x


# nst: example(np.array([[1.0, 2.0], [3.0, 4.0]]))
def augmented_item(x):
    x[0] += x[1]
#   ^^^^^^^^^^^^ NST303
    return x
