"""Systems that move: explicit steps of differential equations, states kept or overwritten."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def _pendulum(state):
    angle, speed = state
#                  ^^^^^ NST106
    return np.stack([speed, -9.81 * np.sin(angle)])


def runge_kutta_4(state, h):
    """The classic four-stage step (Kutta, 1901) for pendulums, as many as there are columns."""
    for _ in range(5):
        k1 = _pendulum(state)
        k2 = _pendulum(state + h / 2 * k1)
#                              ^^^^^ NST202
        k3 = _pendulum(state + h / 2 * k2)
#                              ^^^^^ NST202
        k4 = _pendulum(state + h * k3)
#                              ^ NST202
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
#                       ^^^^^ NST202
    return state


def lotka_volterra(start, steps):
    """Hunters and prey by Euler steps, every state kept (Lotka, 1925)."""
    states = np.empty((steps + 1, 2))
#                      ^^^^^^^^^ NST202
    states[0] = start
    for t in range(steps):
#            ^^^^^^^^^^^^ NST106
        prey, hunters = states[t]
        states[t + 1, 0] = prey + 0.05 * (1.1 * prey - 0.4 * prey * hunters)
        states[t + 1, 1] = hunters + 0.05 * (0.1 * prey * hunters - 0.4 * hunters)
    return states


def _acceleration(position, mass):
    dx = position[:, 0] - position[:, 0:1]
    dy = position[:, 1] - position[:, 1:2]
    dz = position[:, 2] - position[:, 2:3]
    inverse = (dx**2 + dy**2 + dz**2 + 0.01) ** -1.5
    return np.stack([(dx * inverse) @ mass, (dy * inverse) @ mass, (dz * inverse) @ mass], axis=1)


def _energy(position, velocity, mass):
    kinetic = 0.5 * np.sum(mass[:, None] * velocity**2)
    distance = np.sqrt(((position[:, None, :] - position[None, :, :]) ** 2).sum(axis=-1))
    inverse = np.where(distance > 0, 1.0 / np.where(distance > 0, distance, 1.0), 0.0)
    return kinetic, -np.sum(np.triu(np.outer(mass, mass) * inverse, 1))


def n_body(mass, position, velocity):
    """Gravity among particles by kick, drift, kick; energies kept (Hockney and Eastwood)."""
    velocity -= np.mean(mass[:, None] * velocity, axis=0) / np.mean(mass)
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    acceleration = _acceleration(position, mass)
    kinetic, potential = np.zeros(5), np.zeros(5)
    kinetic[0], potential[0] = _energy(position, velocity, mass)
    for i in range(4):
        velocity += acceleration * 0.005
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        position += velocity * 0.01
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        acceleration = _acceleration(position, mass)
        velocity += acceleration * 0.005
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        kinetic[i + 1], potential[i + 1] = _energy(position, velocity, mass)
    return kinetic, potential


def lorenz(x, y, z):
    """The Lorenz attractor for many starts at once (Lorenz, 1963), by the midpoint rule."""
    for _ in range(6):
        half = [s + 0.005 * d for s, d in zip((x, y, z), _lorenz_slope(x, y, z), strict=True)]
        x, y, z = (s + 0.01 * d for s, d in zip((x, y, z), _lorenz_slope(*half), strict=True))
    return x, y, z


def _lorenz_slope(x, y, z, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    return sigma * (y - x), x * (rho - z) - y, x * y - beta * z


def kuramoto(phase, frequency, coupling):
    """Coupled oscillators drawn to each other's phases (Kuramoto, 1975)."""
    for _ in range(5):
        pull = np.sin(phase[None, :] - phase[:, None]).mean(axis=1)
        phase = (phase + 0.1 * (frequency + coupling * pull)) % (2 * np.pi)
#                                           ^^^^^^^^ NST202
    return np.abs(np.exp(1j * phase).mean())


def spring_chain(x, v):
    """Masses on springs between walls by velocity Verlet (Verlet, 1967); positions written in place."""
    force = np.empty_like(x)
    for _ in range(6):
        force[1:-1] = x[:-2] - 2 * x[1:-1] + x[2:]
        force[0], force[-1] = x[1] - 2 * x[0], x[-2] - 2 * x[-1]
        v += 0.05 * force
#       ^^^^^^^^^^^^^^^^^ NST303
        x += 0.1 * v
#       ^^^^^^^^^^^^ NST303
    return x, v


def epidemic(s, i, r, mixing):
    """Susceptible, infected, recovered, in regions that mix (Kermack and McKendrick, 1927)."""
    history = []
    for _ in range(5):
        new = np.minimum(s, 0.3 * s * (mixing @ i))
        s, i, r = s - new, i + new - 0.1 * i, r + 0.1 * i
        history.append(np.array([s.sum(), i.sum(), r.sum()]))
    return np.stack(history)


def elastic_collisions(position, velocity):
    """Particles in a box: those outside are put back and turned around by masks."""
    for _ in range(4):
        position += 0.3 * velocity
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        outside = (position < 0) | (position > 1)
        velocity[outside] *= -1
#       ^^^^^^^^^^^^^^^^^^^^^^^ NST303
        np.clip(position, 0, 1, out=position)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return outside.sum(axis=0)


def ising_sweep(spins, noise):
    """Metropolis by checkerboard halves, the noise given (Metropolis and others, 1953)."""
    i, j = np.ogrid[: spins.shape[0], : spins.shape[1]]
    for colour in range(2):
        around = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
        flip = (noise[colour] < np.exp(-0.8 * spins * around)) & ((i + j) % 2 == colour)
        spins = np.where(flip, -spins, spins)
    return spins
