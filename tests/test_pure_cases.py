"""Pure functions in many styles: on other arguments, too, a graph gives what its function gives.

A case that names `SAME` (other contents) or `OTHER` (other sizes) beside its `EXAMPLE` is traced on the example
and replayed, bit for bit.  No guard may stand in the way: nothing in these functions depends on one.
"""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from tests.tracer.oracle import executed, outcome, same
from tracer import load_module, trace

PATHS = sorted((Path(__file__).parent / "cases").glob("pure_*.py"))
CASES = [
    (path, name)
    for path in PATHS
    for name in ("EXAMPLE", "SAME", "OTHER")
    if f"\n{name} = " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize(("path", "name"), CASES, ids=lambda value: getattr(value, "stem", value))
def test_the_graph_gives_what_the_function_gives(path: Path, name: str):
    module = load_module(path)
    traced = trace(module.fn, *copy.deepcopy(module.EXAMPLE))
    assert traced.error is None, traced.error

    given = getattr(module, name)
    wanted = outcome(module.fn, given)

    same(outcome(traced.graph, given), wanted, "called")
    same(outcome(executed(traced), given), wanted, "printed and executed")
