"""The graph of a function as it was at a git revision.

The file is traced from its text of then, among the texts of then of the project's other Python files: they are handed
to the worker as if an editor had them open, so that neither the work tree nor the index is touched.  A file that was
not there yet cannot be imported.  What is not Python (data that a module reads) and the installed packages are those
of now.

Errors:
    GitError: there is no such past; the text says why, and what to do.
"""

from __future__ import annotations

import io
import os
import tokenize
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from tracer.worker.wire import TraceFile

from .git import GitError, Repository, repository_of
from .graphs import Shown, Target, shown
from .notebooks import SUFFIX, NotebookError, read_notebook
from .project import Project, run_options
from .sources import shown_path
from .workers import Workers


@dataclass(frozen=True, slots=True)
class Past:
    """A file as it was at a revision, and the texts of then of the files around it that are others now."""

    revision: str
    """As it was asked for."""
    path: str
    """Where the file was: it may have been renamed since."""
    text: str
    overlay: dict[str, str]


async def graph_at(
    revision: str, target: Target, example: int, formats: tuple[str, ...], project: Project, workers: Workers
) -> Shown:
    """Trace a function as it was at a revision.

    Raises GitError, NotFoundError where it had no such function or example, and WorkerError.
    """
    past = await find_past(target.path, revision, project.root)
    pool = (await workers.get(project.home)).pool
    options = run_options(project, formats)
    request = TraceFile(
        1, past.path, past.text, project.root, options, functions=(target.function,), overlay=past.overlay
    )
    return await shown(request, target.function, example, pool, f" at {revision}")


async def find_past(path: str, revision: str, root: str) -> Past:
    """A file, and the files below `root`, at a revision.  Raises GitError."""
    repository = await repository_of(path)
    commit = await repository.commit(revision, path)
    there = await repository.path_at(commit, path, revision)
    changed, missing = await repository.changed(commit, Path(os.path.realpath(root)))
    blobs = await repository.contents(commit, [there, *changed])
    if there not in blobs:
        raise GitError(f"git does not have the contents of {there} at {revision}: fetch them first (git fetch)")
    overlay = {repository.absolute(name): _decoded(blobs[name]) for name in changed if name in blobs}
    overlay |= _not_there(repository, missing, revision)
    text = _text(blobs[there], repository.absolute(there), revision)
    overlay.pop(repository.absolute(there), None)
    return Past(revision, repository.absolute(there), text, overlay)


def _not_there(repository: Repository, new: Iterable[str], revision: str) -> dict[str, str]:
    """For files that were not there yet, texts that cannot be imported; a folder that was there stays a package."""
    paths = set(map(repository.absolute, new))
    refusal = f'raise ModuleNotFoundError(f"No module named {{__name__!r}}" + {f" at {revision}"!r}, name=__name__)\n'
    return {path: "" if _is_package_of_then(path, paths) else refusal for path in paths}


def _is_package_of_then(path: str, new: AbstractSet[str]) -> bool:
    """Whether a file makes a package of a folder that has older files, too."""
    folder = os.path.dirname(path)
    if os.path.basename(path) != "__init__.py":
        return False
    return any(name.endswith(".py") and os.path.join(folder, name) not in new for name in os.listdir(folder))


# ---- texts -----------------------------------------------------------------------------------------


def _text(data: bytes, path: str, revision: str) -> str:
    """The text of the file that is asked for, or the module of a notebook.  Raises GitError."""
    try:
        return read_notebook(path, data).source if path.endswith(SUFFIX) else _read(data)
    except (SyntaxError, UnicodeDecodeError, NotebookError) as error:
        raise GitError(f"{shown_path(path)} at {revision} cannot be read as Python: {error}") from error


def _decoded(data: bytes) -> str:
    """The text of another file; where its encoding is wrong, whatever imports it fails as it did."""
    try:
        return _read(data)
    except (SyntaxError, UnicodeDecodeError) as error:
        return f"raise SyntaxError({str(error)!r})\n"


def _read(data: bytes) -> str:
    """A text as Python reads it: coding line, byte-order mark, line ends."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return io.TextIOWrapper(io.BytesIO(data), encoding).read()
