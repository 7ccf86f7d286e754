"""Small tools for sampled signals: windows, filters, spectra, statistics."""

from .filters import MovingAverage, Recursive, exponential, smooth
from .spectra import band_power, power_spectrum, spectrogram
from .statistics import Normaliser, correlation, outliers, running_mean, standardise
from .windows import Window, hann, triangle

__all__ = [
    "MovingAverage",
    "Normaliser",
    "Recursive",
    "Window",
    "band_power",
    "correlation",
    "exponential",
    "hann",
    "outliers",
    "power_spectrum",
    "running_mean",
    "smooth",
    "spectrogram",
    "standardise",
    "triangle",
]
