"""Which interpreter is chosen, and what is said of where it came from."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nst_lsp.interpreters import Interpreter, choose_interpreter


def environment(folder: Path) -> str:
    """An environment's folder with something like an interpreter in it; returns the interpreter's path."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    return str(python)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "above" / "project"
    folder.mkdir(parents=True)
    return folder


def test_what_is_asked_for_comes_first(root: Path) -> None:
    environment(root / ".venv")
    chosen = choose_interpreter(str(root), asked="/opt/python", configured="python3.12", environment={})
    assert chosen == Interpreter("/opt/python", "--python")


def test_settings_are_relative_to_the_root(root: Path) -> None:
    assert choose_interpreter(str(root), configured="env/bin/python", environment={}).path == str(
        root / "env/bin/python"
    )
    assert choose_interpreter(str(root), configured="python3.12", environment={}).path == "python3.12"


def test_an_active_environment_comes_before_the_projects_own(root: Path, tmp_path: Path) -> None:
    environment(root / ".venv")
    active, conda = environment(tmp_path / "active"), environment(tmp_path / "conda")
    variables = {"VIRTUAL_ENV": str(tmp_path / "active"), "CONDA_PREFIX": str(tmp_path / "conda")}
    assert choose_interpreter(str(root), environment=variables) == Interpreter(active, "VIRTUAL_ENV")
    del variables["VIRTUAL_ENV"]
    assert choose_interpreter(str(root), environment=variables) == Interpreter(conda, "CONDA_PREFIX")


def test_an_active_environment_that_is_gone_is_passed_over(root: Path, tmp_path: Path) -> None:
    own = environment(root / ".venv")
    variables = {"VIRTUAL_ENV": str(tmp_path / "gone")}
    assert choose_interpreter(str(root), environment=variables) == Interpreter(own, ".venv of the project")


@pytest.mark.parametrize("name", [".venv", "venv"])
def test_the_projects_own_environment(root: Path, name: str) -> None:
    own = environment(root / name)
    assert choose_interpreter(str(root), environment={}) == Interpreter(own, f"{name} of the project")


def test_an_environment_above_the_root(root: Path) -> None:
    above = environment(root.parent / ".venv")
    assert choose_interpreter(str(root), environment={}) == Interpreter(above, str(root.parent / ".venv"))


def test_the_nearest_environment_wins(root: Path) -> None:
    environment(root.parent / ".venv")
    own = environment(root / "venv")
    assert choose_interpreter(str(root), environment={}).path == own


def test_else_the_one_that_runs_us(root: Path) -> None:
    assert choose_interpreter(str(root), environment={}).path == sys.executable
