"""What a fix is before it is tried: changes of a text, and what must be known to try them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ..worker.wire import Finding, Fix
from .text import Change, Text


class Kind(Enum):
    """One way of mending; of a kind, only the first that holds is offered."""

    PARAMETER = "a hidden input becomes a parameter"
    CHOICE = "a branch becomes np.where"
    EXTREME = "max and min become NumPy's"
    CONVERSION = "a conversion is dropped"
    LENGTH = "len becomes a size"
    EMPTINESS = "a test for elements asks for the size"
    GENERATOR = "a random draw comes from a parameter"
    DEFAULT = "a default is made anew in each call"
    CLOSURE = "a variable of a loop is bound as a default"
    COPY = "an argument is copied before it is written"
    BUFFER = "a tensor of a module becomes a buffer"


class Given(Enum):
    """What the new parameter gets when a fix is tried, for the function to do as it did before."""

    VALUE = "the hidden input"
    ARRAY = "the hidden input as an array"
    NUMPY = "a generator that draws as `np.random` does"
    PYTHON = "a generator that draws as `random` does"
    GENERATOR = "a generator like the one that the function drew from"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a fix adds."""

    name: str
    given: Given
    of: str = ""
    """The hidden input that it takes the place of, as it is written."""


@dataclass(frozen=True, slots=True)
class Candidate:
    kind: Kind
    title: str
    changes: tuple[Change, ...]
    parameter: Parameter | None = None

    @property
    def draws(self) -> bool:
        """Whether it is about random numbers."""
        return self.kind is Kind.GENERATOR

    def fix(self, text: Text) -> Fix:
        changes = sorted(self.changes, key=lambda c: (c.start, c.end))
        return Fix(self.title, verified=True, edits=tuple(map(text.edit, changes)))


def candidate(
    kind: Kind, title: str, changes: Sequence[Change | None], parameter: Parameter | None = None
) -> list[Candidate]:
    """A candidate where all of its changes can be made and none is in the way of another; else none."""
    made = [change for change in changes if change is not None]
    ordered = sorted(set(made), key=lambda c: (c.start, c.end))
    apart = all(a.end <= b.start and a.start < b.start for a, b in zip(ordered, ordered[1:]))  # noqa: RUF007, B905
    if len(made) < len(changes) or not made or not apart:
        return []
    return [Candidate(kind, title, tuple(ordered), parameter)]


__all__ = ["Candidate", "Finding", "Given", "Kind", "Parameter", "candidate"]
