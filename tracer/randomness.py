"""What runs that are compared must have in common besides arguments: the random state of libraries, and their threads.

Draws of a library besides NumPy are operations of a graph, so each run begins with the same random state.  (NumPy's
draws are constants of a graph.)  One thread does all, since the order of a sum is that of its threads; and threads
that were there before a fork are none after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import libraries

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
