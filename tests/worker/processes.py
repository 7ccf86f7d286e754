"""Looking at processes from outside, and waiting for conditions."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import pytest

DEADLINE = 120.0
"""Seconds until a condition that does not come fails the test; nothing waits this long when all is well."""


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            pytest.fail("a condition did not come about in time")
        time.sleep(0.01)


def descendants_by_mark(mark: str) -> list[int]:
    """Living processes started with NST_TEST_MARK=mark in their environment (not zombies)."""
    wanted = f"NST_TEST_MARK={mark}\0".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes() and "\nState:\tZ" not in (folder / "status").read_text():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def children(pid: int) -> list[int]:
    """The direct children of a process, whichever of its threads started them."""
    found: list[int] = []
    for listing in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has just ended
            found += map(int, listing.read_text().split())
    return found
