"""The server's state in one line, for the status bar: how well it can do its work, and whether it is doing some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .trust import UNTRUSTED


@dataclass(frozen=True, slots=True)
class Running:
    """An interpreter that is there to run a project's code."""

    root: str
    python: str
    name: str
    """For people: `Python 3.11.2 (.venv)`."""


@dataclass(frozen=True, slots=True)
class Status:
    health: str
    """`ok`, `warning` (some of what is asked for cannot be had), `error` (nothing of it)."""
    quiescent: bool
    """Nothing is going on that could change it."""
    message: str | None = None
    interpreters: tuple[Running, ...] = ()


def status(
    *,
    runs: Sequence[str],
    starting: bool = False,
    troubles: Sequence[str] = (),
    untrusted: bool = False,
    failures: Sequence[str] = (),
    stopped: Sequence[str] = (),
    interpreters: Sequence[Running] = (),
) -> Status:
    """The worst is told first: no worker, no trust, runs that could not be done, runs that a person stopped.

    `runs` are the paths being traced, `starting` whether a worker is being started, `stopped` paths too.
    """
    health = "error" if troubles else "warning" if untrusted or failures else "ok"
    doing = _doing(runs, starting)
    wrong = [
        *troubles,
        *([UNTRUSTED] if untrusted else []),
        *failures,
        *(f"tracing {Path(path).name} was stopped" for path in stopped),
    ]
    told = [doing] if doing and health == "ok" else [*wrong, *([doing] if doing else [])]
    return Status(health, not runs and not starting, told[0] if told else None, tuple(interpreters))


def _doing(runs: Sequence[str], starting: bool) -> str | None:
    if starting:
        return "starting Python"
    if len(runs) > 1:
        return f"tracing {len(runs)} files"
    return f"tracing {Path(runs[0]).name}" if runs else None
