"""A low-pass filter in frequency space."""
import numpy as np


# nst: example(*EXAMPLE)
def fn(x):
    f = np.fft.fftfreq(len(x))
    mask = np.abs(f) < 0.25
    return np.fft.ifft(np.fft.fft(x) * mask).real


EXAMPLE = (np.arange(8.),)
SAME = (np.cos(np.arange(8.)),)
OTHER = (np.cos(np.arange(12.)),)
