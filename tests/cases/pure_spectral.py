"""Frames, windows and spectra of a signal."""
import numpy as np


def frames(x, size, hop):
    count = 1 + (len(x) - size) // hop
    index = np.arange(size)[None, :] + hop * np.arange(count)[:, None]
    return x[index]


def mel(f):
    return 2595.0 * np.log10(1.0 + f / 700.0)


def filterbank(n_bins, n_filters=3, rate=8000.0):
    edges = np.linspace(0.0, mel(rate / 2), n_filters + 2)
    centres = 700.0 * (10.0 ** (edges / 2595.0) - 1.0)
    f = np.linspace(0.0, rate / 2, n_bins)
    rising = (f[None] - centres[:-2, None]) / (centres[1:-1] - centres[:-2])[:, None]
    falling = (centres[2:, None] - f[None]) / (centres[2:] - centres[1:-1])[:, None]
    return np.clip(np.minimum(rising, falling), 0.0, None)


# nst: example(*EXAMPLE)
def fn(x):
    framed = frames(x, 8, 4) * np.hanning(8)
    power = np.abs(np.fft.rfft(framed, axis=-1)) ** 2
    bank = filterbank(power.shape[-1])
    log_mel = np.log(power @ bank.T + 1e-10)
    n = log_mel.shape[-1]
    dct = np.cos(np.pi / n * (np.arange(n)[:, None] + 0.5) * np.arange(n)[None])
    return log_mel @ dct, power.sum(axis=0), np.argmax(power, axis=-1)


EXAMPLE = (np.sin(np.arange(24.0)),)
SAME = (np.cos(np.arange(24.0) * 2),)
OTHER = (np.cos(np.arange(40.0) * 2),)
