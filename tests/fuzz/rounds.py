"""Rounds of random programs: each a run of Hypothesis with a seed of its own, so that it can be found again."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from .check import shown, wrong_with
from .programs import Program, programs

_ROUND = 100
"""Programs in one run of Hypothesis: more would make it slow, by all it remembers."""


class Failed(AssertionError):
    """A program for which a property does not hold."""

    def __init__(self, program: Program, wrong: list[str]) -> None:
        super().__init__(shown(program, wrong))
        self.kind = " / ".join(sorted({_kind(w) for w in wrong}))
        """A failure's sort, by which it is told only once."""


def _kind(wrong: str) -> str:
    if wrong.startswith(("missing", "false alarm")):
        return re.sub(r"line \d+, columns \d+-\d+|`[^`]*`|\(.*", "", wrong)[:90]
    return re.sub(r"{.*?}", "", wrong).split(":")[0][:60]


def run(seed: int, job: int, jobs: int, until: float) -> tuple[int, int, dict[str, str]]:
    """Rounds of one job until the time is over: programs, distinct ones, and failures by kind."""
    count, number = 0, job
    texts: set[int] = set()
    failures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            ran, failed = one_round(seed * 1_000_003 + number, Path(folder), _ROUND, failures.keys())
            count += len(ran)
            texts |= ran
            if failed is not None:
                failures[failed.kind] = str(failed)
                print(f"--- seed {seed}, round {number}\n{failed}\n", flush=True)
            number += jobs
    return count, len(texts), failures


def one_round(seed: int, folder: Path, examples: int, known: Collection[str] = ()) -> tuple[set[int], Failed | None]:
    """A few hundred programs: their hashes, and the smallest failure of a kind that is not known."""
    ran: set[int] = set()

    @seeded(seed)
    @settings(
        max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink), report_multiple_bugs=False,
    )  # fmt: skip
    @given(programs(seed))
    def holds(program: Program) -> None:
        ran.add(hash(program.text))
        wrong = wrong_with(program, folder)
        failed = Failed(program, wrong)
        if wrong and failed.kind not in known:
            raise failed

    try:
        holds()
    except Failed as failed:
        return ran, failed
    return ran, None
