"""Bilinear interpolation by index arrays."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(image, y, x):
    y0 = np.floor(y).astype(int)
    x0 = np.floor(x).astype(int)
    dy, dx = y - y0, x - x0
    top = image[y0, x0] * (1 - dx) + image[y0, x0 + 1] * dx
    bottom = image[y0 + 1, x0] * (1 - dx) + image[y0 + 1, x0 + 1] * dx
    return top * (1 - dy) + bottom * dy


EXAMPLE = (np.arange(12.).reshape(3, 4), np.array([0.5, 1.2]), np.array([1.5, 0.1]))
OTHER = (np.arange(20.).reshape(4, 5), np.array([0.5, 1.2, .3]), np.array([1.5, 0.1, 2.]))
