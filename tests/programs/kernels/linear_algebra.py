"""Linear algebra as PolyBench has it: products of matrices and vectors, results into arrays that are given."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def gemm(alpha, beta, c, a, b):
    """C := alpha A B + beta C (BLAS level 3)."""
    c[:] = alpha * a @ b + beta * c
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
#          ^^^^^ NST202
#                          ^^^^ NST202


def two_mm(a, b, c, d):
    """D := A B C + D (PolyBench, 2mm)."""
    d[:] = a @ b @ c + d
#   ^^^^^^^^^^^^^^^^^^^^ NST303


def three_mm(a, b, c, d):
    """(A B) (C D) (PolyBench, 3mm)."""
    return (a @ b) @ (c @ d)


def syrk(alpha, c, a):
    """The lower triangle of C := alpha A A' + C, by rows (BLAS level 3)."""
    for i in range(a.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        for k in range(a.shape[1]):
#                ^^^^^^^^^^^^^^^^^ NST106
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
#                            ^^^^^ NST202


def trmm(a, b):
    """B := A' B for a unit lower triangular A, in place (BLAS level 3)."""
    for i in range(b.shape[0]):
#            ^^^^^^^^^^^^^^^^^ NST106
        for j in range(b.shape[1]):
#                ^^^^^^^^^^^^^^^^^ NST106
            b[i, j] += a[i + 1 :, i] @ b[i + 1 :, j]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def symm(c, a, b):
    """C := A B + C where only the lower triangle of the symmetric A is stored (BLAS level 3)."""
    below = np.tril(a)
    c += (below + np.tril(a, -1).T) @ b
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def doitgen(a, c4):
    """Contraction of a tensor's last axis with a matrix, into the tensor (PolyBench, doitgen)."""
    a[:] = np.reshape(np.reshape(a, (a.shape[0] * a.shape[1], a.shape[2])) @ c4, a.shape)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def atax(a, x):
    """A' A x (PolyBench, atax)."""
    return (a @ x) @ a


def bicg(a, p, r):
    """The two products of a biconjugate gradient step, r A and A p (PolyBench, bicg)."""
    return r @ a, a @ p


def mvt(x1, x2, y1, y2, a):
    """x1 += A y1 and x2 += A' y2 (PolyBench, mvt)."""
    x1 += a @ y1
#   ^^^^^^^^^^^^ NST303
    x2 += y2 @ a
#   ^^^^^^^^^^^^ NST303


def gesummv(alpha, beta, a, b, x):
    """y = alpha A x + beta B x (PolyBench, gesummv)."""
    return alpha * a @ x + beta * b @ x
#          ^^^^^ NST202
#                          ^^^^ NST202


def gemver(a, u1, v1, u2, v2, x, y, z):
    """A rank-two update, then two products with it (PolyBench, gemver)."""
    a += np.outer(u1, v1) + np.outer(u2, v2)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    x += 0.5 * y @ a + z
#   ^^^^^^^^^^^^^^^^^^^^ NST303
    return 1.5 * a @ x


def covariance(data):
    """The covariance of columns, by its definition."""
    mean = np.mean(data, axis=0)
    data -= mean
#   ^^^^^^^^^^^^ NST303
    return data.T @ data / (data.shape[0] - 1.0)


def correlation(data):
    """The correlation of columns; a column that hardly varies counts as one of unit spread (PolyBench)."""
    mean = data.mean(axis=0)
    spread = np.std(data, axis=0)
    spread[spread <= 0.1] = 1.0
    data = (data - mean) / (np.sqrt(data.shape[0]) * spread)
    matrix = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        matrix[i + 1 :, i] = matrix[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return matrix


def khatri_rao(a, b):
    """Column-wise Kronecker product, by broadcasting (Kolda and Bader, SIAM Review 51, 2009)."""
    return (a[:, None, :] * b[None, :, :]).reshape(a.shape[0] * b.shape[0], a.shape[1])
