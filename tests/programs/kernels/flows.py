"""Incompressible flow: pressure projection on a grid with boundary conditions set by index."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def _source(rho, dt, u, v, dx, dy):
    """The right-hand side of the pressure equation, inside the walls."""
    right = np.zeros_like(u)
    du_dx = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    dv_dy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    du_dy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    dv_dx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    right[1:-1, 1:-1] = rho * (1 / dt * (du_dx + dv_dy) - du_dx**2 - 2 * (du_dy * dv_dx) - dv_dy**2)
    return right


def _relax(p, right, dx, dy):
    """Pressure after some Jacobi steps, its normal derivative zero at three walls, itself zero at the lid."""
    for _ in range(5):
        old = p.copy()
        p[1:-1, 1:-1] = (
#   ~ NST303
            (old[1:-1, 2:] + old[1:-1, :-2]) * dy**2 + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * right[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
#       ^^^^^^^^^^^^^^^^^^^ NST303
        p[0, :] = p[1, :]
#       ^^^^^^^^^^^^^^^^^ NST303
        p[:, 0] = p[:, 1]
#       ^^^^^^^^^^^^^^^^^ NST303
        p[-1, :] = 0
#       ^^^^^^^^^^^^ NST303
    return p


def _carry(f, u, v, p_difference, step, dt, rho, nu, dx, dy):
    """One velocity component after a step: carried along, pushed by pressure, smoothed by viscosity."""
    return (
        f[1:-1, 1:-1]
        - u[1:-1, 1:-1] * dt / dx * (f[1:-1, 1:-1] - f[1:-1, :-2])
        - v[1:-1, 1:-1] * dt / dy * (f[1:-1, 1:-1] - f[:-2, 1:-1])
        - dt / (2 * rho * step) * p_difference
        + nu * (dt / dx**2 * (f[1:-1, 2:] - 2 * f[1:-1, 1:-1] + f[1:-1, :-2]))
        + nu * (dt / dy**2 * (f[2:, 1:-1] - 2 * f[1:-1, 1:-1] + f[:-2, 1:-1]))
    )


def cavity_flow(u, v, p):
    """A box of fluid under a moving lid (Barba and Forsyth, 12 steps to Navier-Stokes, step 11)."""
    dx, dy, dt, rho, nu = 0.1, 0.1, 0.001, 1.0, 0.1
    for _ in range(3):
        u_old, v_old = u.copy(), v.copy()
        p = _relax(p, _source(rho, dt, u_old, v_old, dx, dy), dx, dy)
        u[1:-1, 1:-1] = _carry(u_old, u_old, v_old, p[1:-1, 2:] - p[1:-1, :-2], dx, dt, rho, nu, dx, dy)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        v[1:-1, 1:-1] = _carry(v_old, u_old, v_old, p[2:, 1:-1] - p[:-2, 1:-1], dy, dt, rho, nu, dx, dy)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        u[0, :], u[:, 0], u[:, -1] = 0, 0, 0
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        u[-1, :] = 1
#       ^^^^^^^^^^^^ NST303
        v[0, :], v[-1, :], v[:, 0], v[:, -1] = 0, 0, 0, 0
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return u, v, p


def channel_flow(u, steps, force=1.0):
    """Flow between two plates, periodic along them (Barba and Forsyth, step 12, without pressure)."""
    dx, dy, dt, nu = 0.1, 0.1, 0.001, 0.1
    for _ in range(steps):
#            ^^^^^^^^^^^^ NST106
        old = np.concatenate([u[:, -1:], u, u[:, :1]], axis=1)
        inner = old[1:-1, 1:-1]
        u = u.copy()
        u[1:-1, :] = (
            inner
            - inner * dt / dx * (inner - old[1:-1, :-2])
            + nu * (dt / dx**2 * (old[1:-1, 2:] - 2 * inner + old[1:-1, :-2]))
            + nu * (dt / dy**2 * (old[2:, 1:-1] - 2 * inner + old[:-2, 1:-1]))
            + force * dt
#             ^^^^^^^^^^ NST205
        )
        u[0, :] = 0
        u[-1, :] = 0
    return u


def upwind_advection(u, velocity):
    """Advection against the wind's side, whichever it is: u_t + a u_x = 0 (Courant, Isaacson, Rees, 1952)."""
    for _ in range(4):
        backward = u - np.roll(u, 1, axis=-1)
        forward = np.roll(u, -1, axis=-1) - u
        u = u - 0.4 * (np.maximum(velocity, 0) * backward + np.minimum(velocity, 0) * forward)
    return u


def burgers_limited(u):
    """Burgers' equation by Lax-Friedrichs fluxes with a minmod limiter (LeVeque, Finite Volume Methods, 6.9)."""
    for _ in range(3):
        left, right = u - np.roll(u, 1), np.roll(u, -1) - u
        slope = np.where(left * right > 0, np.where(np.abs(left) < np.abs(right), left, right), 0.0)
        low, high = u + 0.5 * slope, np.roll(u - 0.5 * slope, -1)
        flux = 0.25 * (low**2 + high**2) - 0.5 * np.maximum(np.abs(low), np.abs(high)) * (high - low)
        u = u - 0.1 * (flux - np.roll(flux, 1))
    return u
