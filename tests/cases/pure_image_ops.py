"""Filters over images: padding, convolution by shifts, thresholds by masks, histograms."""
import itertools

import numpy as np

SOBEL = ((1, 0, -1), (2, 0, -2), (1, 0, -1))


def pad(image, width=1):
    """Edge padding."""
    return np.pad(image, width, mode="edge")


def correlate(image, kernel):
    h, w = image.shape
    padded = pad(image)
    out = np.zeros((h, w))
    for i, j in itertools.product(range(3), range(3)):
        if kernel[i][j] == 0:
            continue
        out += kernel[i][j] * padded[i : i + h, j : j + w]
    return out


def gradient(image):
    gx = correlate(image, SOBEL)
    gy = correlate(image, tuple(zip(*SOBEL)))
    return np.hypot(gx, gy), np.arctan2(gy, gx)


def otsu(magnitude, bins=8):
    counts, edges = np.histogram(magnitude, bins=bins, range=(0.0, 64.0))
    centres = (edges[:-1] + edges[1:]) / 2
    weight = np.cumsum(counts)
    mean = np.cumsum(counts * centres)
    total = mean[-1]
    between = (total * weight / weight[-1] - mean) ** 2 / np.maximum(weight * (weight[-1] - weight), 1)
    return centres[np.argmax(between)]


# nst: example(*EXAMPLE)
def fn(image):
    magnitude, angle = gradient(image)
    mask = magnitude > otsu(magnitude)
    return np.where(mask, magnitude, 0.0), angle * mask, mask.sum()


EXAMPLE = (np.arange(20.0).reshape(4, 5) ** 1.5,)
OTHER = ((np.arange(42.0).reshape(6, 7) % 5) ** 2,)
