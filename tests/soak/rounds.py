"""One run of steps in a folder of its own: whether the server was right, and what it came to hold."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from .client import SilentError
from .player import Measured, Player, WrongError
from .steps import Step, play

GROWTH = 1.15
GROWTH_MEGABYTES = 12.0
"""What the server may hold at the end, as a factor of what it held after warming up, plus megabytes."""
MOST_PROCESSES = 4
"""Of an idle server: a worker for each home, whatever that keeps ready, and the one that completes names."""


@dataclass(frozen=True, slots=True)
class Outcome:
    wrong: str | None
    played: int
    """Steps, the wrong one included."""
    checked: int
    """Files whose results were held against a fresh run."""
    graphs: int
    """The graphs in them."""
    measured: tuple[Measured, ...] = ()


def run(
    seed: int,
    files: int,
    steps: Sequence[Step],
    played: Callable[[int, Player], None] = lambda count, player: None,
    keep: Path | None = None,
) -> Outcome:
    """Play the steps; `played` is told after each.  On failure the files and logs are copied to the folder `keep`."""
    with tempfile.TemporaryDirectory(prefix="nst-soak-") as folder:
        player = Player(Path(folder), seed, files)
        count = 0
        try:
            for count, step in enumerate(steps, start=1):
                play(player, step)
                played(count, player)
            player.end()
            wrong = leak(player.measured)
        except (WrongError, SilentError) as error:
            wrong = f"{type(error).__name__}: {error}"
        finally:
            player.kill()
        if wrong and keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(folder, keep)
        return Outcome(wrong, count, player.checked, player.graphs, tuple(player.measured))


def leak(measured: Sequence[Measured]) -> str | None:
    """What grew from the second fifth of the measurements to the last, beyond the bounds; None where nothing did."""
    if measured and measured[-1].scratch > measured[0].scratch + 4:
        return f"the temporary folder has {measured[-1].scratch} entries, at first {measured[0].scratch}"
    if len(measured) < 10:
        return None
    fifth = len(measured) // 5
    early, late = measured[fifth : 2 * fifth], measured[-fifth:]
    before, after = median(one.server for one in early), median(one.server for one in late)
    if after > GROWTH * before + GROWTH_MEGABYTES:
        return f"the server's memory grew from {before:.0f} to {after:.0f} MB"
    few, many = median(one.descriptors for one in early), median(one.descriptors for one in late)
    if many > few + 4:
        return f"the server's descriptors grew from {few} to {many}"
    if (most := max(one.children for one in measured)) > MOST_PROCESSES:
        return f"the idle server has {most} processes"
    return _worker_leak(measured)


def _worker_leak(measured: Sequence[Measured]) -> str | None:
    """The same for each worker that lived long enough."""
    for pid in {one.pid for one in measured if one.pid}:
        sizes = [one.worker for one in measured if one.pid == pid]
        fifth = len(sizes) // 5
        if fifth >= 2:
            before, after = median(sizes[fifth : 2 * fifth]), median(sizes[-fifth:])
            if after > GROWTH * before + GROWTH_MEGABYTES:
                return f"a worker's memory grew from {before:.0f} to {after:.0f} MB: {[round(size) for size in sizes]}"
    return None
