"""What is said of a text is the same each time, also where it draws at random without a seed."""

from __future__ import annotations

from pathlib import Path

from tests.worker.repeated import reports_of_two_workers

PROGRAM = """
import random
import numpy as np

table = np.random.default_rng().normal(size=3)
weights = np.random.rand(3)

# nst: example(np.random.default_rng().normal(size=3))
def by_a_generator(x):
    if x.sum() > 50:
        return x * table
    return x * weights

# nst: example(np.random.randn(3))
def by_the_shared_state(x):
    return x * table if x.max() > 50 else x + np.random.normal(size=3)

# nst: example(np.full(3, random.random()))
def by_the_standard_library(x):
    return x + random.random() if x.max() > 50 else x + np.random.default_rng().normal(size=3)
"""


async def test_two_workers_find_the_same(tmp_path: Path) -> None:
    first, second = await reports_of_two_workers(tmp_path / "draws.py", PROGRAM)
    assert len(first) == 3
    assert first == second
    for name in first:
        assert any(f.witness is not None for f in first[name].findings), name
    frozen = [f.function for report in first.values() for f in report.findings if f.code == "NST206"]
    assert set(frozen) == {"by_the_shared_state", "by_the_standard_library"}
