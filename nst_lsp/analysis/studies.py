"""What PyTorch's own tracers can be asked about an example, and how people call what they show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tracer.worker.wire import Remark, RemarkKind, Studied, Study

from .traced import Outcome


@dataclass(frozen=True, slots=True)
class Question:
    function: str
    example: int
    study: Study


@dataclass(frozen=True, slots=True)
class Answer:
    studied: Studied
    outcome: Outcome
    """What our trace had told of the same text."""


BY_NAME = {study.value: study for study in Study}
"""The studies by what clients and pages call them."""

NAMES = {
    Study.JOINT: "joint graph",
    Study.FORWARD: "forward graph",
    Study.BACKWARD: "backward graph",
    Study.DYNAMO: "graphs of Dynamo",
    Study.EXPORT: "exported graph",
}
"""What a study shows."""

ASKED = {Study.DYNAMO: "Dynamo", Study.EXPORT: "torch.export"}
"""Who is asked, of the studies of `BESIDE`."""

SHORT = {
    Study.JOINT: "joint",
    Study.FORWARD: "forward",
    Study.BACKWARD: "backward",
    Study.DYNAMO: "Dynamo",
    Study.EXPORT: "export",
}
"""The same in a word, where several stand in a row."""

BESIDE = frozenset(ASKED)
"""The studies that are set beside our trace: they say what they would assume of the function."""

VERBS = {
    RemarkKind.GUARD: "guards on",
    RemarkKind.BREAK: "breaks the graph:",
    RemarkKind.BAKED: "decided by the example:",
    RemarkKind.KERNEL: "cannot tell the result:",
    RemarkKind.CUT: "",
    RemarkKind.STOP: "stops:",
}
"""What who is asked does, before what is remarked."""

_USES_TORCH = re.compile(r"^\s*(?:import|from)\s+torch\b", re.MULTILINE)


def can_be_asked(source: str, outcome: Outcome) -> bool:
    """Whether PyTorch's tracers have something to say of an example, as far as that is told without asking them."""
    return outcome.has_torch or _imports_torch(source)


@lru_cache(maxsize=16)
def _imports_torch(source: str) -> bool:
    """Asked for each function of a file with each keystroke."""
    return _USES_TORCH.search(source) is not None


def is_everywhere(remark: Remark) -> bool:
    """Whether a guard is one of those that there are on every tensor, whatever the function does."""
    return remark.kind is RemarkKind.GUARD and " is " in remark.condition and "[" in remark.condition
