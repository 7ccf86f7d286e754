"""Asks again what the worker saw a run rest on (`wire.Basis`): the same answers, the same result.

An answer speaks of contents, or of times and sizes where there is too much to read.  A result is kept only if nothing
of all that was touched since its worker was started: else the run may have seen what was there before.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tracer.worker.wire import Basis

from .. import digests

_TICK = 0.05
"""Seconds by which the time of a change may be told too early: file systems have a clock that ticks."""
_COARSE_TICK = 2.0
"""The same where times are whole seconds."""
_LARGEST = 1 << 30
"""Bytes of a file that are read, at most."""
_EVERYTHING = "*"
_INSTALLED = (".dist-info", ".egg-info", ".egg-link", ".pth")


class UnsettledError(Exception):
    """Something cannot be asked again, or has changed since the time of which it was to tell."""


def merged(bases: Iterable[Basis]) -> Basis:
    """All questions of several."""
    given = list(bases)
    names = sorted({folder for basis in given for folder in basis.looked_up})
    return Basis(
        files=_all(basis.files for basis in given),
        looked_up={name: _all(basis.looked_up.get(name, ()) for basis in given) for name in names},
        looked_at=_all(basis.looked_at for basis in given),
        packages=_all(basis.packages for basis in given),
        variables=_all(basis.variables for basis in given),
        unknown=_all(basis.unknown for basis in given),
    )


def _all(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({one for part in parts for one in part}))


class Answers:
    """The answers of one moment: each file and folder is looked at once, however many results rest on it.

    With `since`, a time, whatever was touched later raises `UnsettledError`.
    """

    def __init__(self, variables: Mapping[str, str], since: float | None = None) -> None:
        self._variables = variables
        self._since = since
        self._files: dict[str, str] = {}
        self._folders: dict[str, tuple[str, ...]] = {}
        self._modules: dict[str, dict[str, str]] = {}
        self._trees: dict[str, str] = {}

    def of(self, basis: Basis) -> str:
        """One short text for all answers.  Raises UnsettledError."""
        if basis.unknown:
            raise UnsettledError("; ".join(basis.unknown))
        return digests.of_values(
            [self._file(path) for path in basis.files],
            [self._looked_up(folder, names) for folder, names in basis.looked_up.items()],
            [self._looked_at(path) for path in basis.looked_at],
            [self._tree(path) for path in basis.packages],
            [self._variable(name) for name in basis.variables],
        )

    # ---- files -----------------------------------------------------------------------------------------

    def _file(self, path: str) -> str:
        """A digest of a file's contents; of none, nothing."""
        if path not in self._files:
            self._files[path] = self._contents(path)
        return self._files[path]

    def _contents(self, path: str) -> str:
        status = self._status(path)
        if status is None:
            return ""
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            raise UnsettledError(f"{path} is no file that can be read again")
        try:
            return digests.of_file(path)
        except OSError as error:
            raise UnsettledError(f"{path}: {error.strerror}") from error

    def _looked_at(self, path: str) -> list[Any]:
        """What `stat` and a look into a folder tell."""
        status = self._status(path)
        if status is None:
            return [os.path.lexists(path)]
        entries = self._entries(path) if stat.S_ISDIR(status.st_mode) else ()
        return [os.path.realpath(path), status.st_mode, status.st_size, status.st_mtime_ns, *entries]

    def _status(self, path: str) -> os.stat_result | None:
        try:
            link, status = os.lstat(path), os.stat(path)
        except (OSError, ValueError):
            self._status_above(path)
            return None
        self._check(path, link)
        self._check(path, status)
        return status

    def _status_above(self, path: str) -> None:
        """Of what is not there, its folder tells when it went."""
        folder = os.path.dirname(path)
        if self._since is not None and folder != path:
            try:
                self._check(folder, os.stat(folder))
            except (OSError, ValueError):
                self._status_above(folder)

    def _check(self, path: str, status: os.stat_result) -> None:
        if self._since is None:
            return
        coarse = status.st_mtime_ns % 10**9 == 0 and status.st_ctime_ns % 10**9 == 0
        if max(status.st_mtime, status.st_ctime) >= self._since - (_COARSE_TICK if coarse else _TICK):
            raise UnsettledError(f"{path} has changed since the worker was started")

    # ---- modules ---------------------------------------------------------------------------------------

    def _looked_up(self, folder: str, names: tuple[str, ...]) -> list[Any]:
        """What in a folder would be found under some names; of links, where they lead."""
        modules = self._modules_of(folder)
        wanted = sorted(modules) if _EVERYTHING in names else names
        return [modules[""], *(modules[name] for name in wanted if name in modules)]

    def _modules_of(self, folder: str) -> dict[str, str]:
        """By the name of a module, what there is of that name; under no name, the folder and its distributions."""
        if folder not in self._modules:
            found: dict[str, list[Any]] = {"": [os.path.realpath(folder)]}
            for entry in self._entries(folder):
                path = os.path.join(folder, entry)
                found.setdefault(entry.partition(".")[0], []).append([entry, os.path.realpath(path)])
                if "-packages" in folder and entry.endswith(_INSTALLED):
                    found[""].append([entry, _time(path)])
            self._modules[folder] = {name: digests.of_values(told) for name, told in found.items()}
        return self._modules[folder]

    def _entries(self, folder: str) -> tuple[str, ...]:
        if folder not in self._folders:
            self._status(folder)
            try:
                self._folders[folder] = tuple(sorted(os.listdir(folder)))
            except OSError:  # none, or a file: an archive of modules
                self._folders[folder] = (self._file(folder),) if os.path.isfile(folder) else ()
        return self._folders[folder]

    def _tree(self, path: str) -> str:
        """Times and sizes of all files of an installed package."""
        if path not in self._trees:
            self._trees[path] = digests.of_values([list(stamp) for stamp in self._stamps(path)])
        return self._trees[path]

    def _stamps(self, path: str) -> Iterator[tuple[str, int, int]]:
        if not os.path.isdir(path):
            status = self._status(path)
            yield (path, status.st_size, status.st_mtime_ns) if status is not None else (path, 0, 0)
            return
        self._check(path, os.stat(path))
        for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from self._stamps(entry.path)
            else:
                status = entry.stat()
                self._check(entry.path, status)
                yield entry.path, status.st_size, status.st_mtime_ns

    # ---- the environment -------------------------------------------------------------------------------

    def _variable(self, name: str) -> Any:
        return dict(self._variables) if name == _EVERYTHING else self._variables.get(name)


def _time(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
