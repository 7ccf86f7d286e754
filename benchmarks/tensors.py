"""What a person with PyTorch waits for: a save of a function of a hundred operations, beside a fresh script.

The server and its worker are warm, as they are from the second save on: the worker has imported PyTorch ahead.  The
script does what one would do without them: it imports PyTorch and calls the function on its example, no more.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.latency import opened
from benchmarks.table import Section, factor

SAVES = 20
SCRIPTS = 5
_FIRST = 3
"""Saves until all is warm."""
GOAL = 300
FUNCTION = '''"""One function of 101 operations, five of them of a layer's own."""

import torch

offset = 0.{edit}


# nst: example(torch.linspace(0.0, 1.0, 32).reshape(4, 8), torch.linspace(-1.0, 1.0, 64).reshape(8, 8))
def mixed(x, weights):
    for _ in range(10):
        y = x @ weights
        y = y - y.mean(dim=1, keepdim=True)
        y = y / torch.sqrt(y.square().mean(dim=1, keepdim=True) + 1e-5)
        x = x + torch.tanh(y)
    return x.sum(dim=0) + offset
'''
CALL = "mixed(torch.linspace(0.0, 1.0, 32).reshape(4, 8), torch.linspace(-1.0, 1.0, 64).reshape(8, 8))\n"


def section(saves: int = SAVES, scripts: int = SCRIPTS) -> Section:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.py")
        path.write_text(FUNCTION.format(edit=1), encoding="utf-8")
        script = Path(folder, "script.py")
        script.write_text(FUNCTION.format(edit=1) + CALL, encoding="utf-8")
        fresh = [_milliseconds(script) for _ in range(scripts)]
        with opened(path, path.read_text(encoding="utf-8")) as editor:
            taken = [editor.save(FUNCTION.format(edit=2 + edit)) for edit in range(_FIRST + saves)][_FIRST:]
    first, witnessed, _ = zip(*taken, strict=True)
    rows = (
        ("a fresh script that calls the function", fresh, ""),
        ("save → first diagnostics", first, f"≤ {GOAL}"),
        ("save → all witnesses", witnessed, ""),
    )
    alone = statistics.median(fresh)
    return Section(
        "PyTorch",
        "Wall clock in ms, with a real client process; a function of a hundred operations, edited and saved.",
        ("what", "measured", "median", "p95", "goal", "median to the script's"),
        tuple((name, *_figures(times), goal, factor(statistics.median(times) / alone)) for name, times, goal in rows),
    )


def _figures(times: Sequence[float]) -> tuple[str, str, str]:
    """How many there are, their middle and their 95th percentile."""
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    return str(len(times)), f"{statistics.median(times):.0f}", f"{p95:.0f}"


def _milliseconds(script: Path) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, script], check=True, capture_output=True)
    return 1000 * (time.perf_counter() - begin)
