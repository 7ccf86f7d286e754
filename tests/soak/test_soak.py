"""A short soak: the server's results are those of fresh runs, after edits, kills and cancels.  `make soak` is long."""

from __future__ import annotations

import sys

import pytest

from .rounds import run
from .steps import Step, drawn


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_what_the_server_says_is_what_a_fresh_one_would_say():
    outcome = run(7, 6, drawn(seed=7, count=60, files=6, every=30))
    assert outcome.wrong is None, outcome.wrong
    assert outcome.graphs > 0


def test_a_seed_means_the_same_steps():
    assert drawn(3, 50, 6, 10) == drawn(3, 50, 6, 10) != drawn(4, 50, 6, 10)
    assert drawn(3, 50, 6, 10)[9].kind == "check"
    assert all(isinstance(step, Step) for step in drawn(3, 50, 6, 10))
