"""Recurrences: each value from the one before, into arrays that were made first."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def durbin(r):
    """The Yule-Walker equations by Durbin's recursion (Golub and Van Loan, 4.7.2)."""
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^ NST106
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


def levinson(r, b):
    """A symmetric Toeplitz system with any right-hand side (Levinson, 1947; Golub and Van Loan, 4.7.3)."""
    n = b.shape[0]
    y, x = np.zeros(n), np.zeros(n)
    y[0], x[0] = -r[0], b[0]
    alpha, beta = -r[0], 1.0
    for k in range(1, n):
#            ^^^^^^^^^^^ NST106
        beta = (1 - alpha**2) * beta
        x[k] = (b[k] - r[:k] @ x[k - 1 :: -1]) / beta
        x[:k] += x[k] * y[k - 1 :: -1]
        if k < n - 1:
#          ^^^^^^^^^ NST102
            alpha = -(r[k] + r[:k] @ y[k - 1 :: -1]) / beta
            y[:k] = y[:k] + alpha * y[k - 1 :: -1]
            y[k] = alpha
    return x


def cumulative_product(x):
    """p[i] = p[i - 1] x[i]."""
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
#            ^^^^^^^^^^^^^^^^ NST106
        out[i] = out[i - 1] * x[i]
    return out


def exponential_smoothing(series, alpha):
    """s[t] = a x[t] + (1 - a) s[t - 1] (Brown, 1956), for each column."""
    smooth = np.zeros(series.shape)
    smooth[0] = series[0]
    for t in range(1, series.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        smooth[t] = alpha * series[t] + (1 - alpha) * smooth[t - 1]
#                   ^^^^^ NST202
#                                        ^^^^^^^^^ NST202
    return smooth


def holt(series):
    """Level and trend (Holt, 1957), rows of time, by iterating the rows themselves."""
    level, trend = series[0], series[1] - series[0]
    fitted = []
    for row in series[1:]:
#              ^^^^^^^^^^ NST106
        before, level = level, 0.4 * row + 0.6 * (level + trend)
        trend = 0.3 * (level - before) + 0.7 * trend
        fitted.append(level + trend)
    return np.array(fitted)


def horner(coefficients, x):
    """A polynomial at many points (Horner, 1819)."""
    total = np.zeros_like(x)
    for c in coefficients:
#            ^^^^^^^^^^^^ NST106
        total = total * x + c
    return total


def clenshaw(coefficients, x):
    """A Chebyshev series at many points (Clenshaw, 1955)."""
    b1, b2 = np.zeros_like(x), np.zeros_like(x)
    for k in range(coefficients.shape[0] - 1, 0, -1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        b1, b2 = coefficients[k] + 2 * x * b1 - b2, b1
    return coefficients[0] + x * b1 - b2


def legendre(x, degree):
    """Bonnet's recursion (n + 1) P[n + 1] = (2 n + 1) x P[n] - n P[n - 1], all degrees."""
    values = np.empty((degree + 1, *x.shape))
#                      ^^^^^^^^^^ NST202
    values[0] = 1
    values[1] = x
    for n in range(1, degree):
#            ^^^^^^^^^^^^^^^^ NST106
        values[n + 1] = ((2 * n + 1) * x * values[n] - n * values[n - 1]) / (n + 1)
    return values


def prefix_sum(x):
    """An inclusive scan in log n doublings (Hillis and Steele, 1986)."""
    shift = 1
    while shift < x.shape[0]:
#         ^^^^^^^^^^^^^^^^^^ NST102
        moved = np.zeros_like(x)
        moved[shift:] = x[:-shift]
        x = x + moved
        shift *= 2
    return x


def deriche(image):
    """Deriche's recursive smoothing along rows, forward and backward (Deriche, 1990)."""
    k = (1.0 - np.exp(-0.25)) ** 2 / (1.0 + 0.5 * np.exp(-0.25) - np.exp(-0.5))
    a1, a2, a3, a4 = k, k * np.exp(-0.25) * -0.75, k * np.exp(-0.25) * 1.25, -k * np.exp(-0.5)
    b1, b2 = 2.0 * np.exp(-0.25), -np.exp(-0.5)
    forward, backward = np.empty_like(image), np.empty_like(image)
    forward[:, 0] = a1 * image[:, 0]
    forward[:, 1] = a1 * image[:, 1] + a2 * image[:, 0] + b1 * forward[:, 0]
    for j in range(2, image.shape[1]):
#            ^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        forward[:, j] = a1 * image[:, j] + a2 * image[:, j - 1] + b1 * forward[:, j - 1] + b2 * forward[:, j - 2]
    backward[:, -1] = 0.0
    backward[:, -2] = a3 * image[:, -1]
    for j in range(image.shape[1] - 3, -1, -1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        backward[:, j] = a3 * image[:, j + 1] + a4 * image[:, j + 2] + b1 * backward[:, j + 1] + b2 * backward[:, j + 2]
    return forward + backward


def kalman(measurements, noise):
    """A scalar Kalman filter over time, for many tracks (Kalman, 1960)."""
    estimate, spread = measurements[0], np.ones_like(measurements[0])
    track = np.empty_like(measurements)
    track[0] = estimate
    for t in range(1, len(measurements)):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        spread = spread + 0.01
        gain = spread / (spread + noise)
#                                 ^^^^^ NST202
        estimate = estimate + gain * (measurements[t] - estimate)
        spread = (1 - gain) * spread
        track[t] = estimate
    return track, spread
