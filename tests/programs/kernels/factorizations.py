"""Factorizations and triangular systems, written out column by column: loops over a size."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def lu(a):
    """LU without pivoting, in place (Golub and Van Loan, 3.2.1)."""
    n = a.shape[0]
    for k in range(n - 1):
#            ^^^^^^^^^^^^ NST106
        a[k + 1 :, k] /= a[k, k]
#       ^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return a


def cholesky(a):
    """The lower factor of a positive definite matrix, by columns (Golub and Van Loan, 4.2.3)."""
    factor = np.zeros_like(a)
    for j in range(a.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        column = a[j:, j] - factor[j:, :j] @ factor[j, :j]
        factor[j:, j] = column / np.sqrt(column[0])
    return factor


def gram_schmidt(a):
    """Modified Gram-Schmidt: A = Q R (Golub and Van Loan, 5.2.8)."""
    q, r = np.zeros_like(a), np.zeros((a.shape[1], a.shape[1]), a.dtype)
    for k in range(a.shape[1]):
#            ^^^^^^^^^^^^^^^^^ NST106
        r[k, k] = np.sqrt(a[:, k] @ a[:, k])
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, a.shape[1]):
#                ^^^^^^^^^^^^^^^^^^^^^^^^ NST106
            r[k, j] = q[:, k] @ a[:, j]
            a[:, j] -= q[:, k] * r[k, j]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return q, r


def householder(a):
    """The triangle of QR by reflections (Golub and Van Loan, 5.2.1)."""
    r = a.copy()
    for k in range(a.shape[1]):
#            ^^^^^^^^^^^^^^^^^ NST106
        v = r[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
    return r


def givens(a):
    """Zeros below the diagonal by plane rotations (Golub and Van Loan, 5.2.4)."""
    for j in range(a.shape[1]):
#            ^^^^^^^^^^^^^^^^^ NST106
        for i in range(a.shape[0] - 1, j, -1):
#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
            radius = np.hypot(a[i - 1, j], a[i, j])
            c, s = a[i - 1, j] / radius, a[i, j] / radius
            upper, lower = a[i - 1].copy(), a[i].copy()
            a[i - 1] = c * upper + s * lower
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
            a[i] = c * lower - s * upper
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return a


def forward_substitution(lower, b):
    """Solve L x = b (PolyBench, trisolv)."""
    x = np.empty_like(b)
    for i in range(len(b)):
#            ^^^^^^^^^^^^^ NST106
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]
    return x


def jacobi_rotation(a):
    """One sweep of Jacobi's method for eigenvalues of a symmetric matrix (Numerical Recipes, 11.1)."""
    for p in range(a.shape[0] - 1):
#            ^^^^^^^^^^^^^^^^^^^^^ NST106
        for q in range(p + 1, a.shape[0]):
#                ^^^^^^^^^^^^^^^^^^^^^^^^ NST106
            theta = 0.5 * np.arctan2(2.0 * a[p, q], a[q, q] - a[p, p])
            c, s = np.cos(theta), np.sin(theta)
            a[[p, q]] = c * a[p] - s * a[q], s * a[p] + c * a[q]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
            a[:, [p, q]] = np.stack([c * a[:, p] - s * a[:, q], s * a[:, p] + c * a[:, q]], axis=1)
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return np.diag(a)


def thomas(lower, diagonal, upper, right):
    """A tridiagonal system by elimination and back substitution (Thomas, 1949)."""
    n = len(diagonal)
    c, d = np.zeros(n), np.zeros(n)
    c[0], d[0] = upper[0] / diagonal[0], right[0] / diagonal[0]
    for i in range(1, n):
#            ^^^^^^^^^^^ NST106
        pivot = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / pivot
        d[i] = (right[i] - lower[i] * d[i - 1]) / pivot
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
#            ^^^^^^^^^^^^^^^^^^^^ NST106
        x[i] = d[i] - c[i] * x[i + 1]
    return x
