"""What processes hold (Linux): memory, descriptors, children; for leaks, and for those that are to be killed."""

from __future__ import annotations

import os
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = stat.read_text().rpartition(")")
        except OSError:
            continue  # it has just ended
        state, parent = rest.split()[:2]
        if int(parent) == pid and state != "Z":
            found.append(int(stat.parent.name))
    return sorted(found)


def descendants(pid: int) -> list[int]:
    return [one for child in children(pid) for one in (child, *descendants(child))]


def workers(pid: int) -> list[int]:
    """The parents of worker processes among a server's children; it may have others, which complete names."""
    return [child for child in children(pid) if b"bootstrap.py" in _command(child)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""  # it has just ended


def megabytes(pid: int) -> float:
    """Resident memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))
