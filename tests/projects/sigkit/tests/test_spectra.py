import numpy as np

from sigkit import Window, band_power, hann, power_spectrum, spectrogram, triangle
from sigkit.spectra import decibels
from sigkit.windows import make, windowed

RATE = 64.0


def sine(frequency, samples=128):
    return np.sin(2 * np.pi * frequency * np.arange(samples) / RATE)


def test_windows_end_in_zero():
    for window in (hann, triangle):
        assert abs(window(9)[0]) < 1e-12
    np.testing.assert_array_equal(make(Window.FLAT, 4), np.ones(4))
    assert windowed(np.ones((2, 9)), Window.TRIANGLE).shape == (2, 9)


def test_a_sine_has_its_power_in_its_band():
    signal = sine(10)
    assert power_spectrum(signal).argmax() == 20
    assert band_power(signal, RATE, 8, 12) > 100 * band_power(signal, RATE, 20, 30)


def test_spectrogram_has_a_row_a_piece():
    pieces = spectrogram(sine(4), size=32, step=16)
    assert pieces.shape == (7, 17)
    assert decibels(pieces).max() < 20
