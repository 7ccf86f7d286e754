"""Spectra of signals."""

from __future__ import annotations

import numpy as np

from .windows import Window, windowed

FLOOR = 1e-12


def power_spectrum(signal, kind=Window.HANN):
    """The power in each bin of a signal's spectrum.

    Args:
        signal (np.ndarray): Samples, shape (n,).
        kind (Window): The window that is used.

    Returns:
        np.ndarray: Powers, shape (n // 2 + 1,).
    """
    bins = np.fft.rfft(windowed(signal, kind))
    return np.maximum(np.abs(bins) ** 2 / signal.shape[-1], FLOOR)


def band_power(signal, rate, low, high):
    """The power between two frequencies."""
    powers = power_spectrum(signal)
    frequencies = np.fft.rfftfreq(signal.shape[-1], 1 / rate)
    inside = (frequencies >= low) & (frequencies < high)
    return np.where(inside, powers, 0.0).sum()


def spectrogram(signal, size, step):
    """Power spectra of the pieces of a signal, a row each.

    >>> spectrogram(np.sin(np.arange(32.0)), 8, 4).shape
    (7, 5)
    """
    starts = range(0, signal.shape[0] - size + 1, step)
    return np.stack([power_spectrum(signal[start : start + size]) for start in starts])


def decibels(powers, reference=1.0):
    """Powers on a logarithmic scale."""
    return 10 * np.log10(powers / reference)
