"""Bodies under gravity, leapfrog steps, energies; a class whose state is made in the call."""
import numpy as np

G = 1.0
SOFTENING = 1e-3


class System:
    """Positions, velocities, masses."""

    def __init__(self, position, velocity, mass):
        self.position = position.copy()
        self.velocity = velocity.copy()
        self.mass = mass
        self.time = 0.0
        self.energies = []

    @property
    def kinetic(self):
        return 0.5 * (self.mass * (self.velocity**2).sum(axis=1)).sum()

    def acceleration(self):
        offset = self.position[None, :, :] - self.position[:, None, :]
        r2 = (offset**2).sum(axis=-1) + SOFTENING
        return G * (offset * (self.mass[None, :] / r2**1.5)[..., None]).sum(axis=1)

    def step(self, dt):
        self.velocity += 0.5 * dt * self.acceleration()
        self.position += dt * self.velocity
        self.velocity += 0.5 * dt * self.acceleration()
        self.time += dt
        self.energies.append(self.kinetic)
        return self


# nst: example(*EXAMPLE)
def fn(position, velocity, mass):
    system = System(position, velocity, mass)
    for _ in range(2):
        system.step(0.01)
    drift = max(system.energies[0], system.energies[-1]) - min(system.energies)
    return system.position, system.velocity, np.array(system.energies), drift * system.time


EXAMPLE = (np.arange(6.0).reshape(3, 2) ** 1.5, np.ones((3, 2)), np.array([1.0, 2.0, 3.0]))
SAME = (np.arange(6.0).reshape(3, 2)[::-1] ** 1.5, -np.ones((3, 2)), np.array([1.0, 5.0, 3.0]))
OTHER = (np.arange(8.0).reshape(4, 2) ** 1.5, np.ones((4, 2)), np.array([1.0, 2.0, 3.0, 2.0]))
