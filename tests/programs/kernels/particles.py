"""Records and objects: structured arrays, states in classes, calendars."""
# The marks under the code tell what a trace reports there (`tests/marks.py`); no formatter may move them.
# fmt: off

import numpy as np


def drift(particles):
    """Particles as records: fields are views, written in place; walls turn them around."""
    for _ in range(3):
        particles["x"] += 0.1 * particles["v"]
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
        outside = np.abs(particles["x"]) > 1
        particles["v"][outside] *= -1
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ NST303
    return particles["m"] @ particles["v"] ** 2 / 2


def packed(x, y):
    """Two arrays put into records, sorted by one field, taken out again."""
    records = np.empty(x.shape[0], dtype=[("key", np.float64), ("value", np.int64)])
    records["key"], records["value"] = x, y
    ordered = np.sort(records, order="key")
    return ordered["value"], ordered["key"]


class _Vehicle:
    """Position and speed of many cars, moved by methods."""

    def __init__(self, x, v):
        self.x = x
        self.v = v

    def accelerate(self, limit):
        gap = np.roll(self.x, -1) - self.x
        self.v = np.minimum(np.minimum(self.v + 1, limit), np.maximum(gap - 1, 0))
        return self

    def move(self):
        self.x = self.x + self.v
        return self


def traffic(x, v):
    """Nagel and Schreckenberg's cars (1992), without chance, five rounds of method calls."""
    cars = _Vehicle(x, v)
    for _ in range(5):
        cars = cars.accelerate(5).move()
    return cars.x, cars.v


class _Dual:
    """A value with its derivative."""

    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __add__(self, other):
        return _Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return _Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def sin(self):
        return _Dual(np.sin(self.value), np.cos(self.value) * self.slope)


def dual_numbers(x):
    """Forward differentiation of x sin(x) + x x by operator overloading (Clifford, 1873)."""
    d = _Dual(x, np.ones_like(x))
    result = d * d.sin() + d * d
    return result.value, result.slope


def business_days(dates, amounts):
    """Amounts by month and days to the next payment: calendar arithmetic on days."""
    month = dates.astype("datetime64[M]")
    first = month.min()
    index = (month - first).astype(np.int64)
    sums = np.zeros(24)
    np.add.at(sums, np.clip(index, 0, 23), amounts)
    waits = np.diff(np.sort(dates)) / np.timedelta64(1, "D")
    return sums, waits, dates + np.timedelta64(30, "D")


def half_precision(x, w):
    """Products in half precision, sums in single, result rounded back."""
    y = x.astype(np.float16) * w.astype(np.float16)
    total = y.astype(np.float32).sum(axis=-1)
    return total.astype(np.float16), np.finfo(total.dtype).eps * total


def caesar(letters, shift):
    """Letters moved along the alphabet, as bytes."""
    small = (letters >= 97) & (letters <= 122)
    moved = (letters - 97 + shift) % 26 + 97
#                           ^^^^^ NST202
    return np.where(small, moved, letters).astype(np.uint8)


def voting(ballots):
    """Condorcet: who beats whom, candidates four, ballots as ranks in rows."""
    beats = np.zeros((4, 4), dtype=np.int64)
    for i in range(4):
        for j in range(4):
            if i != j:
                beats[i, j] = np.count_nonzero(ballots[:, i] < ballots[:, j])
    winner = np.all((beats > beats.T) | np.eye(4, dtype=bool), axis=1)
    return beats, winner.argmax(), winner.any()
