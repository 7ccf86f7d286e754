"""`nst doctor`: what runs where, and whether it can; for bug reports and for those whose editor shows nothing."""

from __future__ import annotations

import asyncio
import os
import platform
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from typing import Any, NamedTuple

from . import settings
from .page import bundle
from .project import Project
from .workers import Workers


class Fact(NamedTuple):
    name: str
    value: str
    is_problem: bool = False


def server_facts() -> Iterator[Fact]:
    yield Fact("nst-lsp", metadata.version("nst-lsp"))
    yield Fact("server Python", f"{platform.python_version()} ({sys.executable})")
    yield Fact("platform", platform.platform())
    for package in ("pygls", "lsprotocol", "jedi"):
        try:
            yield Fact(package, metadata.version(package))
        except metadata.PackageNotFoundError:
            yield Fact(package, "not installed", is_problem=True)
    built = bundle.is_built()
    yield Fact("graph page", "built" if built else bundle.MISSING, is_problem=not built)


def project_facts(project: Project) -> Iterator[Fact]:
    """Of a project on the command line, where no editor has settings."""
    yield Fact("project", project.root)
    yield Fact("mode", project.settings.mode)
    yield Fact("interpreter", f"{project.interpreter.path} (from {project.interpreter.source})")
    table, _ = settings.read_project(project.root)
    for one in settings.described(table, {}):
        yield Fact(one.name, f"{one.value} ({one.source})")
    for problem in project.problems:
        yield Fact("settings", problem, is_problem=True)


async def worker_facts(project: Project, workers: Workers) -> list[Fact]:
    """Start a worker in the project's interpreter and ask it.  Raises WorkerError."""
    start = time.monotonic()
    hello = (await workers.get(project.home)).hello
    milliseconds = (time.monotonic() - start) * 1000
    version = tuple(map(int, hello.python.split(".")[:2]))
    columns = version >= (3, 11) and not os.environ.get("PYTHONNODEBUGRANGES")
    torch = await torch_version(hello.executable)
    return [
        Fact("its Python", f"{hello.python} ({hello.executable})"),
        Fact("its NumPy", hello.numpy or "not installed", is_problem=hello.numpy is None),
        *([_torch_fact(torch)] if torch else []),
        Fact("columns of code", "yes" if columns else "no: findings may be less exact (Python 3.11 has them)"),
        Fact("worker start", f"{milliseconds:.0f} ms"),
    ]


_TORCH = (2, 6)
"""The oldest PyTorch that is traced."""
_ASK = "import importlib.metadata as m; print(next((d.version for d in m.distributions(name='torch')), ''))"
_PATIENCE = 10.0
"""Seconds until an interpreter that does not say which PyTorch it has is taken for one that has none."""


async def torch_version(python: str) -> str | None:
    """The PyTorch that an interpreter has, by its metadata: to import it takes seconds.  None where there is none."""
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(python, "-c", _ASK, stdin=nothing, stdout=pipe, stderr=nothing)
    try:
        async with asyncio.timeout(_PATIENCE):
            told, _ = await process.communicate()
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
    return told.decode(errors="replace").strip() or None


def _torch_fact(version: str) -> Fact:
    numbers = re.match(r"(\d+)\.(\d+)", version)
    is_old = numbers is not None and tuple(map(int, numbers.groups())) < _TORCH
    oldest = ".".join(map(str, _TORCH))
    return Fact("its PyTorch", f"{version}: too old, {oldest} or later is needed" if is_old else version, is_old)


# ---- in an editor ----------------------------------------------------------------------------------

_LOGGED = 30
"""The last lines of the log that are told."""


def report(client: Iterable[Fact], projects: Iterable[Mapping[str, Any]], log: str) -> str:
    """All of it as text to be pasted into a bug report; `projects` are those of `Session.doctor`."""
    sections = [_section("server", [*server_facts(), *system_facts()]), _section("client", client)]
    sections += [_section(f"project {one['root']}", _of_session(one)) for one in projects]
    lines = log.splitlines()[-_LOGGED:]
    return "\n".join([*sections, _section("log", (Fact("", line) for line in lines or ["(nothing)"]))])


def _section(title: str, facts: Iterable[Fact]) -> str:
    rows = (
        f"{fact.name + ': ' if fact.name else ''}{fact.value}{'  <-- !' if fact.is_problem else ''}" for fact in facts
    )
    return "\n".join([title, *(f"  {line}" for row in rows for line in row.splitlines() or [""]), ""])


def _of_session(project: Mapping[str, Any]) -> Iterator[Fact]:
    yield Fact("trusted", "yes" if project["trusted"] else "no")
    yield Fact("interpreter", f"{project['interpreter']} ({project['chosen_by']})")
    if project["worker"] is not None:
        yield Fact("worker", f"pid {project['worker']}, {project['state']}")
        yield Fact("its Python", str(project["python"]))
        yield Fact("its NumPy", str(project["numpy"]))
        if project["torch"]:
            yield _torch_fact(project["torch"])
    else:
        yield Fact("worker", project["state"], is_problem=bool(project["trusted"]))
    yield Fact("open files", ", ".join(project["open"]) or "none")
    for one in project["settings"]:
        yield Fact(f"setting {one['name']}", f"{one['value']} ({one['source']})")
    for problem in project["problems"]:
        yield Fact("problem", problem, is_problem=True)


# ---- what the operating system offers --------------------------------------------------------------


def system_facts() -> Iterator[Fact]:
    yield Fact("fork", "yes" if hasattr(os, "fork") else "no: each run starts from a spare process")
    abi = _landlock_abi()
    yield Fact("Landlock", f"yes, ABI {abi}: {_bound_by(abi)}" if abi else "no: native code of yours is not confined")


def _bound_by(abi: int) -> str:
    """What of the setting `allow` holds for native code, too (`tracer.worker.landlock`)."""
    return "native code is held to " + ", ".join(
        what for what, since in (("files", 1), ("TCP", 4), ("signals", 6)) if abi >= since
    )


def _landlock_abi() -> int:
    """The version the kernel has, 0 for none (landlock_create_ruleset(2), LANDLOCK_CREATE_RULESET_VERSION)."""
    if sys.platform != "linux":
        return 0
    import ctypes

    return max(0, int(ctypes.CDLL(None).syscall(444, None, 0, 1)))
