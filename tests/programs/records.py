"""Records that programs take as arguments; apart from the programs, whose modules are loaded more than once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Sphere(NamedTuple):
    centre: Any
    radius: float


@dataclass(frozen=True)
class Mixture:
    """A mixture of normal distributions in one dimension."""

    weights: Any
    means: Any
    spreads: Any
