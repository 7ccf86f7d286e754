"""A worker for each test, in both ways of running user code; and afterwards nothing may be left of it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from nst_lsp.pool import WorkerPool
from tests.worker.processes import descendants_by_mark, wait_until


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder for temporary files of all that the test starts: scratch folders are made in it."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """A variable in the environment of all that the test starts, by which its processes are known."""
    monkeypatch.setenv("NST_TEST_MARK", str(tmp_path))
    return str(tmp_path)


@pytest.fixture(params=["fork", "spawn"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the worker gets its processes."""
    if request.param == "spawn":
        monkeypatch.setenv("NST_NO_FORK", "1")
    return str(request.param)


@pytest.fixture
def no_orphans(mark: str, temporary: Path) -> Iterator[None]:
    """Sees to it that every process of the test has ended, and that no scratch file is left."""
    yield
    wait_until(lambda: not descendants_by_mark(mark))
    assert list(temporary.iterdir()) == []


@pytest.fixture
async def pool(no_orphans: None, tmp_path: Path) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(sys.executable, str(tmp_path))
    yield pool
    await pool.close()
