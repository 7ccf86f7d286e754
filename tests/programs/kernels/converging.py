"""Loops that stop when the numbers say so: their graphs hold for the number of rounds of the example."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def heron(a):
    """Square roots until all are good (Heron of Alexandria)."""
    x = np.maximum(a, 1.0)
    while np.max(np.abs(x * x - a)) > 1e-9:
#         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
        x = 0.5 * (x + a / x)
    return x


def jacobi_until(a, b):
    """Jacobi's iteration until the residual is small, at most fifty rounds."""
    x = np.zeros_like(b)
    rounds = 0
    while rounds < 50 and np.linalg.norm(a @ x - b) > 1e-3:
#                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
        x = (b - a @ x) / np.diag(a) + x
        rounds += 1
    return x, rounds


def mean_shift(points, start):
    """To a mode of the density, a break where it stands still (Fukunaga and Hostetler, 1975)."""
    at = start
    for _ in range(30):
        weight = np.exp(-((points - at) ** 2).sum(axis=1))
        moved = weight @ points / weight.sum()
        if np.abs(moved - at).sum() < 1e-3:
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
            break
        at = moved
    return at


def golden_section(coefficients):
    """The minimum of a polynomial on the unit interval (Kiefer, 1953)."""
    low, high = 0.0, 1.0
    for _ in range(8):
        left, right = high - 0.618 * (high - low), low + 0.618 * (high - low)
        if np.polyval(coefficients, left) < np.polyval(coefficients, right):
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
            high = right
        else:
            low = left
    return (low + high) / 2
#          ^^^^^^^^^^^^^^^^ NST210


def collatz(n):
    """How many steps each number takes to one, all walked until the last has arrived (Collatz, 1937)."""
    steps = np.zeros(n.shape, dtype=np.int64)
    n = n.copy()
    while (n > 1).any():
#         ^^^^^^^^^^^^^ NST101
        moving = n > 1
        n = np.where(moving & (n % 2 == 0), n // 2, np.where(moving, 3 * n + 1, n))
        steps += moving
    return steps


def pivoted_lu(a):
    """LU with partial pivoting; rows are swapped where the pivot is elsewhere (Golub and Van Loan, 3.4.1)."""
    a = a.copy()
    order = np.arange(a.shape[0])
    for k in range(a.shape[0] - 1):
#            ^^^^^^^^^^^^^^^^^^^^^ NST106
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
#          ^^^^^^^^^^ NST101
            a[[k, pivot], :] = a[[pivot, k], :]
            order[k], order[pivot] = order[pivot], order[k]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, order


def branchless_pivoted_lu(a):
    """The same without the question: a row may be swapped with itself."""
    a = a.copy()
    order = np.arange(a.shape[0])
    for k in range(a.shape[0] - 1):
#            ^^^^^^^^^^^^^^^^^^^^^ NST106
        swap = np.stack([k, k + np.argmax(np.abs(a[k:, k]))])
        a[swap] = a[swap[::-1]]
        order[swap] = order[swap[::-1]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, order


def adaptive_step(y):
    """Euler against the midpoint, the step halved where they part (Fehlberg's idea), as long as time is left."""
    t, h = 0.0, 0.4
    while t < 1.0:
        coarse = y + h * -y
        fine = y + h * -(y + h / 2 * -y)
        if np.abs(fine - coarse).max() > 0.05:
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST101
            h /= 2
            continue
        y, t = fine, t + h
    return y


def safe_log(x):
    """A checked argument: an assert and a test that raises, both decided while tracing."""
    assert x.ndim == 1
#          ^^^^^^^^^^^ NST107
    if np.any(x <= 0):
#      ^^^^^^^^^^^^^^ NST101
        raise ValueError("needs positive numbers")
    return np.log(x)
