"""Which Pythons and NumPys are tried together, and which Pythons this machine has.

A Python is looked for on the PATH, as `python3.x`, and among pyenv's; one that does not run does not count (pyenv puts
a `python3.x` on the PATH for versions that are not chosen).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
OLDEST_NUMPY = "1.26"

NEWEST = "newest"
MATRIX = (
    ("3.10", OLDEST_NUMPY, True),
    (NEWEST, NEWEST, True),
    ("3.11", OLDEST_NUMPY, False),
    ("3.11", "2.0", False),
    ("3.12", "2.2", False),
)
"""All tests: the oldest and the newest of both.  Fewer: old NumPy where columns are known, the first 2, one between."""

TOOLS = ("pytest", "pytest-asyncio", "pytest-timeout", "hypothesis", "scipy", "jaxtyping")
"""What the tests import beside NumPy, in the versions that pyproject.toml asks for."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One Python with one NumPy; `numpy` is a minor version, or the newest."""

    python: str
    numpy: str
    interpreter: str
    thorough: bool
    """Whether every function of NumPy is tried, and every rule of shapes."""

    @property
    def name(self) -> str:
        return f"{self.python}-{self.numpy}"

    @property
    def requirements(self) -> list[str]:
        return ["numpy" if self.numpy == NEWEST else f"numpy=={self.numpy}.*", *_tools()]


def interpreters() -> dict[str, str]:
    """The Pythons of this machine by version, the oldest first."""
    found = {version: _first_that_runs(version) for version in PYTHONS}
    return {version: path for version, path in found.items() if path is not None}


def combinations(found: dict[str, str]) -> tuple[list[Combination], list[str]]:
    """What can be tried with these Pythons, and what cannot, in words."""
    made, without = [], []
    for python, numpy, thorough in MATRIX:
        version = list(found)[-1] if python == NEWEST and found else python
        if version in found:
            made.append(Combination(version, numpy, found[version], thorough))
        else:
            without.append(f"Python {version} was not found: NumPy {numpy} was NOT tried with it")
    asked = {python for python, _, _ in MATRIX}
    others = [version for version in PYTHONS if version not in found and version not in asked]
    return made, without + [f"Python {version} was not found, and NOT tried" for version in others]


def too_few(tried: list[Combination]) -> str | None:
    """What is missing for the result to mean something."""
    if len({each.python for each in tried}) < 2:
        return "fewer than two different Pythons were found"
    if not any(each.numpy == OLDEST_NUMPY for each in tried):
        return f"no Python was found to try NumPy {OLDEST_NUMPY} with"
    return None


def _first_that_runs(version: str) -> str | None:
    return next((path for path in _candidates(version) if _is(path, version)), None)


def _candidates(version: str) -> Iterator[str]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield os.path.join(folder, f"python{version}")
    pyenv = shutil.which("pyenv")
    if pyenv is not None:
        root = subprocess.run([pyenv, "root"], capture_output=True, text=True, check=True).stdout.strip()
        yield from (str(path) for path in Path(root).glob(f"versions/{version}.*/bin/python"))


def _is(path: str, version: str) -> bool:
    """Whether this runs, and is that version."""
    if not os.access(path, os.X_OK):
        return False
    asked = [path, "-c", "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == version


def _tools() -> list[str]:
    with open(ROOT / "pyproject.toml", "rb") as file:
        wanted: list[str] = tomllib.load(file)["project"]["optional-dependencies"]["dev"]
    return [next(each for each in wanted if each.startswith(f"{tool}>=")) for tool in TOOLS]
