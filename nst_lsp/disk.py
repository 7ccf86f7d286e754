"""What became of files on the disk, for editors that do not watch them: their times are compared on occasion."""

from __future__ import annotations

import os
from collections.abc import Iterable


class Disk:
    """The times of files as they were when they were last looked at."""

    def __init__(self) -> None:
        self._times: dict[str, int | None] = {}

    def look(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._times[path] = _time(path)

    def is_as_seen(self, path: str) -> bool:
        """Whether a file is there, and as it was when it was looked at."""
        time = _time(path)
        return time is not None and self._times.get(path) == time

    def news(self, paths: Iterable[str]) -> set[str]:
        """The files that came, changed or went since they were looked at."""
        changed = {path for path in paths if path in self._times and self._times[path] != _time(path)}
        self.look(changed)
        return changed

    def forget(self, path: str) -> None:
        self._times.pop(path, None)


def _time(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return None
