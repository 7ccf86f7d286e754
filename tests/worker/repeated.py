"""Reports of one text by two workers, one after the other, to be compared."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from nst_lsp.pool import WorkerPool
from tests.worker.marked import trace
from tracer.worker.wire import ExampleReport, Options


async def reports_of_two_workers(path: Path, text: str) -> list[dict[str, ExampleReport]]:
    """What each found, by function, without the time that it took."""
    found = []
    for _ in range(2):
        pool = WorkerPool(sys.executable, str(path.parent))
        try:
            traced = await trace(pool, path, text, Options(timeout=60.0))
        finally:
            await pool.close()
        assert traced.error is None
        found.append({name: replace(report, milliseconds=0.0) for name, report in traced.reports.items()})
    return found
