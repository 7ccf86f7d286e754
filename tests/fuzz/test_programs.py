"""A fixed number of random programs: what is planted is reported, and where nothing is, the graph is right."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from .check import shown, wrong_with
from .programs import Program, programs


@settings(max_examples=300, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_what_is_planted_is_reported_and_the_rest_of_the_graph_is_right(program: Program):
    with tempfile.TemporaryDirectory() as folder:
        wrong = wrong_with(program, Path(folder))
    assert not wrong, shown(program, wrong)
