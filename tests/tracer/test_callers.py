"""The calls that led to a finding, as they are told."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tracer import load_module, trace

WINDOWS = """\
import numpy as np

def windows(x):
    for i in range(len(x) - 2):
        yield x[i : i + 2]

def f(x):
    return np.array([w.sum() for w in windows(x)])
"""


def test_a_call_in_a_comprehension_is_told_once(tmp_path: Path):
    """Before Python 3.12, the comprehension is a function of its own, called at the same place."""
    path = tmp_path / "callers_once.py"
    path.write_text(WINDOWS, encoding="utf-8")
    [finding] = [one for one in trace(load_module(path).f, np.ones(6)).findings if one.code == "NST106"]
    assert len(finding.related) == len(set(finding.related)) >= 1
