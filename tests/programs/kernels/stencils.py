"""Stencils: grids that are swept in place, step after step, by slices of themselves."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def jacobi_1d(a, b, steps):
    """Jacobi relaxation of a three-point mean (PolyBench, jacobi-1d)."""
    for _ in range(steps):
#            ^^^^^^^^^^^^ NST106
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def jacobi_2d(a, b):
    """Jacobi relaxation of a five-point mean (PolyBench, jacobi-2d)."""
    for _ in range(4):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return a


def heat_3d(a):
    """Explicit heat equation on a cube: u += k (u_xx + u_yy + u_zz) (PolyBench, heat-3d)."""
    for _ in range(3):
        inside = a[1:-1, 1:-1, 1:-1]
        a[1:-1, 1:-1, 1:-1] = (
#   ~ NST303
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * inside + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * inside + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * inside + a[1:-1, 1:-1, :-2])
            + inside
        )


def seidel_2d(a):
    """Gauss-Seidel sweep of a nine-point mean: each point sees its new neighbours (PolyBench, seidel-2d)."""
    n = a.shape[0]
    for i in range(1, n - 1):
#            ^^^^^^^^^^^^^^^ NST106
        above, below = a[i - 1], a[i + 1]
        a[i, 1:-1] += above[:-2] + above[1:-1] + above[2:] + a[i, 2:] + below[:-2] + below[1:-1] + below[2:]
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        for j in range(1, a.shape[1] - 1):
#                ^^^^^^^^^^^^^^^^^^^^^^^^ NST106
            a[i, j] += a[i, j - 1]
#           ^^^^^^^^^^^^^^^^^^^^^^ NST303
            a[i, j] /= 9.0
#           ^^^^^^^^^^^^^^ NST303


def red_black(u, f):
    """Red-black Gauss-Seidel for the Poisson equation (Numerical Recipes, 20.5): half the points at a time."""
    i, j = np.indices(u.shape)
    for colour in (0, 1, 0, 1):
        mean = 0.25 * (np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - f)
        u = np.where((i + j) % 2 == colour, mean, u)
    return u


def fdtd_2d(ex, ey, hz, source):
    """Maxwell's equations in two dimensions on Yee's grid (PolyBench, fdtd-2d)."""
    for t in range(source.shape[0]):
#            ^^^^^^^^^^^^^^^^^^^^^^ NST106
        ey[0, :] = source[t]
#       ^^^^^^^^^^^^^^^^^^^^ NST303
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303


def horizontal_diffusion(field, coefficient):
    """Fourth-order diffusion with limited fluxes, as weather models have it (COSMO, hdiff)."""
    inner = field[1:-1, 1:-1, :]
    laplacian = 4.0 * inner - (field[2:, 1:-1, :] + field[:-2, 1:-1, :] + field[1:-1, 2:, :] + field[1:-1, :-2, :])
    flux = laplacian[1:, 1:-1, :] - laplacian[:-1, 1:-1, :]
    flux_x = np.where(flux * (field[2:-1, 2:-2, :] - field[1:-2, 2:-2, :]) > 0, 0, flux)
    flux = laplacian[1:-1, 1:, :] - laplacian[1:-1, :-1, :]
    flux_y = np.where(flux * (field[2:-2, 2:-1, :] - field[2:-2, 1:-2, :]) > 0, 0, flux)
    change = flux_x[1:, :, :] - flux_x[:-1, :, :] + flux_y[:, 1:, :] - flux_y[:, :-1, :]
    return field[2:-2, 2:-2, :] - coefficient * change


def vertical_advection(velocity, position, forcing):
    """Implicit advection in each column of air: a tridiagonal system along the last axis (COSMO, vadv)."""
    levels = velocity.shape[2]
    upper = np.empty_like(position)
    right = np.empty_like(position)
    weight = 0.25 * (velocity[1:, :, :] + velocity[:-1, :, :])
    for k in range(levels):
#            ^^^^^^^^^^^^^ NST106
        below = weight[:, :, k] if k > 0 else np.zeros_like(position[:, :, 0])
        above = weight[:, :, k] if k < levels - 1 else np.zeros_like(position[:, :, 0])
#                                  ^^^^^^^^^^^^^^ NST102
        pivot = 2.0 + below + above
        if k == 0:
            upper[:, :, k] = above / pivot
            right[:, :, k] = (position[:, :, k] + forcing[:, :, k]) / pivot
        else:
            divided = 1.0 / (pivot - below * upper[:, :, k - 1])
            upper[:, :, k] = above * divided
            right[:, :, k] = (position[:, :, k] + forcing[:, :, k] + below * right[:, :, k - 1]) * divided
    for k in range(levels - 2, -1, -1):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^ NST106
        right[:, :, k] += upper[:, :, k] * right[:, :, k + 1]
    return right


def wave(u, before, speed):
    """Leapfrog for the wave equation on a torus: u_tt = c^2 (u_xx + u_yy)."""
    for _ in range(5):
        around = np.roll(u, 1, axis=0) + np.roll(u, -1, axis=0) + np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1)
        u, before = 2.0 * u - before + speed**2 * (around - 4.0 * u), u
#                                      ^^^^^^^^ NST202
    return u


def gray_scott(u, v):
    """Reaction and diffusion of two substances (Pearson, Science 261, 1993), ghost cells copied around."""
    for _ in range(4):
        for field in (u, v):
            field[0], field[-1] = field[-2], field[1]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
            field[:, 0], field[:, -1] = field[:, -2], field[:, 1]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        middle_u, middle_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
        spread_u = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * middle_u
        spread_v = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * middle_v
        reaction = middle_u * middle_v**2
        middle_u += 0.16 * spread_u - reaction + 0.035 * (1 - middle_u)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        middle_v += 0.08 * spread_v + reaction - 0.1 * middle_v
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return u, v


def game_of_life(cells):
    """Conway's rule on a torus: born with three neighbours, alive with two or three."""
    for _ in range(3):
        around = sum(np.roll(cells, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
        cells = ((around == 3) | ((cells == 1) & (around == 2))).astype(cells.dtype)
    return cells
