"""A check over executors: threads, processes, and the processes of a Dask cluster, killed or not, find the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import IO

import pytest
from distributed import Client

from nst_lsp.checking import distributed, own
from nst_lsp.checking.cache import open_cache
from nst_lsp.checking.distributed import executor_of
from nst_lsp.checking.remote import HostError, do
from nst_lsp.checking.shares import share_json, share_of
from nst_lsp.pool import WorkerError
from tests.cli.checking import Heard, Project, settle, statements
from tests.cli.command import NST

FUNCTION = """\
import numpy as np

from helper import scaled


# nst: example(np.arange(3.0))
def f{number}(x):
    if x.sum() > {number}:
        return scaled(x)
    return x
"""
FILES = 8


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("spread")
    made = Project(folder / "project", folder / "cache")
    made.write("pyproject.toml", "[tool.nst]\n")
    made.write("helper.py", "def scaled(x):\n    print(x)\n    return x * float(x.max())\n")
    for number in range(FILES):
        made.write(f"module_{number}.py", FUNCTION.format(number=number))
    return made


@pytest.fixture(scope="module")
def expected(project: Project) -> list[str]:
    return statements(project.check())


@pytest.mark.parametrize(
    "executor", [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2, get_context("spawn"))]
)
def test_any_executor_gives_what_is_found_here(executor, project: Project, expected: list[str]):
    with executor() as several:
        assert statements(project.check(executor=several)) == expected


def test_results_of_an_executor_are_kept_where_it_speaks_of_the_same(project: Project):
    settle(project.root)
    with ThreadPoolExecutor(2) as several:
        for traced in (FILES, 0):
            heard, cache = Heard(), open_cache(str(project.cache), pytest.fail)
            project.check(executor=several, cache=cache, listener=heard)
            cache.close()
            assert len(heard.traced) == traced


# ---- what is not as it must be ---------------------------------------------------------------------


def share(project: Project, name: str = "module_0.py") -> str:
    from nst_lsp.project import Wishes, projects

    path = str(project.root / name)
    return share_json(share_of(path, projects(Wishes(python=project.python))(path)))


def test_other_sources_of_ours_are_refused_by_name_of_the_host(project: Project):
    with pytest.raises(HostError, match=f"{re.escape(os.uname().nodename)} has another version of nst-lsp"):
        do(share(project), "other sources", "check")


def test_a_project_that_is_not_there_is_refused(project: Project):
    text = share(project).replace(str(project.root), "/nowhere/project")
    with pytest.raises(HostError, match="has no folder /nowhere/project"):
        do(text, own.sources(), "check")


def test_an_interpreter_that_is_not_there_is_refused(project: Project):
    text = share(project).replace(project.python, "/nowhere/bin/python")
    with pytest.raises(HostError, match="has no interpreter /nowhere/bin/python"):
        do(text, own.sources(), "check")


def test_helpers_that_differ_there_are_told(project: Project, tmp_path: Path):
    """The helper changes between the run and the look at it, as if the folder were not the same."""

    class Elsewhere(ThreadPoolExecutor):
        def submit(self, function, /, *args):  # type: ignore[override]
            def work() -> str:
                answer = function(*args)
                assert '"files": {' in answer
                return re.sub(r'(helper\.py": ")[0-9a-f]+', r"\1", answer)

            return super().submit(work)

    with Elsewhere(1) as executor:
        [result] = [one for one in project.check("module_0.py", executor=executor).results if one.error]
    assert result.error is not None
    assert "helper.py differs on" in result.error


# ---- Dask ------------------------------------------------------------------------------------------


class Cluster:
    """A scheduler and workers, each a process of its own, on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []
        told = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show", "--scheduler-file", str(told)]
        scheduler = self._start("scheduler", *options)
        threading.Thread(target=_drain, args=(scheduler.stderr,), daemon=True).start()
        _wait(lambda: scheduler.poll() is not None or _is_whole(told))
        assert scheduler.poll() is None, "the scheduler ended"
        self.address = str(json.loads(told.read_text())["address"])

    def worker(self) -> subprocess.Popen[str]:
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        process = self._start("worker", self.address, *options, "--local-directory", str(self._folder))
        threading.Thread(target=_drain, args=(process.stderr,), daemon=True).start()
        return process

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()

    def _start(self, *arguments: str) -> subprocess.Popen[str]:
        environment = os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=self._folder,
        )
        self._processes.append(process)
        return process


def _is_whole(told: Path) -> bool:
    """Whether the scheduler has written where it is; it does so piece by piece."""
    try:
        return bool(json.loads(told.read_text()))
    except (FileNotFoundError, ValueError):
        return False


def _drain(stream: IO[str] | None) -> None:
    assert stream is not None
    for _ in stream:
        pass


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    yield made
    made.close()


def test_a_cluster_gives_what_is_found_here(cluster: Cluster, project: Project, expected: list[str]):
    cluster.worker()
    cluster.worker()
    with executor_of(cluster.address) as executor:
        assert statements(project.check(executor=executor)) == expected


class Killer(Heard):
    """Kills a worker when the first file is done."""

    def __init__(self, victim: subprocess.Popen[str]) -> None:
        super().__init__()
        self._victim = victim

    def ended(self, traced, *, cached: bool) -> None:
        super().ended(traced, cached=cached)
        self._victim.kill()


def test_what_a_killed_worker_had_is_done_again(cluster: Cluster, project: Project, expected: list[str]):
    victim = cluster.worker()
    cluster.worker()
    with executor_of(cluster.address) as executor:
        killer = Killer(victim)
        assert statements(project.check(executor=executor, listener=killer)) == expected
    assert victim.wait() == -signal.SIGKILL
    assert len(killer.traced) == FILES


def test_a_file_that_ends_its_workers_is_given_up_and_no_other(cluster: Cluster, tmp_path: Path):
    """`allow` lets it kill the process of Dask's that its worker belongs to."""
    poison = Project(tmp_path / "poison", tmp_path / "cache")
    poison.write("pyproject.toml", '[tool.nst]\nallow = ["signal"]\n')
    poison.write("good.py", FUNCTION.format(number=1).replace("from helper import scaled", "scaled = np.sin"))
    poison.write("bad.py", "import os, signal\n" + KILL_DASK + FUNCTION.format(number=2).replace("from helper", "# "))
    stop = threading.Event()
    with _kept_alive(cluster, stop), executor_of(cluster.address) as executor:
        bad, good = poison.check(executor=executor).results
    assert (good.error, len(good.functions)) == (None, 1)
    assert bad.error is not None
    assert "KilledWorker" in bad.error


KILL_DASK = """
pid = os.getpid()
while b"dask_worker" not in open(f"/proc/{pid}/cmdline", "rb").read():
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
os.kill(pid, signal.SIGKILL)
"""


@contextmanager
def _kept_alive(cluster: Cluster, stop: threading.Event) -> Iterator[None]:
    """There is always a worker: for each that ends another comes, as a cluster's nanny sees to it."""

    def keep() -> None:
        while not stop.is_set():
            worker = cluster.worker()
            while worker.poll() is None and not stop.wait(0.05):
                pass

    thread = threading.Thread(target=keep)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_ctrl_c_takes_the_shares_back(cluster: Cluster, tmp_path: Path):
    slow = Project(tmp_path / "slow", tmp_path / "cache")
    slow.write("pyproject.toml", "[tool.nst]\ntimeout = 600\n")
    for number in range(4):
        slow.write(f"module_{number}.py", "import time\ntime.sleep(300)\n" + FUNCTION.format(number=number))
    cluster.worker()
    nst = subprocess.Popen(
        [NST, "check", "--scheduler", cluster.address, "--python", sys.executable], cwd=slow.root,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    with Client(cluster.address, set_as_default=False) as client:

        def tasks() -> int:
            return int(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))

        _wait(lambda: tasks() == 4)
        nst.send_signal(signal.SIGINT)
        assert nst.wait(timeout=60) not in (0, None)
        _wait(lambda: tasks() == 0)


def _wait(condition, seconds: float = 120.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(distributed, "_ANSWERS", 0.5)  # so long it is tried again
    with (
        pytest.raises(WorkerError, match="no Dask scheduler answers at tcp:"),
        executor_of("tcp://127.0.0.1:9"),
    ):
        pass


def test_without_dask_it_is_said_what_to_install(project: Project):
    program = (
        "import sys; sys.modules['distributed'] = None\n"
        "from nst_lsp.cli import main\n"
        f"sys.argv = ['nst', 'check', '--scheduler', 'tcp://127.0.0.1:9', {str(project.root)!r}]\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install 'nst-lsp[dask]'" in done.stderr
