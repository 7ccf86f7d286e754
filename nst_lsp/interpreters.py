"""Which Python runs the user's code, and which folder is a file's project.

The interpreter is the first of: the one asked for (`--python`), the one of the settings, the active virtual
environment, a `.venv` or `venv` in the project's root or above it, the one that runs us.  Whether it can be
started is for the pool to say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py", ".git")


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    source: str
    """Where the choice came from, for people: `--python`, `VIRTUAL_ENV`, …"""


def choose_interpreter(
    root: str, asked: str | None = None, configured: str | None = None, environment: Mapping[str, str] = os.environ
) -> Interpreter:
    """The interpreter for a project; relative paths of the settings are relative to its root."""
    if asked:
        return Interpreter(asked, "--python")
    if configured:
        path = Path(root, Path(configured).expanduser())
        return Interpreter(str(path) if "/" in configured or os.sep in configured else configured, "the settings")
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if (active := environment.get(variable)) and (python := _python_of(Path(active))):
            return Interpreter(python, variable)
    for folder in (Path(root), *Path(root).parents):
        for name in (".venv", "venv"):
            if python := _python_of(folder / name):
                return Interpreter(python, f"{name} of the project" if folder == Path(root) else str(folder / name))
    return Interpreter(sys.executable, "the Python that runs nst")


def project_root(path: str) -> str:
    """The nearest folder above `path` that looks like a project.

    Else the current folder, if the file lies in it; else the folder that holds the file, or its outermost package.
    """
    folder = Path(os.path.abspath(path))
    folder = folder if folder.is_dir() else folder.parent
    for candidate in (folder, *folder.parents):
        if any((candidate / name).exists() for name in _PROJECT_FILES):
            return str(candidate)
    if folder.is_relative_to(Path.cwd()):
        return str(Path.cwd())
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return str(folder)


def _python_of(environment: Path) -> str | None:
    names = ("Scripts/python.exe", "python.exe") if os.name == "nt" else ("bin/python", "bin/python3")
    return next((str(environment / name) for name in names if (environment / name).is_file()), None)
