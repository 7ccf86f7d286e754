"""Signals in time; a doctest line is an example too."""

import numpy as np


def moving_average(x):
    """The mean of each three neighbours.

    >>> moving_average(np.array([1.0, 2.0, 6.0, 1.0, -1.0]))
    array([3., 3., 2.])
    """
    total = np.cumsum(np.concatenate([np.zeros(1), x]))
    return (total[3:] - total[:-3]) / 3


def low_pass(signal):
    """The signal without frequencies above a quarter of the sampling rate.

    >>> time = np.arange(16.0)
    >>> smooth = low_pass(np.sin(time) + np.cos(3 * time))
    >>> smooth.shape
    (16,)
    """
    spectrum = np.fft.rfft(signal)
    frequency = np.fft.rfftfreq(signal.shape[0])
    return np.fft.irfft(np.where(frequency < 0.25, spectrum, 0), n=signal.shape[0])


# nst: example(np.array([0.1, 0.9, 0.4, -0.3, -0.8]))
# nst: example(np.array([[0.1, 0.9, 0.4], [0.2, -0.5, 2.0]]))
def standardised(x):
    """Zero mean and unit deviation along the last axis; two examples show both ranks."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / (x.std(axis=-1, keepdims=True) + 1e-12)
