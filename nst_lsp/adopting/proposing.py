"""From a project's files to proposals: gather candidates, try them, choose."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..analysis.outline import Definition
from ..callers import Callers
from ..project import Project
from ..recorded import read_recorded
from ..sourcefiles import is_source
from ..workers import Workers
from .candidates import Candidates, candidates
from .choosing import chosen, reason, result
from .trying import Tried, try_all
from .writing import read


@dataclass(frozen=True, slots=True)
class Proposal:
    """One example that traces."""

    definition: Definition
    arguments: str
    source: str
    """Where it is from."""
    result: str
    """What came of it, in words."""


@dataclass(frozen=True, slots=True)
class FileProposals:
    path: str
    text: str
    encoding: str
    proposals: tuple[Proposal, ...]
    """In the order of the file."""
    without: tuple[tuple[str, str], ...] = ()
    """Functions of which no candidate is proposed, and why."""
    error: str | None = None
    """Why nothing could be tried."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that may get examples."""

    encoding: str
    candidates: Candidates


def gathered(place: Path, project: Project) -> list[Source]:
    """The files below a place, or the file itself, with candidates for their functions; nothing is run."""
    root, callers = Path(project.root), Callers()
    recorded = read_recorded(root)
    found = []
    for path in _files(place, root):
        try:
            text, encoding = read(path)
        except (OSError, SyntaxError, UnicodeDecodeError):
            continue
        of_file = candidates(str(path), text, root, recorded, callers)
        if of_file.functions:
            found.append(Source(encoding, of_file))
    return found


def _files(place: Path, root: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    judge = is_source(root)
    for folder, folders, names in os.walk(place):
        folders[:] = sorted(name for name in folders if judge(str(Path(folder, name, "module.py"))))
        yield from (Path(folder, name) for name in sorted(names) if judge(str(Path(folder, name))))


async def proposals(
    sources: list[Source], project: Project, workers: Workers, most: int, done: Callable[[], None]
) -> list[FileProposals]:
    """What is proposed for each file, at most so many examples a function.  Raises WorkerError."""
    tried = await try_all([source.candidates for source in sources], project, workers, done)
    found = []
    for source, of_file in zip(sources, tried, strict=True):
        picked = {definition: chosen(every, most) for definition, every in of_file.functions.items()}
        why = of_file.error or next((finding.message for finding in of_file.findings), None)
        without = tuple((one.name, reason(of_file.functions[one])) for one, usable in picked.items() if not usable)
        proposed = tuple(_proposal(definition, one, project) for definition, usable in picked.items() for one in usable)
        file = source.candidates
        found.append(FileProposals(file.path, file.text, source.encoding, proposed, () if why else without, why))
    return found


def _proposal(definition: Definition, tried: Tried, project: Project) -> Proposal:
    assert tried.report is not None
    return Proposal(definition, tried.candidate.arguments, tried.candidate.source, result(tried.report, project))
