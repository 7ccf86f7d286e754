"""What the results of a file rest on, besides its text, as questions that can be asked again (`wire.Basis`).

Which files were read and loaded, where modules were looked for that would have been found elsewhere had there been
others, which variables were read.  What cannot be asked again (another host's answer, a program's output, what native
code reads without Python's knowledge) is unknown, or not seen: the caller looks at the text for what is not seen here.
"""

from __future__ import annotations

import os
import re
import site
import sys
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ..loader import LOOKED_UP
from ..positions import FILES
from ..recorder import USER_FILES
from . import asked, environment, reading
from .wire import Basis

_AT_START: set[str] = set()
"""The modules of the process that all others are forked from: what user code imports of them is these."""
_INSTALLED = re.compile(r".*?[\\/](?:site|dist)-packages[\\/][^\\/]+")
_PYTHON_AND_OURS = tuple(
    os.path.join(folder, "") for folder in (os.path.dirname(os.__file__), Path(__file__).resolve().parents[1])
)
_TEMPORARY = frozenset({"TMPDIR", "TEMP", "TMP"})
"""Variables that the worker itself sets."""
ANY_NAME = "*"
"""Stands for all modules of a folder, where the interpreter itself looks for some."""


def begin() -> None:
    """The modules that are loaded now are those of every run to come."""
    _AT_START.update(sys.modules)


def current() -> Basis:
    """What the process has rested on so far."""
    files = list(_module_files())
    outside = {path for path in files if not _package(path) and not path.startswith(_PYTHON_AND_OURS)}
    return Basis(
        files=tuple(sorted({*USER_FILES, *reading.read(), *outside})),
        looked_up={folder: tuple(sorted(names)) for folder, names in sorted(_looked_up().items())},
        looked_at=tuple(sorted(asked.looked_at())),
        packages=tuple(sorted(set(filter(None, map(_package, files))))),
        variables=tuple(sorted(environment.read() - _TEMPORARY)),
        unknown=tuple(sorted({*asked.unknown(), *_unread()})),
    )


def since(before: Basis | None) -> Basis | None:
    """What has been added since then."""
    if before is None:
        return None
    now = current()
    news = {
        name: tuple(one for one in getattr(now, name) if one not in set(getattr(before, name)))
        for name in ("files", "looked_at", "packages", "variables", "unknown")
    }
    names = {folder: set(found) - set(before.looked_up.get(folder, ())) for folder, found in now.looked_up.items()}
    return Basis(**news, looked_up={folder: tuple(sorted(added)) for folder, added in names.items() if added})


@cache
def package_folders() -> tuple[str, ...]:
    """Where distributions are installed."""
    folders = {*site.getsitepackages(), site.getusersitepackages(), *sysconfig.get_paths().values()}
    return tuple(os.path.join(folder, "") for folder in sorted(folders) if "-packages" in folder)


def _module_files() -> Iterator[str]:
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str):
            yield file


def _package(path: str) -> str:
    """The file or folder right below a folder of distributions in which a module lies; nothing for any other."""
    found = _INSTALLED.match(path)
    return found[0] if found else ""


def _looked_up() -> dict[str, set[str]]:
    """The names of modules that were looked for, by the folder in which they might have been."""
    tops = {name.partition(".")[0] for name in (*sys.modules, *(name for name, _ in LOOKED_UP))}
    tops -= {name.partition(".")[0] for name in _AT_START}
    given = {os.path.abspath(folder) for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder}
    found: dict[str, set[str]] = {}
    for folder in map(os.path.abspath, sys.path):
        found[folder] = tops | ({ANY_NAME} if folder in given else set())
    for name, folders in LOOKED_UP:
        for folder in map(os.path.abspath, folders or ()):
            found.setdefault(folder, set()).add(name.rpartition(".")[2])
    return found


def _unread() -> Iterator[str]:
    """Files of the workspace of which it is not known what was read: they could not be compiled."""
    yield from (f"{path} could not be compiled" for path in USER_FILES if path not in FILES)
