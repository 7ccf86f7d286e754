"""Transforms in complex arithmetic: butterflies, stacks of gates, contours."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def dft(x):
    """The discrete Fourier transform as a matrix product, by its definition."""
    n = x.shape[0]
    k = np.arange(n)
    return np.exp(-2j * np.pi * np.outer(k, k) / n) @ x


def fft(x):
    """Radix two by recursion on even and odd samples (Cooley and Tukey, 1965)."""
    if x.shape[0] == 1:
#      ^^^^^^^^^^^^^^^ NST102
        return x
    even, odd = fft(x[::2]), fft(x[1::2])
    turned = np.exp(-2j * np.pi * np.arange(odd.shape[0]) / x.shape[0]) * odd
    return np.concatenate([even + turned, even - turned])


def fft_butterflies(x):
    """Radix two in place after a bit reversal, eight samples for each row of a batch (Cooley and Tukey, 1965)."""
    y = x[:, [0, 4, 2, 6, 1, 5, 3, 7]].astype(np.complex128)
    for half in (1, 2, 4):
        turn = np.exp(-1j * np.pi * np.arange(half) / half)
        blocks = y.reshape(y.shape[0], 8 // (2 * half), 2, half)
        low, high = blocks[:, :, 0].copy(), blocks[:, :, 1] * turn
        blocks[:, :, 0], blocks[:, :, 1] = low + high, low - high
    return y


def stockham(x, radix, stages):
    """Autosorting: transposes take the place of the bit reversal (Stockham, 1966)."""
    k = np.arange(radix)
#                 ^^^^^ NST202
    matrix = np.exp(-2j * np.pi * np.outer(k, k) / radix)
#                                                  ^^^^^ NST202
    y = x.astype(np.complex128)
    for i in range(stages):
#            ^^^^^^^^^^^^^ NST106
        columns = radix**i
        rest = radix ** (stages - i - 1)
        cube = y.reshape(radix, columns, rest) if i == 0 else y.reshape(columns, radix, rest).transpose(1, 0, 2)
#                        ^^^^^ NST202
#                               ^^^^^^^ NST202
#                                        ^^^^ NST202
#                                                                       ^^^^^^^ NST202
#                                                                                ^^^^^ NST202
#                                                                                       ^^^^ NST202
        turn = np.exp(-2j * np.pi * np.outer(k, np.arange(columns)) / (radix * columns))
#                                                         ^^^^^^^ NST202
#                                                                      ^^^^^^^^^^^^^^^ NST202
        y = np.tensordot(matrix, cube * turn[:, :, None], axes=1).reshape(-1)
    return y


def contour_integral(matrices, points, right):
    """Moments of a resolvent along a contour (Sakurai and Sugiura, 2003): solves at each point of it."""
    moment0 = np.zeros(right.shape, dtype=np.complex128)
    moment1 = np.zeros(right.shape, dtype=np.complex128)
    for z in points:
#            ^^^^^^ NST106
        resolvent = matrices[0] + matrices[1] * z + matrices[2] * z * z
        solved = np.linalg.solve(resolvent, right)
        moment0 += solved
        moment1 += z * solved
    return moment0, moment1


def quantum_fourier(states):
    """The quantum Fourier transform of three qubits, gate by gate, on a stack of states (Coppersmith, 1994)."""
    hadamard = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
    state = states.reshape(-1, 2, 2, 2).astype(np.complex128)
    for target in range(3):
        state = np.moveaxis(np.tensordot(state, hadamard, axes=([target + 1], [1])), -1, target + 1)
        for control in range(target + 1, 3):
            phase = np.ones((2, 2), dtype=np.complex128)
            phase[1, 1] = np.exp(1j * np.pi / 2 ** (control - target))
            shape = [1, 1, 1, 1]
            shape[target + 1], shape[control + 1] = 2, 2
            state = state * phase.reshape(shape)
    return state.transpose(0, 3, 2, 1).reshape(states.shape)


def goertzel(x, turn):
    """One frequency of a real signal by a recurrence of two terms (Goertzel, 1958)."""
    coefficient = 2 * np.cos(turn)
    before, last = np.zeros_like(turn), np.zeros_like(turn)
    for sample in x:
#                 ^ NST106
        before, last = last, sample + coefficient * last - before
    return last**2 + before**2 - coefficient * last * before


def cosine_transform(x):
    """DCT-II of each row by its definition (Ahmed, Natarajan and Rao, 1974)."""
    n = x.shape[-1]
    basis = np.cos(np.pi / n * np.outer(np.arange(n), np.arange(n) + 0.5))
    out = x @ basis.T
    out[..., 0] /= np.sqrt(2)
    return out * np.sqrt(2 / n)


def haar(x):
    """Two levels of Haar's wavelets, halves of an array overwritten (Haar, 1910)."""
    out = x.copy()
    length = x.shape[-1]
    for _ in range(2):
        even, odd = out[..., 0:length:2].copy(), out[..., 1:length:2].copy()
        half = length // 2
        out[..., :half] = (even + odd) / np.sqrt(2)
        out[..., half:length] = (even - odd) / np.sqrt(2)
        length = half
    return out


def low_pass(x):
    """A filter in the frequency domain: what lies above a quarter of the spectrum goes."""
    spectrum = np.fft.rfft(x)
    spectrum[spectrum.shape[0] // 4 :] = 0
    return np.fft.irfft(spectrum, n=x.shape[0])


def julia(z, c):
    """A polynomial iterated on complex numbers; what escapes is held at two by `where`."""
    for _ in range(6):
        z = z * z + c
        z = np.where(np.abs(z) > 2, 2 * z / np.abs(z), z)
    return z.real, z.imag, np.angle(z)


def self_energy(green, phonon, coupling):
    """Scattering self-energies, offsets in energy and momentum by slices (as quantum transport codes sum them)."""
    sigma = np.zeros_like(green)
    for k in range(2):
        for e in range(3):
            if e == 0:
                sigma += coupling @ np.roll(green, k, axis=0) @ coupling * phonon[k, e]
            else:
                sigma[:, e:] += coupling @ np.roll(green, k, axis=0)[:, :-e] @ coupling * phonon[k, e]
    return sigma
