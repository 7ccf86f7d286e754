"""Iterations towards a solution, of a number of steps that is written or given: sizes stay symbolic."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def conjugate_gradient(a, b, steps):
    """Hestenes and Stiefel (1952), without a test for the end."""
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    for _ in range(steps):
#            ^^^^^^^^^^^^ NST106
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        before, rr = rr, r @ r
        p = r + rr / before * p
    return x


def bicgstab(a, b):
    """Stabilised biconjugate gradients (van der Vorst, 1992), three steps."""
    x = np.zeros_like(b)
    r = b - a @ x
    shadow, rho, alpha, omega = r, 1.0, 1.0, 1.0
    v = p = np.zeros_like(b)
    for _ in range(3):
        before, rho = rho, shadow @ r
        p = r + rho / before * alpha / omega * (p - omega * v)
        v = a @ p
        alpha = rho / (shadow @ v)
        s = r - alpha * v
        t = a @ s
        omega = (t @ s) / (t @ t)
        x = x + alpha * p + omega * s
        r = s - omega * t
    return x


def jacobi_iteration(a, b):
    """x := (b - R x) / D for the diagonal D of a matrix and the rest R."""
    diagonal = np.diag(a)
    rest = a - np.diagflat(diagonal)
    x = np.zeros(b.shape)
    for _ in range(8):
        x = (b - rest @ x) / diagonal
    return x


def gauss_seidel(a, b, x):
    """Each unknown from the newest of the others, in place (Golub and Van Loan, 11.2.2)."""
    for _ in range(2):
        for i in range(b.size):
#                ^^^^^^^^^^^^^ NST106
            x[i] = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x


def power_iteration(a, v):
    """The largest eigenvalue and its vector (von Mises, 1929)."""
    for _ in range(12):
        v = a @ v
        v /= np.sqrt(v @ v)
    return (v @ a @ v) / (v @ v), v


def subspace_iteration(a, start):
    """The leading eigenvectors at once: multiply, orthogonalise (Golub and Van Loan, 8.2.4)."""
    q = start
    for _ in range(4):
        q, _ = np.linalg.qr(a @ q)
    return np.linalg.eigvalsh(q.T @ a @ q)


def newton_schulz(a):
    """The inverse by X := X (2 I - A X) (Schulz, 1933)."""
    x = a.T / (np.abs(a).sum(axis=0).max() * np.abs(a).sum(axis=1).max())
    identity = np.eye(a.shape[0])
    for _ in range(10):
        x = x @ (2 * identity - a @ x)
    return x


def bisection(target):
    """Roots of x^3 + x = t for many t at once: the half that holds the root is kept by `where`."""
    low, high = np.full(target.shape, -10.0), np.full(target.shape, 10.0)
    for _ in range(20):
        middle = (low + high) / 2
        above = middle**3 + middle > target
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return low, high


def newton_with_freeze(x, a):
    """Newton for x^2 = a; points that have arrived are left alone by `where=`."""
    for _ in range(6):
        moving = np.abs(x * x - a) > 1e-6
        np.subtract(x, (x * x - a) / (2 * x), out=x, where=moving)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return x


def two_grid(u, f):
    """A two-grid cycle for -u'' = f: smooth, restrict, smooth more, interpolate (Briggs, Multigrid Tutorial)."""
    h2 = 1.0 / (u.shape[0] - 1) ** 2
    for _ in range(2):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + h2 * f[1:-1])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    residual = np.zeros_like(u)
    residual[1:-1] = f[1:-1] - (2 * u[1:-1] - u[:-2] - u[2:]) / h2
    coarse = residual[::2].copy()
    coarse[1:-1] = 0.25 * (residual[1:-2:2] + 2 * residual[2:-1:2] + residual[3::2])
    error = np.zeros_like(coarse)
    for _ in range(4):
        error[1:-1] = 0.5 * (error[:-2] + error[2:] + 4 * h2 * coarse[1:-1])
    u[::2] += error
#   ^^^^^^^^^^^^^^^ NST303
    u[1::2] += 0.5 * (error[:-1] + error[1:])
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return u


def gradient_descent(x, y, rate):
    """Logistic regression by full gradients."""
    w = np.zeros(x.shape[1])
    for _ in range(6):
        p = 1 / (1 + np.exp(-(x @ w)))
        w -= rate * x.T @ (p - y) / len(y)
#            ^^^^ NST202
    return w


def sinkhorn(cost, a, b):
    """Optimal transport with entropy: scale rows and columns in turn (Cuturi, 2013)."""
    kernel = np.exp(-cost / 0.5)
    v = np.ones_like(b)
    for _ in range(5):
        u = a / (kernel @ v)
        v = b / (kernel.T @ u)
    return u[:, np.newaxis] * kernel * v
