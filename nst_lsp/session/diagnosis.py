"""What is wrong with a project, if anything: its interpreter, worker and settings, as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from ..doctor import torch_version
from ..project import Project
from .runs import Runs
from .workspace import Workspace

PATIENCE = 10.0
"""Seconds that the doctor waits for a worker to start."""


async def diagnosis(project: Project, runs: Runs, workspace: Workspace, documents: Iterable[str]) -> dict[str, Any]:
    trusted = project.settings.trusted
    started = project.home in runs.workers.running()
    worker, state = None, "none"
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            state = "is starting" if trusted else state
            worker = await runs.worker(project) if trusted else None
            state = "none" if worker is None else "running" if started else "was started to be asked"
    _, problems = workspace.configuration.read(project.root)
    trouble = runs.troubles.get(project.home) if trusted else "not trusted: nothing of it is run"
    return {
        "root": project.root,
        "trusted": trusted,
        "interpreter": project.interpreter.path,
        "chosen_by": project.interpreter.source,
        "python": worker.hello.python if worker else None,
        "numpy": worker.hello.numpy if worker else None,
        "torch": await torch_version(worker.hello.executable) if worker else None,
        "worker": worker.hello.pid if worker else None,
        "state": state,
        "open": sorted(path for path in documents if workspace.root(path) == project.root),
        "settings": [asdict(one) for one in workspace.configuration.described(project.root)],
        "problems": [*problems, *([trouble] if trouble else [])],
    }
