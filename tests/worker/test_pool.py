"""The asyncio end of a worker: starting, cancelling, dying, starting again, and closing without a trace."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerError, WorkerPool
from tests.worker.marked import HOSTILE, QUICK, trace
from tests.worker.processes import DEADLINE, children, descendants_by_mark, wait_until
from tracer.worker.wire import CompareCall, ExampleDone, ExampleStarted, FileDone, Options, Status, TraceFile

PATIENT = Options(timeout=3600.0, verify=False, allow=("write",))
ENDLESS = """
import os, time, numpy as np
open("child.pid", "w").write(str(os.getpid()))

# nst: example(np.ones(3))
def f(x):
    open("example.pid", "w").write(str(os.getpid()))
    while True:
        time.sleep(1)
"""


@pytest.fixture
def endless(tmp_path: Path) -> TraceFile:
    """A file whose example runs until it is killed."""
    path = tmp_path / "endless.py"
    path.write_text(ENDLESS)
    return TraceFile(7, str(path), root=str(tmp_path), options=PATIENT)


async def until_started(pool: WorkerPool, request: TraceFile, folder: Path) -> asyncio.Task[list[FileDone]]:
    """A task that follows a request, once the example's own process runs."""

    async def follow() -> list[FileDone]:
        return [message async for message in pool.trace(request) if isinstance(message, FileDone)]

    task = asyncio.create_task(follow())
    await asyncio.to_thread(wait_until, lambda: (folder / "example.pid").is_file())
    return task


async def test_hello_names_the_interpreter_and_numpy(pool: WorkerPool) -> None:
    hello = await pool.start()
    assert hello.executable == sys.executable
    assert hello.python == sys.version.split()[0]
    assert hello.numpy is not None
    assert (await pool.start()).pid == hello.pid


async def test_messages_come_in_order_and_carry_the_callers_number(pool: WorkerPool, way: str) -> None:
    request = TraceFile(42, str(HOSTILE / "well_behaved.py"), root=str(HOSTILE), options=QUICK)
    messages = [message async for message in pool.trace(request)]
    assert [type(message).__name__ for message in messages] == [
        "ModuleLoaded",
        "ExampleStarted",
        "ExampleDone",
        "ExampleSettled",
        "FileDone",
    ]
    assert {message.id for message in messages} == {42}


async def test_closing_the_stream_kills_the_run(pool: WorkerPool, way: str, endless: TraceFile, mark: str) -> None:
    await pool.start()
    async with aclosing(pool.trace(endless)) as messages:
        async for message in messages:
            if isinstance(message, ExampleStarted):
                break
    idle = 2 if way == "spawn" else 1  # the parent, and its spare
    await asyncio.to_thread(wait_until, lambda: len(descendants_by_mark(mark)) == idle)
    assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None


async def test_cancelling_the_task_kills_the_run(
    pool: WorkerPool, way: str, endless: TraceFile, tmp_path: Path, mark: str
) -> None:
    task = await until_started(pool, endless, tmp_path)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    idle = 2 if way == "spawn" else 1
    await asyncio.to_thread(wait_until, lambda: len(descendants_by_mark(mark)) == idle)
    assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None


async def test_a_worker_that_is_killed_takes_its_children_along_and_is_started_anew(
    pool: WorkerPool, way: str, endless: TraceFile, tmp_path: Path, mark: str
) -> None:
    first = await pool.start()
    task = await until_started(pool, endless, tmp_path)
    os.kill(first.pid, signal.SIGKILL)
    (done,) = await asyncio.wait_for(task, DEADLINE)
    assert done.id == 7
    assert done.error is not None
    assert "SIGKILL" in done.error
    await asyncio.to_thread(wait_until, lambda: not descendants_by_mark(mark))
    assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None
    assert (await pool.start()).pid != first.pid


async def test_a_worker_that_does_not_answer_is_ended_and_started_anew(
    no_orphans: None, way: str, tmp_path: Path
) -> None:
    told: list[str] = []
    seconds = 0.5
    pool = WorkerPool(sys.executable, str(tmp_path), died=told.append, patience=lambda request: seconds)
    first = await pool.start()
    os.kill(first.pid, signal.SIGSTOP)
    async with asyncio.timeout(DEADLINE):
        while not told:  # a save cancels the run of the one before: that is no sign of life
            run = asyncio.create_task(trace(pool, HOSTILE / "well_behaved.py"))
            await asyncio.sleep(0.2)
            run.cancel()
    second = await pool.start()
    os.kill(second.pid, signal.SIGSTOP)
    error = (await trace(pool, HOSTILE / "well_behaved.py")).error
    assert error is not None
    assert error.startswith("the worker said nothing for 0.5 s and was ended")
    assert told == [error, error]
    seconds = DEADLINE
    assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None
    await pool.close()


async def test_close_ends_everything_at_once(
    pool: WorkerPool, way: str, endless: TraceFile, tmp_path: Path, mark: str
) -> None:
    task = await until_started(pool, endless, tmp_path)
    await pool.close()
    (done,) = await asyncio.wait_for(task, DEADLINE)
    assert done.error is not None
    await asyncio.to_thread(wait_until, lambda: not descendants_by_mark(mark))
    with pytest.raises(WorkerError, match="closed"):
        await pool.start()


async def test_a_server_that_is_killed_leaves_no_worker(way: str, tmp_path: Path, mark: str, no_orphans: None) -> None:
    (tmp_path / "endless.py").write_text(ENDLESS)
    program = f"""
import asyncio
from nst_lsp.pool import WorkerPool
from tracer.worker.wire import Options, TraceFile
async def main():
    pool = WorkerPool({sys.executable!r}, {str(tmp_path)!r})
    request = TraceFile(1, {str(tmp_path / "endless.py")!r}, options=Options(timeout=3600.0, allow=("write",)))
    async for message in pool.trace(request):
        pass
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program]) as server:
        wait_until(lambda: (tmp_path / "example.pid").is_file())
        server.kill()
    wait_until(lambda: not descendants_by_mark(mark))


async def test_a_child_that_is_killed_from_outside_ends_its_request_only(
    pool: WorkerPool, endless: TraceFile, tmp_path: Path
) -> None:
    hello = await pool.start()
    task = await until_started(pool, endless, tmp_path)
    os.kill(int((tmp_path / "child.pid").read_text()), signal.SIGKILL)
    (done,) = await asyncio.wait_for(task, DEADLINE)
    assert done.error is not None
    assert "SIGKILL" in done.error
    assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None
    assert (await pool.start()).pid == hello.pid


async def test_requests_run_side_by_side(no_orphans: None, way: str, endless: TraceFile, tmp_path: Path) -> None:
    pool = WorkerPool(sys.executable, str(tmp_path), jobs=2)
    try:
        task = await until_started(pool, endless, tmp_path)
        assert (await trace(pool, HOSTILE / "well_behaved.py")).error is None
        assert not task.done()
        task.cancel()
    finally:
        await pool.close()


async def test_compare(pool: WorkerPool, way: str) -> None:
    call = CompareCall(5, str(HOSTILE / "well_behaved.py"), "fine", "np.zeros(3)", options=QUICK)
    compared = await pool.compare(call)
    assert (compared.id, compared.error, compared.equal) == (5, None, True)


async def test_compare_of_a_function_that_does_not_end(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    path = tmp_path / "waits.py"
    path.write_text(
        "import numpy as np\n# nst: example(np.ones(2), False)\ndef f(x, wait):\n    while wait: pass\n    return x\n"
    )
    compared = await pool.compare(CompareCall(5, str(path), "f", "np.ones(2), True", options=QUICK))
    assert not compared.equal
    assert compared.error is not None
    assert "still running after 2 s" in compared.error
    assert f"{path}:4" in compared.error


async def test_all_text_of_the_request_counts_not_the_disk(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    path.write_text("import os\nos._exit(1)\n")
    text = "import numpy as np\n# nst: example(np.ones(2))\ndef g(x):\n    return x + 1\n"
    traced = await trace(pool, path, text)
    assert [(name, report.status) for name, report in traced.reports.items()] == [("g", Status.TRACED)]


# ---- interpreters that will not do -----------------------------------------------------------------


async def refusal(python: str, root: Path, log: list[str] | None = None) -> str:
    pool = WorkerPool(python, str(root), log=(log if log is not None else []).append)
    with pytest.raises(WorkerError) as caught:
        await pool.start()
    stream = [message async for message in pool.trace(TraceFile(3, "x.py"))]
    assert [type(message) for message in stream] == [FileDone]
    await pool.close()
    return str(caught.value)


async def test_an_interpreter_that_does_not_exist(tmp_path: Path) -> None:
    missing = str(tmp_path / "python")
    assert await refusal(missing, tmp_path) == f"the Python interpreter {missing} does not exist"


async def test_an_interpreter_that_is_not_executable(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("")
    assert "is not executable" in await refusal(str(tmp_path / "python"), tmp_path)


async def test_an_interpreter_that_is_none(tmp_path: Path) -> None:
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\necho 'no Python here' >&2\necho 'hello there'\nexit 4\n")
    script.chmod(0o755)
    log: list[str] = []
    text = await refusal(str(script), tmp_path, log)
    assert "did not start the tracer" in text
    assert "no Python here" in text
    assert "no Python here" in log


async def test_a_root_that_does_not_exist(tmp_path: Path) -> None:
    assert str(tmp_path / "gone") in await refusal(sys.executable, tmp_path / "gone")


async def test_an_interpreter_without_numpy(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    text = await refusal(str(tmp_path / "bare" / "bin" / "python"), tmp_path)
    assert text.startswith("NumPy is not installed for ")


async def test_a_numpy_that_cannot_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("raise OSError('libopenblas is missing')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    text = await refusal(sys.executable, tmp_path)
    assert "did not start the tracer" in text
    assert "libopenblas is missing" in text


async def test_results_of_a_cancelled_run_do_not_reach_the_next(pool: WorkerPool, endless: TraceFile) -> None:
    async with aclosing(pool.trace(endless)) as messages:
        await anext(messages)
    request = TraceFile(endless.id, str(HOSTILE / "well_behaved.py"), root=str(HOSTILE), options=QUICK)
    names = [message.function async for message in pool.trace(request) if isinstance(message, ExampleDone)]
    assert names == ["fine"]


async def test_a_worker_does_not_grow(pool: WorkerPool, way: str) -> None:
    """Neither descriptors nor processes are left by requests, finished or given up."""
    hello = await pool.start()
    request = TraceFile(1, str(HOSTILE / "well_behaved.py"), root=str(HOSTILE), options=QUICK)

    def held() -> tuple[int, int]:
        return len(os.listdir(f"/proc/{hello.pid}/fd")), len(children(hello.pid))

    async def settled() -> tuple[int, int]:
        await trace(pool, HOSTILE / "leaves.py")
        return held()

    before = await settled()
    for _ in range(3):
        await settled()
        async with aclosing(pool.trace(request)) as messages:
            await anext(messages)
    await trace(pool, HOSTILE / "well_behaved.py")
    await asyncio.to_thread(wait_until, lambda: all(now <= then for now, then in zip(held(), before, strict=True)))
