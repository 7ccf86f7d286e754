"""Tries fixes, and keeps those that hold.

A candidate holds if there is no `objection`: the changed file loads, its function gives bit for bit what it gave, the
finding is gone, and nothing as severe has come.  Of one kind for one finding, the first that holds is kept.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence

from ..worker.wire import Finding
from .candidate import Candidate, Kind
from .objections import objection
from .running import RUN, Before, Bench, in_a_copy, run_before


def holding(bench: Bench, pairs: Sequence[tuple[Finding, Candidate]], until: float) -> list[int]:
    """The numbers of the candidates that hold; of one kind for one finding, the first."""
    found = in_a_copy(functools.partial(_holding, bench, pairs, until), bench, until + RUN).value
    return found if isinstance(found, list) else []


def _holding(bench: Bench, pairs: Sequence[tuple[Finding, Candidate]], until: float) -> list[int]:
    """In a copy of the process: run the function as it was, then try the candidates one by one."""
    found: list[int] = []
    mended: set[tuple[int, Kind]] = set()
    before: dict[bool, Before] = {}
    for number, (finding, candidate) in enumerate(pairs):
        key = (id(finding), candidate.kind)
        if key in mended or time.monotonic() > until:
            continue
        if candidate.draws not in before:
            before[candidate.draws] = run_before(bench, until, draws=candidate.draws)
        tried = functools.partial(objection, bench, finding, candidate, before[candidate.draws], until)
        outcome = in_a_copy(tried, bench, until)
        if outcome.known and outcome.error is None and outcome.value is None:
            found.append(number)
            mended.add(key)
    return found
