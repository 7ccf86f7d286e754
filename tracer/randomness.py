"""What runs have in common besides arguments: their random states, and the threads of libraries.

What a file says must be the same in each check, so nothing is drawn by chance: `start` seeds all generators before
a file is loaded, `State` is what they are afterwards, and `Entropy` is what NumPy seeds its own new generators with.

Draws of a library besides NumPy are operations of a graph, so each run begins with the same random state.  (NumPy's
draws are constants of a graph.)  One thread does all, since the order of a sum is that of its threads; and threads
that were there before a fork are none after it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from . import libraries


class Entropy(Enum):
    """In place of the system's entropy: the same in each check, but another for each of the runs that are compared."""

    LOADING = 1
    EXAMPLE = 2
    TRIAL = 3
    AGAIN = 4

    def use(self) -> None:
        """Seed generators of NumPy that are made without a seed from here on with this."""
        np.random.bit_generator.randbits = random.Random(self.value).getrandbits  # type: ignore[attr-defined]


def start() -> None:
    """Seed all generators: draws without a seed of the user's are the same in each process that loads a file."""
    random.seed(0)
    np.random.seed(0)
    Entropy.LOADING.use()
    libraries.draw_anew_on_import()


@dataclass(frozen=True, slots=True)
class State:
    """The state of the generators that all code shares."""

    python: Any
    numpy: Any
    of_libraries: dict[str, Any]

    @staticmethod
    def now() -> State:
        drawn = {library.name: library.random_state() for library in libraries.LIBRARIES}
        return State(random.getstate(), np.random.get_state(legacy=False), drawn)

    def put(self) -> None:
        """Give the generators this state; the user's own seeds are in it."""
        random.setstate(self.python)
        np.random.set_state(self.numpy)
        for library in libraries.LIBRARIES:
            if library.name in self.of_libraries:
                library.set_random_state(self.of_libraries[library.name])


_begun: dict[str, Any] = {}
"""By library: its random state when a function was about to be run for the first time."""


def begin() -> None:
    """Remember the state of this moment, from which function and graph are to draw the same."""
    for library in libraries.LIBRARIES:
        _begun[library.name] = library.random_state()


@contextmanager
def steady() -> Iterator[None]:
    """Run the block from the remembered state in one thread, and leave all as it was."""
    before = [(library, library.random_state(), library.set_threads(1)) for library in libraries.LIBRARIES]
    for library in libraries.LIBRARIES:
        if library.name in _begun:
            library.set_random_state(_begun[library.name])
    try:
        yield
    finally:
        for library, state, threads in before:
            library.set_random_state(state)
            library.set_threads(threads)
