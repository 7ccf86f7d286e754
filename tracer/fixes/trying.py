"""Tries fixes, and keeps those that hold.

A candidate holds if there are no `objections`: the changed file loads, its function gives bit for bit what it gave, the
finding is gone, and nothing as severe has come.  Of one kind for one finding, the first that holds is kept.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence

from ..positions import FILES
from ..worker.wire import Finding
from .candidate import Candidate, Kind
from .objections import objections
from .running import RUN, Before, Bench, in_a_copy, run_before, touched
from .text import Text


def holding(bench: Bench, pairs: Sequence[tuple[Finding, Candidate]], until: float) -> list[int]:
    """The numbers of the candidates that hold; of one kind for one finding, the first."""
    found = in_a_copy(functools.partial(_holding, bench, pairs, until), bench, until + RUN).value
    return found if isinstance(found, list) else []


def _holding(bench: Bench, pairs: Sequence[tuple[Finding, Candidate]], until: float) -> list[int]:
    """In a copy of the process: run the function as it was, then try the candidates one by one."""
    held: list[int] = []
    mended: set[tuple[int, Kind]] = set()
    before: dict[bool, Before] = {}
    text = Text(FILES[bench.path])
    others = {key for _, candidate in pairs for key in touched(text, candidate.changes)}
    for candidate, alike in _alike(pairs).items():
        numbers = [n for n in alike if (id(pairs[n][0]), candidate.kind) not in mended]
        if not numbers or time.monotonic() > until:
            continue
        if candidate.draws not in before:
            before[candidate.draws] = run_before(bench, others, until, draws=candidate.draws)
        findings = [pairs[n][0] for n in numbers]
        attempt = functools.partial(objections, bench, findings, candidate, before[candidate.draws], until)
        objected = in_a_copy(attempt, bench, until).value
        for number, reason in zip(numbers, objected, strict=True) if isinstance(objected, list) else ():
            if reason is None:
                held.append(number)
                mended.add((id(pairs[number][0]), candidate.kind))
    return held


def _alike(pairs: Sequence[tuple[Finding, Candidate]]) -> dict[Candidate, list[int]]:
    """The numbers of the pairs with the same candidate: one change may answer several findings."""
    found: dict[Candidate, list[int]] = {}
    for number, (_, candidate) in enumerate(pairs):
        found.setdefault(candidate, []).append(number)
    return found
