"""The worker may die at any time: that is said once, with how it ended, and what it was about is begun anew."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Set as AbstractSet
from pathlib import Path

import pytest

from tests.server.editor import editor
from tests.worker.processes import descendants_by_mark, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

WAITS = """import os
import time
import numpy as np

# nst: example(np.ones(3))
def f(x):
    while not os.path.exists({flag!r}):
        time.sleep(0.01)
    return x * len({name!r})
"""

BRANCHES = """import numpy as np

# nst: example(np.ones(3))
def f(x):
    return x if x.sum() > 0 else -x
"""


def workers(mark: str) -> set[int]:
    """The processes that run the tracer for this test."""
    return {pid for pid in descendants_by_mark(mark) if _is_worker(pid)}


def _is_worker(pid: int) -> bool:
    try:
        return b"bootstrap.py" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return False


def parents(among: AbstractSet[int]) -> set[int]:
    """Those whose own parent is none of them."""
    return {
        pid for pid in among if int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]) not in among
    }


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
async def test_a_run_whose_worker_is_killed_is_begun_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("NST_TEST_MARK", str(tmp_path))
    flag = tmp_path / "flag"
    async with editor(tmp_path, timeout=30) as it:
        it.open("model.py", WAITS.format(flag=str(flag), name="abc"))
        await asyncio.to_thread(wait_until, lambda: len(workers(str(tmp_path))) >= 3)  # parent, file's, example's
        (parent,) = parents(workers(str(tmp_path)))
        os.kill(parent, signal.SIGKILL)
        await it.until(lambda: any("SIGKILL" in message for message in it.shown()))
        flag.touch()
        await it.until(lambda: it.told("model.py"))
        assert [message for message in it.shown() if "ended unexpectedly" in message] == [
            "nst: the worker ended unexpectedly (SIGKILL)\nIt is started again when it is needed."
        ]


async def test_a_worker_that_dies_in_idleness_is_told_of_once_and_the_next_save_has_another(tmp_path, monkeypatch):
    monkeypatch.setenv("NST_TEST_MARK", str(tmp_path))
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open(
                "model.py",
                "import numpy as np\n# nst: example(np.ones(3))\ndef f(x):\n    return x if x.sum() > 0 else -x\n",
            )
        before = it.told("model.py")
        (parent,) = parents(workers(str(tmp_path)))
        os.kill(parent, signal.SIGKILL)
        await it.until(lambda: any("SIGKILL" in message for message in it.shown()))
        assert it.told("model.py") == before
        it.edit("model.py", "x.sum() > 0", "x.max() > 0")
        async with it.settled():
            it.save("model.py")
        assert it.told("model.py") == [("NST101", "x.max() > 0")]
        assert len(it.shown()) == 1
