"""What non-strict tracing loses, one fault in each function: open it in an editor, or run `nst check` on it."""

import numpy as np

offset = np.array([10.0, 20.0, 30.0])


# nst: example(np.array([1.0, 2.0, 3.0]))
def branch_on_a_value(x):
    if x.mean() > 0:
        return np.sqrt(x)
    return -x


# nst: example(np.array([1.0, 2.0, 3.0]))
def branch_on_a_size(x):
    return x / 2 if x.shape[0] > 2 else x - 1


# nst: example(np.array([1.0, 2.0, 3.0]))
def captured_global(x):
    return x + offset


# nst: example(np.array([1.0, 2.0, 3.0]), np.array([2, 0]))
def value_becomes_a_number(x, kinds):
    weight = [0.5, 1.0, 2.0][kinds[0]]
    return x * weight


# nst: example(np.array([1.0, 2.0, 3.0]), 2.75)
def argument_is_a_constant(x, rate):
    return x * rate


# nst: example(np.array([1.0, 2.0, 3.0]))
def prints(x):
    print("sum:", x.sum())
    return x * 2


# nst: example([np.array([1.0, 2.0]), np.array([7.0, 8.0])])
def pops_its_argument(values):
    last = values.pop()
    return last * 2


# nst: example(np.array([1.0, 2.0, 3.0]))
def writes_its_argument(x):
    x[0] = 7.0
    return x * 2


# nst: example(np.array([42, 7], dtype=np.int32))
def reaches_for_memory(x):
    address = x.ctypes.data
    return x, address % 16


# nst: example(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
def loop_over_rows(x):
    total = np.zeros(x.shape[1])
    for row in x:
        total = total * 0.5 + row
    return total
