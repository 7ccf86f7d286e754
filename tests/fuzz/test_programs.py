"""A fixed number of random programs: what is planted is reported, and where nothing is, the graph is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from .check import shown, wrong_with
from .programs import Program, programs


@pytest.mark.parametrize("turn", range(10))
def test_what_is_planted_is_reported_and_the_rest_of_the_graph_is_right(turn: int, tmp_path: Path):
    @settings(max_examples=40, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(programs(turn))
    def holds(program: Program) -> None:
        wrong = wrong_with(program, tmp_path)
        assert not wrong, shown(program, wrong)

    holds()
