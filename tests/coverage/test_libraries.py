"""Functions of other libraries: one opaque node each, told as NST402, that replays to the function's own bits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.coverage.recipes import HEADER, lines_of
from tests.coverage.replay import Call, module_of, replay_of

LINES = lines_of("libraries")
MODULES = sorted({line.split("(")[0].rsplit(".", 1)[0] for line in LINES})


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Call]]:
    header = HEADER + "".join(f"import {module}\n" for module in MODULES)
    return module_of(tmp_path_factory.mktemp("libraries"), {line: (line,) for line in LINES}, header, small=False)


GAPS = {
    **dict.fromkeys(
        ("scipy.optimize.lsq_linear(s, v).x", "scipy.sparse.csr_matrix(x).toarray()",
         "scipy.interpolate.make_interp_spline(np.arange(len(v)), v, 1)(0.5) + v"),
        "an object that a library made of traced values is a constant",
    ),
}  # fmt: skip


def _case(line: str) -> Any:
    return pytest.param(line, marks=pytest.mark.xfail(strict=True, reason=GAPS[line])) if line in GAPS else line


@pytest.mark.parametrize("line", map(_case, LINES))
def test_a_call_is_one_opaque_node(calls: dict[str, list[Call]], line: str) -> None:
    tried = replay_of(calls[line])
    assert tried.calls, "SciPy refuses it for every dtype"
    assert "NST402" in tried.codes
    for _, _, traced in tried.samples:
        told = [finding for finding in traced.findings if finding.code == "NST402"]
        assert {finding.severity.value for finding in told} == {"information"}
        name = line.split("(")[0].rsplit(".", 1)[1]
        assert sum(getattr(node.function, "__name__", "") == name for node in traced.graph.nodes) == 1
