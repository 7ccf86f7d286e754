"""Windows to weigh a signal's samples with."""

from __future__ import annotations

import enum

import numpy as np


class Window(enum.Enum):
    """The kinds of windows that there are."""

    FLAT = "flat"
    HANN = "hann"
    TRIANGLE = "triangle"


def hann(size):
    """A raised cosine.

    Parameters
    ----------
    size : int
        Number of samples.

    Returns
    -------
    ndarray, shape (size,)
    """
    turns = np.arange(size) / (size - 1)
    return 0.5 - 0.5 * np.cos(2 * np.pi * turns)


def triangle(size):
    """A triangle that ends in zeros."""
    middle = (size - 1) / 2
    return 1 - np.abs((np.arange(size) - middle) / middle)


def make(kind, size):
    """A window of a kind."""
    if kind is Window.HANN:
        return hann(size)
    if kind is Window.TRIANGLE:
        return triangle(size)
    return np.ones(size)


def windowed(signal, kind=Window.HANN):
    """A signal weighed with a window as long as itself."""
    return signal * make(kind, signal.shape[-1])
