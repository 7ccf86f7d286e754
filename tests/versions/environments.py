"""Virtual environments in `.venv-versions/`, each made once.

A stamp has the interpreter and the requirements that it was made of; where these are others, it is made anew.
The newest NumPy is the one that was newest then; `make clean` forgets it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.versions.matrix import ROOT, Combination

FOLDER = ROOT / ".venv-versions"


class NotMade(Exception):
    """What pip or venv said as it failed."""


def python_of(combination: Combination) -> str:
    return str(FOLDER / combination.name / "bin" / "python")


def make(combination: Combination) -> None:
    """Make the environment if it is not there as wanted.  Raises NotMade."""
    folder = FOLDER / combination.name
    stamp = folder / ".installed"
    wanted = "\n".join([combination.interpreter, *combination.requirements, ""])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(exist_ok=True)
    _run(combination.interpreter, "-m", "venv", str(folder))
    pip = (python_of(combination), "-m", "pip", "install", "-q", "--disable-pip-version-check")
    _run(*pip, *combination.requirements)
    stamp.write_text(wanted, encoding="utf-8")


def versions(combination: Combination) -> tuple[str, str]:
    """The exact versions of Python and NumPy of an environment."""
    asked = "import platform, numpy; print(platform.python_version(), numpy.__version__)"
    python, numpy = _run(python_of(combination), "-c", asked).split()
    return python, numpy


def log_of(combination: Combination) -> Path:
    return FOLDER / combination.name / "tests.log"


def counts_of(combination: Combination) -> Path:
    return FOLDER / combination.name / "tests.xml"


def _run(*command: str) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise NotMade(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout
