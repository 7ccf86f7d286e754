"""Iterations of a number that is written in the program: they are unrolled, and the graph is right."""

import numpy as np

from tracer import example

MATRIX = np.array([[4.0, 1.0, 0.0, 0.5], [1.0, 3.0, 0.2, 0.0], [0.0, 0.2, 2.0, 0.1], [0.5, 0.0, 0.1, 5.0]])


@example(MATRIX, np.array([1.0, 2.0, -1.0, 0.5]))
def conjugate_gradient(a, b):
    """Three steps towards the solution of `a @ x = b`, for a symmetric positive definite `a`."""
    x = np.zeros_like(b)
    residual = b - a @ x
    direction = residual
    squared = residual @ residual
    for _ in range(3):
        image = a @ direction
        step = squared / (direction @ image)
        x = x + step * direction
        residual = residual - step * image
        before, squared = squared, residual @ residual
        direction = residual + squared / before * direction
    return x


@example(MATRIX)
def dominant_eigenvalue(matrix):
    """The Rayleigh quotient after ten power iterations."""
    vector = np.ones(matrix.shape[0])
    for _ in range(10):
        vector = matrix @ vector
        vector /= np.linalg.norm(vector)
    return vector @ matrix @ vector


@example(np.array([2.0, 9.0, 0.5]))
def square_root(x):
    """Newton's method, five steps."""
    root = np.maximum(x, 1.0)
    for _ in range(5):
        root = 0.5 * (root + x / root)
    return root
