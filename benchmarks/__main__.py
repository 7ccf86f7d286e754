"""`python -m benchmarks`: measure, print the tables, and write benchmarks/results.md.

With `--only` some parts are measured and printed.  results.md is then left alone, since all of it comes from one run;
with `--renew`, too, these parts are written there and say that they come from a run of their own.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import numpy as np
from rich.console import Console

from benchmarks import check, fake, growth, latency, memory, printing, replay, tensors, tracing, verification
from benchmarks.peers import measure, missing
from benchmarks.table import Section, markdown, renewed, show

RESULTS = Path(__file__).parent / "results.md"
PARTS: dict[str, Callable[[], Section | list[Section]]] = {
    "tracing": tracing.section,
    "peers": measure.section,
    "growth": growth.section,
    "memory": memory.section,
    "replay": replay.section,
    "fake": fake.section,
    "printing": printing.section,
    "verification": verification.section,
    "latency": latency.section,
    **({} if "torch" in missing() else {"torch": tensors.section}),
    "check": check.section,
}
"""In the order of the report."""
_TURNS = {"verification": -1, "peers": 1}
"""What is measured first, since it forks and the process should be small; and last, since it starts threads."""
_WIDE = 160
"""Columns where the output is no terminal."""
_HOW = (
    "CPU time (but for the server and the tree), the least of several rounds, the sides of a comparison in turn in one "
    "process; Python's garbage collector is on (ours lets it rest while it traces, as it does in use), and has been "
    "run before each clock starts."
)


@click.command()
@click.option(
    "--only", "parts", type=click.Choice(list(PARTS)), multiple=True, help="Measure this part; may be given again."
)
@click.option("--renew", is_flag=True, help="With --only: write these parts into results.md.")
def main(parts: Sequence[str], renew: bool) -> None:
    """Measure tracing beside NumPy, JAX and PyTorch, print the tables, and write benchmarks/results.md."""
    console, progress = Console(width=None if sys.stdout.isatty() else _WIDE), Console(stderr=True)
    if missing() and (not parts or "peers" in parts):
        progress.print(f"Not installed here: {' and '.join(missing())}. `make bench` installs what is compared with.")
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    measured: dict[str, list[Section]] = {}
    for name in sorted(parts or PARTS, key=lambda part: _TURNS.get(part, 0)):
        began = time.monotonic()
        with progress.status(f"measuring: {name} …"):
            made = PARTS[name]()
        progress.print(f"{name}: measured in {time.monotonic() - began:.0f} s")
        measured[name] = made if isinstance(made, list) else [made]
    sections = [section for name in PARTS for section in measured.get(name, ())]
    for section in sections:
        show(section, console)
    if parts and renew:
        when = f"*A run of its own, at a load of {load:.1f}.*"
        RESULTS.write_text(renewed(RESULTS.read_text(encoding="utf-8"), sections, when), encoding="utf-8")
    elif not parts:
        RESULTS.write_text(markdown(sections, _head(load)), encoding="utf-8")
    if renew or not parts:
        progress.print(f"written: {RESULTS.parent.name}/{RESULTS.name}")


def _head(load: float) -> list[str]:
    """What was measured where; `load` is how many programs wanted a core when it began."""
    where = f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.system()}, {os.cpu_count()} cores"
    once = "All in one run: figures of another run or machine differ, their ratios less so."
    return ["# Results of the last `make bench`", "", f"{where}, load {load:.1f} at the start. {once}", "", _HOW]


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
