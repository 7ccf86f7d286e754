"""Which Python runs the user's code, and which folder is a file's project.

The interpreter is the first of:

- the one asked for (`--python`), then the one of the settings (the editor's, or `[tool.nst] python`);
- the active environment: `VIRTUAL_ENV`, then `CONDA_PREFIX` unless that is conda's base, which is always active;
  where pre-commit runs us in an environment of its own, `VIRTUAL_ENV` is that one, and the one that was active before
  is told by the `PATH`;
- the project's own, in its root or above it: `.venv` or `venv`, where `UV_PROJECT_ENVIRONMENT` says, `.pixi`, or
  what `.pdm-python` names;
- conda's base;
- the one that runs us, unless that is an environment that an installer made for us alone (pipx, uv, mason,
  pre-commit), or runs us without its own packages, which is how an editor's extension that carries us does it: then
  the `python3` of the `PATH`, if NumPy is beside it.

Where poetry and hatch keep environments outside of the project is not guessed: they are active when their shell is.
Whether the interpreter can be started is for the pool to say.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SETTING = "the setting `python`"
_PROJECT_FILES = ("pyproject.toml", "setup.cfg", "setup.py", ".git")


@dataclass(frozen=True, slots=True)
class Interpreter:
    path: str
    source: str
    """Where the choice came from, for people: `--python`, `VIRTUAL_ENV`, …"""
    by_editor: bool = False
    """Whether it was chosen in an extension of the editor's."""


def choose_interpreter(
    root: str,
    asked: str | None = None,
    configured: str | None = None,
    environment: Mapping[str, str] = os.environ,
    own_prefix: str = sys.prefix,
    carried: bool = bool(sys.flags.no_site),
    configured_by: str | None = None,
) -> Interpreter:
    """The interpreter for a project; relative paths of the settings are relative to its root.

    `configured` is the one of the settings, or of who chose it in their place (`configured_by`).
    """
    if asked:
        return Interpreter(_given(asked), "--python")
    if configured:
        path = Path(root, Path(configured).expanduser())
        named = str(path) if "/" in configured or os.sep in configured or path.is_dir() else configured
        return Interpreter(_given(named), configured_by or _SETTING, by_editor=configured_by is not None)
    found = (*_active(environment), *_of_project(root, environment), *_base(environment))
    return next(iter(found), None) or _last(environment, own_prefix, carried)


def short_name(version: str, python: str) -> str:
    """An interpreter by its version and its environment's folder, or where it is: `Python 3.11.2 (.venv)`."""
    folder = Path(python).parent
    prefix = folder if os.name == "nt" and folder.name != "Scripts" else folder.parent
    made = (prefix / "pyvenv.cfg").is_file() or (prefix / "conda-meta").is_dir()
    return f"Python {version} ({prefix.name if made else python})"


def way_out(interpreter: Interpreter, root: str) -> str:
    """What the user can do where an interpreter does not serve."""
    if interpreter.by_editor:
        return f"Choose another in {interpreter.source}, or by the setting `nst.python`."
    if interpreter.source == _SETTING:
        return (
            "Mend the setting `python` (`nst.python` of the editor, or [tool.nst] in pyproject.toml), or leave it out."
        )
    return f"Choose another by the setting `python`, or make an environment with NumPy: {Path(root, '.venv')}"


def _given(path: str) -> str:
    """What was named, or the interpreter in it, where that is the folder of an environment."""
    folder = Path(path).expanduser()
    return (_python_of(folder) if folder.is_dir() else None) or path


def _active(environment: Mapping[str, str]) -> Iterator[Interpreter]:
    virtual, conda = (environment.get(name) for name in ("VIRTUAL_ENV", "CONDA_PREFIX"))
    if virtual and _is_a_hooks(Path(virtual)):
        yield from _active_before(Path(virtual), environment)
    elif virtual and (python := _python_of(Path(virtual))):
        yield Interpreter(python, "VIRTUAL_ENV")
    if conda and not _is_base(environment) and (python := _python_of(Path(conda))):
        yield Interpreter(python, "CONDA_PREFIX")


def _active_before(hooks: Path, environment: Mapping[str, str]) -> Iterator[Interpreter]:
    """The environment that was active when pre-commit put the hook's in front of the `PATH`."""
    python = _on_path(environment, hooks)
    if python and Path(python).parent.parent.joinpath("pyvenv.cfg").is_file():
        yield Interpreter(python, "PATH")


def _of_project(root: str, environment: Mapping[str, str]) -> Iterator[Interpreter]:
    uv = environment.get("UV_PROJECT_ENVIRONMENT")
    names = (*([uv] if uv else []), ".venv", "venv", str(Path(".pixi", "envs", "default")))
    for folder in (Path(root), *Path(root).parents):
        for name in names:
            if python := _python_of(folder / name):
                yield Interpreter(python, f"{name} of the project" if folder == Path(root) else str(folder / name))
        if folder == Path(root) and (python := _named_by_pdm(folder)):
            yield Interpreter(python, ".pdm-python of the project")


def _named_by_pdm(folder: Path) -> str | None:
    try:
        python = (folder / ".pdm-python").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return None
    return python if python and Path(python).is_file() else None


def _is_base(environment: Mapping[str, str]) -> bool:
    """Whether the conda environment that is active is the one that is always there."""
    return environment.get("CONDA_DEFAULT_ENV") in ("base", "root")


def _base(environment: Mapping[str, str]) -> Iterator[Interpreter]:
    prefix = environment.get("CONDA_PREFIX")
    if prefix and _is_base(environment) and (python := _python_of(Path(prefix))):
        yield Interpreter(python, "CONDA_PREFIX")


def _last(environment: Mapping[str, str], own_prefix: str, carried: bool) -> Interpreter:
    prefix = Path(own_prefix)
    if carried or _is_ours_alone(prefix):
        found = _on_path(environment, None if carried else prefix)
        if found and _has_numpy(found):
            return Interpreter(found, "PATH")
    return Interpreter(sys.executable, "the Python that runs nst")


def _on_path(environment: Mapping[str, str], beside: Path | None) -> str | None:
    """The first `python3` (or `python`) of the `PATH` that is not of the environment `beside`."""
    folders = [folder for folder in environment.get("PATH", "").split(os.pathsep) if folder]
    elsewhere = os.pathsep.join(one for one in folders if beside is None or not Path(one).is_relative_to(beside))
    return shutil.which("python3", path=elsewhere) or shutil.which("python", path=elsewhere)


def _is_ours_alone(prefix: Path) -> bool:
    """Whether an installer made an environment for nst and nothing else."""
    signs = ("pipx_metadata.json", "uv-receipt.toml")
    return any((prefix / name).is_file() for name in signs) or "mason" in prefix.parts or _is_a_hooks(prefix)


def _is_a_hooks(prefix: Path) -> bool:
    """Whether pre-commit made an environment for nst alone: one with `additional_dependencies` is the project's."""
    if not any((prefix / f".install_state_v{version}").is_file() for version in (1, 2)):
        return False
    try:
        state = json.loads((prefix / ".install_state_v1").read_text(encoding="utf-8"))
        return not state["additional_dependencies"]
    except (OSError, ValueError, KeyError, TypeError):
        return True


@cache
def _has_numpy(python: str) -> bool:
    """Whether NumPy lies where an interpreter's packages do, which tells without starting it."""
    prefixes = {Path(path).parent.parent for path in (python, os.path.realpath(python))}  # of a venv, of its base
    places = (
        "lib/python3*/site-packages",
        "lib/python3*/dist-packages",
        "lib/python3/dist-packages",
        "Lib/site-packages",
    )
    return any(any(prefix.glob(f"{place}/numpy/__init__.py")) for prefix in prefixes for place in places)


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
    """The interpreter in the folder of an environment."""
    names = ("Scripts/python.exe", "python.exe") if os.name == "nt" else ("bin/python", "bin/python3")
    return next((str(environment / name) for name in names if (environment / name).is_file()), None)
