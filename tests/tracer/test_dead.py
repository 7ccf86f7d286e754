"""What a decided condition leaves out of the graph, which editors show faded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.tracer.versions import EXACT, NO_COLUMNS
from tracer import load_module, trace

pytestmark = pytest.mark.skipif(not EXACT, reason=NO_COLUMNS)

X = np.ones((3, 4))

CASES = {
    "if": ("if x.shape[0] > 2:\n    y = x\nelse:\n    y = x + 1\n    y = y * 2", ["y = x + 1\n    y = y * 2"]),
    "if not taken": ("y = x\nif x.shape[0] > 9:\n    y = x + 1", ["y = x + 1"]),
    "not": ("if not x.shape[0] > 2:\n    y = x\nelse:\n    y = x + 1", ["y = x"]),
    "elif": (
        "if x.shape[0] < 2:\n    y = x\nelif x.shape[0] < 3:\n    y = -x\nelse:\n    y = x + 1",
        ["y = x", "y = -x"],
    ),
    "ternary": ("y = x if x.shape[0] > 2 else x + 1", ["x + 1"]),
    "while": ("y = x\nwhile y.shape[0] < 2:\n    y = y + 1", ["y = y + 1"]),
    "while, entered": ("y, k = x, 0\nwhile k < x.shape[0]:\n    k += 1", []),
    "or": ("y = x if x.shape[0] > 2 or x.sum() > 3 else -x", ["x.sum() > 3", "-x"]),
    "and": ("y = x if x.shape[0] > 9 and x.sum() > 3 else -x", ["x.sum() > 3", "x"]),
    "and, to its end": ("y = x if x.shape[0] > 2 and x.shape[1] > 2 else -x", ["-x"]),
    "match": (
        "match x.shape[0]:\n    case 2:\n        y = -x\n    case 3:\n        y = x\n    case _:\n        y = x + 1",
        ["y = -x", "y = x + 1"],
    ),
    "match with a guard": (
        "match x:\n    case _ if x.shape[0] > 2:\n        y = x\n    case _:\n        y = x + 1",
        ["y = x + 1"],
    ),
    "early return": ("if x.shape[0] > 2:\n    return x\ny = x + 1\ny = y + 1", ["y = x + 1\ny = y + 1\nreturn y"]),
    "continue": ("y = x\nfor i in (0, 1):\n    if x.shape[0] > 2:\n        continue\n    y = y + 1", ["y = y + 1"]),
    "both ways": (
        "y = 0\nfor i in (0, 1):\n    if x.sum() > i * 100:\n        y = y + 1\n    else:\n        y = 0",
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_was_not_taken_is_dead(name: str, tmp_path: Path) -> None:
    body, expected = CASES[name]
    lines = [*body.split("\n"), "return y"]
    source = "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
    path = tmp_path / "dead.py"
    path.write_text(source)
    traced = trace(load_module(path).f, X)
    dead = [span for finding in traced.findings for span in finding.dead]
    rows = source.split("\n")
    found = []
    for span in dead:
        text = "\n".join(rows[span.line - 1 : span.end_line])
        last = len(rows[span.end_line - 1]) - span.end_column + 1
        found.append(text[span.column - 1 : len(text) - last].replace("\n    ", "\n"))
    assert found == expected
