"""What code may do to the outside while it is traced: nothing, unless the setting `allow` says so."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from nst_lsp.settings import read
from tests.worker.marked import QUICK, Traced, trace
from tracer.worker import confine, landlock, supervise
from tracer.worker.frames import Emit, Kind, Outcome
from tracer.worker.permits import read as permits
from tracer.worker.scratch import PREFIX, Scratch, sweep
from tracer.worker.supervise import Limits
from tracer.worker.wire import Finding, Options, Status

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
HEAD = "import os, socket, subprocess, sys\nimport numpy as np\n\n# nst: example(np.ones(3))\ndef f(x):\n"


async def run(pool: WorkerPool, folder: Path, body: str, *allow: str) -> Traced:
    """Trace a function with this body, where some effects are allowed."""
    path = folder / "main.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    return await trace(pool, path, options=replace(QUICK, timeout=20.0, allow=allow))


def only(traced: Traced) -> Finding:
    (finding,) = traced.findings
    return finding


# ---- what is allowed -------------------------------------------------------------------------------


@pytest.mark.parametrize("allowed", ["write", "write:out", "write:out/*.txt"])
async def test_a_file_that_may_be_written_is(pool: WorkerPool, way: str, tmp_path: Path, allowed: str) -> None:
    (tmp_path / "out").mkdir()
    traced = await run(pool, tmp_path, "open('out/a.txt', 'w').close()\nreturn x", allowed)
    assert (tmp_path / "out" / "a.txt").exists()
    assert only(traced).code == "NST301"
    assert "permitted" in only(traced).message


async def test_one_folder_is_not_the_other(pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    body = "open('out/a.txt', 'w').close()\nopen('other.txt', 'w').close()\nreturn x"
    traced = await run(pool, tmp_path, body, "write:out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["main.py", "out"]
    assert ["permitted" in finding.message for finding in traced.findings] == [True, False]
    assert "`write:other.txt`" in traced.findings[1].message


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this machine where somebody listens and sends a byte."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                while True:
                    with server.accept()[0] as connection:
                        connection.sendall(b"a")
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("allowed", ["network", "network:127.0.0.1", "network:127.0.0.1:{port}", "network:localhost"])
async def test_a_host_that_may_be_reached_is(pool: WorkerPool, tmp_path: Path, port: int, allowed: str) -> None:
    host = "localhost" if "localhost" in allowed else "127.0.0.1"
    body = f"with socket.create_connection(({host!r}, {port})) as c:\n    return x + len(c.recv(1))"
    traced = await run(pool, tmp_path, body, allowed.format(port=port))
    assert traced.reports["f"].status is Status.TRACED
    assert "permitted" in traced.findings[0].message


async def test_another_host_is_not(pool: WorkerPool, tmp_path: Path, port: int) -> None:
    body = f"socket.create_connection(('127.0.0.1', {port}))\nreturn x"
    found = only(await run(pool, tmp_path, body, "network:example.com"))
    assert (found.code, found.severity.value) == ("NST207", "error")
    assert f"`network:127.0.0.1:{port}`" in found.message


async def test_a_program_that_may_be_started_is(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    name = os.path.basename(sys.executable)
    body = "subprocess.run([sys.executable, '-c', 'print(42)'], check=True)\nreturn x"
    assert (await run(pool, tmp_path, body, f"subprocess:{name}")).reports["f"].output == "42\n"
    assert "was stopped" in only(await run(pool, tmp_path, body, "subprocess:git")).message


async def test_signals_may_be_allowed(pool: WorkerPool, tmp_path: Path) -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: seen.append(number))
    try:
        body = f"os.kill({os.getpid()}, {int(signal.SIGUSR1)})\nreturn x"
        assert "was stopped" in only(await run(pool, tmp_path, body)).message
        assert seen == []
        assert "permitted" in only(await run(pool, tmp_path, body, "signal")).message
        assert seen == [signal.SIGUSR1]
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_path_allows_itself_and_what_is_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    allowed = permits(["write:out", "write:logs/*.txt", "network:*.example.com", "subprocess:git"])
    assert allowed.allow("write", str(tmp_path / "out" / "deep" / "a.npy"))
    assert allowed.allow("write", str(tmp_path / "logs" / "a.txt"))
    assert not allowed.allow("write", str(tmp_path / "outside"))
    assert not allowed.allow("write", str(tmp_path / "logs" / "a.npy"))
    assert allowed.allow("network", "www.example.com:443")
    assert not allowed.allow("network", "example.org:443")
    assert allowed.allow("subprocess", "git")
    assert not allowed.allow("signal", "1")
    assert allowed.roots() == [str(tmp_path), str(tmp_path)]  # the kernel knows no patterns, and no folder to come


@pytest.mark.parametrize("wrong", [["wirte"], ["write:"], ["signal:9"], [1], "everything"])
def test_an_effect_that_does_not_exist_is_reported(wrong: object) -> None:
    settings, problems = read({"allow": wrong, "timeout": 5}, {})
    assert settings.allow == ()
    assert settings.timeout == 5.0
    (problem,) = problems
    assert "`allow` must be a list of" in problem


def test_effects_are_read() -> None:
    settings, problems = read({"allow": ["write:out", "network"], "process-limit": 8}, {})
    assert (settings.allow, settings.process_limit, problems) == (("write:out", "network"), 8, [])


# ---- where it is told ------------------------------------------------------------------------------


async def test_a_helper_of_the_workspace_is_told_in_the_helper(pool: WorkerPool, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def save(x):\n    open('a', 'w').close()\n    return x\n")
    found = only(await run(pool, tmp_path, "from helper import save\nreturn save(x)"))
    assert (Path(found.place.path).name, found.text) == ("helper.py", "open('a', 'w')")
    assert [related.place.span.line for related in found.related] == [7]


async def test_a_thread_is_told_where_it_is(pool: WorkerPool, tmp_path: Path) -> None:
    made = "t = threading.Thread(target=np.save, args=('a.npy', np.ones(2)))"
    body = f"import threading\n{made}\nt.start()\nt.join()\nreturn x"
    traced = await run(pool, tmp_path, body)
    assert [finding.code for finding in traced.findings] == ["NST301"]
    assert not (tmp_path / "a.npy").exists()


async def test_what_a_library_writes_as_it_is_imported_is_not_told(pool: WorkerPool, tmp_path: Path) -> None:
    package = tmp_path / "site-packages"
    package.mkdir()
    (package / "caching.py").write_text("open('cache.txt', 'w').close()\ntext = open('cache.txt').read()\n")
    path = tmp_path / "main.py"
    path.write_text("import caching\nimport numpy as np\n# nst: example(np.ones(2))\ndef f(x):\n    return x\n")
    traced = await trace(pool, path, options=replace(QUICK, extra_paths=(str(package),)))
    assert traced.reports["f"].status is Status.TRACED
    assert traced.findings == []
    assert not (tmp_path / "cache.txt").exists()


async def test_witnesses_are_looked_for_without_effects(pool: WorkerPool, way: str, tmp_path: Path) -> None:
    """Each run of the function finds the files as they were before the first."""
    (tmp_path / "count.txt").write_text("1")
    body = "n = len(open('count.txt').read())\nopen('count.txt', 'a').write('1')\nreturn x + n if x[0] > 0 else x"
    path = tmp_path / "main.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()))
    traced = await trace(pool, path, options=Options(timeout=20.0))
    assert (tmp_path / "count.txt").read_text() == "1"
    witness = next(finding.witness for finding in traced.findings if finding.code == "NST101")
    assert witness is not None
    if way == "fork":
        assert "NST505" not in {finding.code for finding in traced.findings}


# ---- the kernel ------------------------------------------------------------------------------------


def in_child(scratch: Path, body: Callable[[], object], *allow: str) -> str:
    """What `body` gives in a confined child, as text."""
    told: list[bytes] = []

    def confined(emit: Emit) -> None:
        confine.enter(Options(allow=allow), str(scratch))
        emit(Kind.REPORT, repr(body()).encode())

    outcome: Outcome = supervise.run(confined, Limits(30.0), lambda _, data: told.append(data))
    assert outcome.stack == ""
    return told[0].decode()


NATIVE = pytest.mark.skipif(landlock.version() == 0, reason="this kernel has no Landlock")


@NATIVE
def test_native_code_cannot_write_either(tmp_path: Path) -> None:
    scratch, outside = tmp_path / "scratch", tmp_path / "outside"
    scratch.mkdir()
    outside.mkdir()

    def makes(folder: Path) -> int:
        return int(ctypes.CDLL(None).mkdir(os.fsencode(folder / "made"), 0o700))

    assert in_child(scratch, lambda: makes(outside)) == "-1"
    assert list(outside.iterdir()) == []
    second = tmp_path / "second"
    second.mkdir()
    assert in_child(second, lambda: makes(second)) == "0"
    third = tmp_path / "third"
    third.mkdir()
    assert in_child(third, lambda: makes(outside), f"write:{outside}") == "0"


@NATIVE
@pytest.mark.skipif(landlock.version() < 6, reason="this kernel's Landlock does not know signals")
def test_native_code_cannot_signal_others(tmp_path: Path) -> None:
    tmp_path.joinpath("one").mkdir()
    tmp_path.joinpath("two").mkdir()

    def signals() -> int:
        return int(ctypes.CDLL(None).syscall(_KILL, os.getppid(), 0))

    assert in_child(tmp_path / "one", signals) == "-1"
    assert in_child(tmp_path / "two", signals, "signal") == "0"


_KILL = 62 if os.uname().machine == "x86_64" else 129


# ---- scratch folders -------------------------------------------------------------------------------


def test_scratch_folders_of_the_dead_are_removed_and_no_others(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    living = Scratch()
    run_of_it = Path(living.new())
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        dead = Path(Scratch().new())
        (dead / "closed").mkdir()
        (dead / "closed" / "file").write_text("x")
        (dead / "closed").chmod(0)
        os.write(writing, b"!")
        os.kill(os.getpid(), signal.SIGKILL)
    os.read(reading, 1)
    os.waitpid(child, 0)
    assert len(list(temporary.glob(PREFIX + "*"))) == 2
    sweep()
    assert list(temporary.iterdir()) == [run_of_it.parent]
    living.close()
    assert list(temporary.iterdir()) == []
    os.close(reading)
    os.close(writing)


async def test_a_worker_that_is_killed_leaves_what_the_next_one_removes(
    pool: WorkerPool, way: str, temporary: Path, tmp_path: Path
) -> None:
    first = await pool.start()
    await run(pool, tmp_path, "return x")
    (before,) = temporary.iterdir()
    os.kill(first.pid, signal.SIGKILL)
    while (await pool.start()).pid == first.pid:
        await run(pool, tmp_path, "return x")
    await run(pool, tmp_path, "return x")
    assert len(list(temporary.iterdir())) == 1
    assert not before.exists()
