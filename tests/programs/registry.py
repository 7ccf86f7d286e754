"""All programs."""

from __future__ import annotations

from tests.programs.numerics import NUMERICS
from tests.programs.practice import PRACTICE
from tests.programs.program import Program

PROGRAMS: tuple[Program, ...] = (*NUMERICS, *PRACTICE)

__all__ = ["PROGRAMS", "Program"]
