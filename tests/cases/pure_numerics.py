"""Numerical methods of a fixed number of steps, linear algebra, signal processing."""
import numpy as np


# nst: example(np.array([[4.0, 1.0], [1.0, 3.0]]), np.array([1.0, 2.0]))
def conjugate_gradient(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    for _ in range(2):
        alpha = (r @ r) / (p @ a @ p)
        x = x + alpha * p
        new = r - alpha * (a @ p)
        p = new + (new @ new) / (r @ r) * p
        r = new
    return x


# nst: example(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[0.0, 1.0]]))
def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=-1))


# nst: example(np.arange(10.0))
def moving_average(x):
    return np.lib.stride_tricks.sliding_window_view(x, 3).mean(axis=-1)


# nst: example(np.arange(8.0))
def power_spectrum(x):
    return np.abs(np.fft.rfft(x)) ** 2


# nst: example(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([1.0, 2.0]))
def solve(a, b):
    q, r = np.linalg.qr(a)
    return np.linalg.solve(r, q.T @ b)


# nst: example(np.array([3.0, 1.0, 2.0]))
def ranks(x):
    order = np.argsort(x)
    return np.take_along_axis(x, order, axis=0), order


# nst: example(np.ones((2, 3)), np.ones((3, 4)))
def contraction(a, b):
    return np.einsum("ij,jk->ki", a, b)


# nst: example(np.array([1.0, np.nan, 3.0]))
def fill_gaps(x):
    with np.errstate(invalid="ignore"):
        return np.where(np.isnan(x), np.nanmean(x), x)
