"""The same functions for other tracers: one module a library, loaded only where the library is installed.

`installed()` gives a `Peer` for each way of tracing; `missing()` says what could not be measured.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.programs import Function

MODULES = {"jax": "benchmarks.peers.in_jax", "torch": "benchmarks.peers.in_torch"}
"""By the library's name: the module of ours that imports it."""


@dataclass(frozen=True, slots=True)
class Traced:
    """What a peer made of a function: how many nodes it has, and how to run it on NumPy arrays."""

    nodes: int
    run: Callable[..., np.ndarray[Any, Any]]


@dataclass(frozen=True, slots=True)
class Peer:
    """One way of tracing.

    `make` gives a function of a program's name at a length, a new function object each time, so that nothing
    which was traced before is found in a cache.  `arguments` turns NumPy's into the library's own.
    """

    name: str
    version: str
    make: Callable[[str, int], Function]
    arguments: Callable[[tuple[Any, ...]], tuple[Any, ...]]
    trace: Callable[[Function, tuple[Any, ...]], Any]
    """What is measured."""
    opened: Callable[[Any], Traced]
    """What `trace` gave, looked at when the clock has stopped."""


def installed() -> list[Peer]:
    """The peers of every library that is there."""
    found: list[Peer] = []
    for library, module in MODULES.items():
        if importlib.util.find_spec(library) is not None:
            found += importlib.import_module(module).peers()
    return found


def missing() -> list[str]:
    """The libraries that are not there."""
    return [library for library in MODULES if importlib.util.find_spec(library) is None]
