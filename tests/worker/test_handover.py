"""A run that is stopped has its say: what it had found before, and the graph up to there."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from tests.worker.marked import QUICK, trace
from tracer import load_module
from tracer.tracing import trace_call
from tracer.worker import handover, supervise
from tracer.worker.frames import Emit, Ending, Kind
from tracer.worker.supervise import Limits
from tracer.worker.wire import ExampleReport, Status

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
HEAD = """
import ctypes, os, signal, sys, threading, time
import numpy as np

gain = 2.0

# nst: example(np.ones(3))
def f(x):
    y = x * gain
    print("so far")
"""


async def stopped(pool: WorkerPool, folder: Path, body: str) -> ExampleReport:
    path = folder / "main.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()) + "    return y\n")
    traced = await trace(pool, path, options=replace(QUICK, timeout=1.0))
    return traced.reports["f"]


def check(report: ExampleReport, why: str) -> None:
    assert [finding.code for finding in report.findings] == ["NST205", "NST301", "NST504"]
    last = report.findings[-1]
    assert (last.place.span.line, why in last.message) == (11, True), last
    assert report.status is Status.PARTIAL
    assert report.graph is not None
    assert "x * 2.0" in report.graph.code
    assert report.output.startswith("so far\n")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("while True: y = y + sum(range(100_000))", "still running after 1 s"),
        ("time.sleep(3600)", "still running after 1 s"),
        ("threading.Event().wait()", "still running after 1 s"),
        ("os._exit(3)", "exited with status 3"),
        ("sys.exit('enough')", "SystemExit: enough"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "SIGKILL"),
    ],
)
async def test_what_the_interpreter_can_end(pool: WorkerPool, way: str, tmp_path: Path, body: str, why: str) -> None:
    check(await stopped(pool, tmp_path, body), why)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sum(iter(int, 1))", "still running after 1 s"),
        ("ctypes.string_at(0)", "SIGSEGV"),
        ("os.abort()", "SIGABRT"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
async def test_what_it_cannot_is_traced_again_up_to_there(
    pool: WorkerPool, tmp_path: Path, body: str, why: str
) -> None:
    check(await stopped(pool, tmp_path, body), why)


async def test_one_that_does_not_let_itself_be_ended(pool: WorkerPool, tmp_path: Path) -> None:
    body = "while True:\n    try:\n        time.sleep(3600)\n    except BaseException:\n        pass"
    report = await stopped(pool, tmp_path, body)
    assert [finding.code for finding in report.findings] == ["NST504"]
    assert report.findings[0].place.span.line in range(11, 17)


def test_a_trace_that_grows_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handover, "MOST_NODES", 100)
    (tmp_path / "grows.py").write_text("def f(x):\n    while True:\n        x = x + 1\n")
    told: list[str] = []

    def body(emit: Emit) -> None:
        import numpy as np

        function = load_module(tmp_path / "grows.py").f
        handover.listen()
        handover.arm(emit, 3600.0)
        found = trace_call(function, (np.ones(2),), {}, "symbolic")
        emit(Kind.REPORT, f"{found.findings[-1].place.span.line} {found.findings[-1].message}".encode())

    limits = Limits(3600.0, hands_over=True)
    outcome = supervise.run(body, limits, lambda _, data: told.append(data.decode()))
    assert outcome.ending is Ending.FINISHED
    assert told == ["3 the run was stopped here: more than 100 operations were recorded"]
