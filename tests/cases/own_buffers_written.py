"""Writing into arrays of one's own is no fault: the graph writes too."""
import numpy as np


# nst: example(np.array([1.0, 2.0, 3.0]))
def copy_first(x):
    x = x.copy()
    x[0] = 7.0
    x *= 2
    return x


# nst: example(np.arange(16.0).reshape(4, 4))
def laplacian(u):
    out = np.zeros_like(u)
    out[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]
    return out


# nst: example(np.array([1.0, 2.0, 3.0]))
def into_a_buffer(x):
    out = np.empty_like(x)
    np.multiply(x, 2, out=out)
    np.add(out, 1, out=out)
    return out


# nst: example(np.array([3.0, -1.0, 2.0]))
def masked(x):
    y = np.abs(x) + x
    y[y > 3] = 3
    y.sort()
    return y


# nst: example(np.array([1.0, 2.0, 3.0]))
def own_view(x):
    y = x + 0
    left = y[:2]
    left += 1
    return y
