"""Filters in the domain of time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


def smooth(signal: NDArray[np.float64], width: int = 3) -> NDArray[np.float64]:
    """The mean over a window that moves along the signal; its ends are left out."""
    kernel = np.ones(width) / width
    return np.convolve(signal, kernel, mode="valid")


def exponential(signal, alpha=0.5):
    """Exponential smoothing.

    Parameters
    ----------
    signal : array_like, shape (n,)
        Samples.
    alpha : float, optional
        Weight of the newest sample.

    Returns
    -------
    ndarray, shape (n,)
    """
    signal = np.asarray(signal, dtype=float)
    smoothed = np.empty_like(signal)
    state = signal[0]
    for i in range(signal.shape[0]):
        state = alpha * signal[i] + (1 - alpha) * state
        smoothed[i] = state
    return smoothed


def differences(signal, order=1):
    """Differences between neighbours, `order` times."""
    for _ in range(order):
        signal = signal[1:] - signal[:-1]
    return signal


class MovingAverage:
    """A mean over the last samples."""

    def __init__(self, width, gain=1.0):
        self.width = width
        self.gain = gain

    def apply(self, signal):
        """Filter one signal, or several as rows."""
        total = np.cumsum(signal, axis=-1)
        inner = total[..., self.width :] - total[..., : -self.width]
        return self.gain * inner / self.width

    def __call__(self, signal):
        return self.apply(signal)

    @classmethod
    def of_rate(cls, seconds, rate):
        """The filter that means over a time."""
        return cls(int(seconds * rate))


@dataclass
class Recursive:
    """A recursive filter of the first order; it remembers its last output."""

    feedback: float
    gain: float = 1.0
    state: float = field(default=0.0, init=False)

    def step(self, samples):
        """Filter a block of samples."""
        out = np.zeros(len(samples))
        for i, sample in enumerate(samples):
            self.state = self.gain * sample + self.feedback * self.state
            out[i] = self.state
        return out

    def response(self, frequencies):
        """The gain at some frequencies, in turns a sample."""
        z = np.exp(-2j * np.pi * frequencies)
        return np.abs(self.gain / (1 - self.feedback * z))
