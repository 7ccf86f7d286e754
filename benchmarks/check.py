"""`nst check` of a tree of 2,000 functions: one job, two, again with what was kept, and over two workers of Dask's.

Wall clock of the whole command, its start and its report included, each in a process of its own.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import tree
from benchmarks.table import Section

WORKERS = 2


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    seconds: float
    findings: int


def section(functions: int = tree.FUNCTIONS) -> Section:
    with tempfile.TemporaryDirectory() as folder:
        root, kept = Path(folder, "tree"), Path(folder, "kept")
        files = tree.write(root, functions)
        rows = list(_rows(root, kept))
    assert len({row.findings for row in rows}) == 1, "each must find the same"
    first = rows[0].seconds
    told = (
        f"Seconds of wall clock for `nst check` of {functions:,} functions in {files} generated files (ten of fourteen "
        f"functions pure), with all witnesses and fixes; each run finds the same {rows[0].findings} findings."
    )
    return Section(
        "Checking a tree",
        told,
        ("run", "seconds", "functions a second", "times faster than one job"),
        tuple(
            (row.name, f"{row.seconds:.1f}", f"{functions / row.seconds:,.0f}", f"{first / row.seconds:.1f}×")
            for row in rows
        ),
    )


def _rows(root: Path, kept: Path) -> Iterator[Row]:
    yield _timed("`--jobs 1`", root, "--jobs", "1", "--no-cache")
    yield _timed("`--jobs 2`", root, "--jobs", "2", "--cache-dir", str(kept))
    yield _timed("again, nothing changed", root, "--jobs", "2", "--cache-dir", str(kept))
    changed = root / "package_0" / "module_0.py"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    yield _timed("again, one file edited", root, "--jobs", "2", "--cache-dir", str(kept))
    with _cluster() as address:
        yield _timed(f"Dask, {WORKERS} workers on this machine", root, "--scheduler", address, "--no-cache")


def _timed(name: str, root: Path, *options: str) -> Row:
    command = [str(Path(sys.executable).with_name("nst")), "check", "--fail-on", "never", "--python", sys.executable]
    began = time.monotonic()
    done = subprocess.run([*command, *options], cwd=root, capture_output=True, text=True, check=True)
    seconds = time.monotonic() - began
    found = re.search(r"^(\d+) findings", done.stdout, re.MULTILINE)
    assert found, done.stdout[-500:] + done.stderr
    return Row(name, seconds, int(found[1]))


@contextmanager
def _cluster() -> Iterator[str]:
    """A scheduler with workers that are processes, as Dask itself starts them."""
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=WORKERS,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        env={"DASK_LOGGING__DISTRIBUTED": "error"},
    ) as cluster:
        yield cluster.scheduler_address
