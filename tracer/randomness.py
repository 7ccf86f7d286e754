"""The random state of libraries whose draws are operations of a graph: each run that is compared begins with the same.

NumPy's draws are constants of a graph, so its state is of no concern here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import libraries

_begun: dict[str, Any] = {}
"""By library: its random state when the function was first traced in this process."""


def begin() -> None:
    """Remember the state of this moment, from which function and graph are to draw the same."""
    for library in libraries.LIBRARIES:
        _begun[library.name] = library.random_state()


@contextmanager
def steady() -> Iterator[None]:
    """Run the block from the remembered state, and leave the state as it was."""
    before = [(library, library.random_state()) for library in libraries.LIBRARIES]
    for library in libraries.LIBRARIES:
        if library.name in _begun:
            library.set_random_state(_begun[library.name])
    try:
        yield
    finally:
        for library, state in before:
            library.set_random_state(state)
