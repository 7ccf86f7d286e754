"""Which interpreter is chosen, and what is said of where it came from."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from nst_lsp.interpreters import Interpreter, choose_interpreter, short_name, way_out


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


# ---- what else people have -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [".venv", "other"])
def test_the_folder_of_an_environment_means_its_interpreter(root: Path, name: str) -> None:
    inside = environment(root / name)
    assert choose_interpreter(str(root), configured=name, environment={}).path == inside
    assert choose_interpreter(str(root), asked=str(root / name), environment={}).path == inside


def test_condas_base_is_always_active_and_comes_after_the_projects_own(root: Path, tmp_path: Path) -> None:
    base = environment(tmp_path / "conda")
    variables = {"CONDA_PREFIX": str(tmp_path / "conda"), "CONDA_DEFAULT_ENV": "base"}
    assert choose_interpreter(str(root), environment=variables) == Interpreter(base, "CONDA_PREFIX")
    own = environment(root / ".venv")
    assert choose_interpreter(str(root), environment=variables).path == own
    named = {**variables, "CONDA_DEFAULT_ENV": "work"}
    assert choose_interpreter(str(root), environment=named).path == base


def test_conventions_of_project_tools(root: Path, tmp_path: Path) -> None:
    elsewhere = environment(tmp_path / "elsewhere")
    (root / ".pdm-python").write_text(f"{elsewhere}\n")
    assert choose_interpreter(str(root), environment={}) == Interpreter(elsewhere, ".pdm-python of the project")
    pixi = environment(root / ".pixi" / "envs" / "default")
    assert choose_interpreter(str(root), environment={}).path == pixi
    uv = environment(root / "made-by-uv")
    assert choose_interpreter(str(root), environment={"UV_PROJECT_ENVIRONMENT": "made-by-uv"}).path == uv


@pytest.mark.parametrize("content", ["", "/nowhere/python\n", "\0"])
def test_what_names_no_interpreter_is_passed_over(root: Path, content: str) -> None:
    (root / ".pdm-python").write_text(content)
    assert choose_interpreter(str(root), environment={}).path == sys.executable


@pytest.mark.parametrize("sign", ["pipx_metadata.json", "uv-receipt.toml"])
def test_an_environment_that_is_ours_alone_is_not_the_users(root: Path, tmp_path: Path, sign: str) -> None:
    python = Path(environment(tmp_path / "usr")).rename(tmp_path / "usr" / "bin" / "python3")
    python.chmod(0o755)
    variables = {"PATH": str(python.parent)}
    ours = tmp_path / "ours"
    ours.mkdir()
    assert choose_interpreter(str(root), environment=variables, own_prefix=str(ours)).path == sys.executable
    (ours / sign).touch()
    assert choose_interpreter(str(root), environment=variables, own_prefix=str(ours)).path == sys.executable  # no NumPy
    package = tmp_path / "usr2" / "lib" / "python3.11" / "site-packages" / "numpy" / "__init__.py"
    package.parent.mkdir(parents=True)
    package.touch()
    python = Path(environment(tmp_path / "usr2")).rename(tmp_path / "usr2" / "bin" / "python3")
    python.chmod(0o755)
    variables = {"PATH": str(python.parent)}
    chosen = choose_interpreter(str(root), environment=variables, own_prefix=str(ours))
    assert chosen == Interpreter(str(python), "PATH")
    assert choose_interpreter(str(root), environment=variables, carried=True) == chosen
    assert choose_interpreter(str(root), environment={"PATH": ""}, carried=True).path == sys.executable


def test_an_interpreter_is_named_after_its_environment(tmp_path: Path) -> None:
    virtual, conda, plain = (environment(tmp_path / name) for name in ("virtual", "conda", "plain"))
    (tmp_path / "virtual" / "pyvenv.cfg").touch()
    (tmp_path / "conda" / "conda-meta").mkdir()
    assert short_name("3.11.2", virtual) == "Python 3.11.2 (virtual)"
    assert short_name("3.11.2", conda) == "Python 3.11.2 (conda)"
    assert short_name("3.11.2", plain) == f"Python 3.11.2 ({plain})"


def test_the_way_out_fits_the_choice(root: Path) -> None:
    assert "Mend the setting" in way_out(Interpreter("/python", "the setting `python`"), str(root))
    assert str(root / ".venv") in way_out(Interpreter("/python", "VIRTUAL_ENV"), str(root))


# ---- under pre-commit ------------------------------------------------------------------------------


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """The environment that pre-commit made for the hook."""
    folder = tmp_path / "cache" / "py_env"
    environment(folder)
    (folder / ".install_state_v1").write_text(json.dumps({"additional_dependencies": []}))
    (folder / ".install_state_v2").touch()
    return folder


def active(folder: Path, *, numpy: bool = True) -> str:
    """An environment that can be found on the `PATH`; returns its interpreter."""
    python = Path(environment(folder)).rename(folder / "bin" / "python3")
    python.chmod(0o755)
    (folder / "pyvenv.cfg").touch()
    if numpy:
        package = folder / "lib" / "python3.11" / "site-packages" / "numpy"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
    return str(python)


def under(hooks: Path, *folders: Path) -> dict[str, str]:
    """The variables that pre-commit sets."""
    return {"VIRTUAL_ENV": str(hooks), "PATH": os.pathsep.join(str(one / "bin") for one in (hooks, *folders))}


def test_the_environment_of_a_hook_is_not_the_projects(root: Path, hooks: Path) -> None:
    own = environment(root / ".venv")
    assert choose_interpreter(str(root), environment=under(hooks)) == Interpreter(own, ".venv of the project")


def test_an_environment_that_was_active_before_the_hook_comes_first(root: Path, hooks: Path, tmp_path: Path) -> None:
    environment(root / ".venv")
    before = active(tmp_path / "active", numpy=False)
    variables = under(hooks, tmp_path / "active")
    assert choose_interpreter(str(root), environment=variables) == Interpreter(before, "PATH")


def test_a_python_of_the_path_is_taken_if_it_has_numpy(root: Path, hooks: Path, tmp_path: Path) -> None:
    system = active(tmp_path / "system")
    (tmp_path / "system" / "pyvenv.cfg").unlink()
    variables = under(hooks, tmp_path / "system")
    chosen = choose_interpreter(str(root), environment=variables, own_prefix=str(hooks))
    assert chosen == Interpreter(system, "PATH")
    (tmp_path / "system/lib/python3.11/site-packages/numpy/__init__.py").unlink()
    other = tmp_path / "other"
    os.rename(tmp_path / "system", other)  # what is known of an interpreter is remembered
    chosen = choose_interpreter(str(root), environment=under(hooks, other), own_prefix=str(hooks))
    assert chosen.source == "the Python that runs nst"


def test_a_hook_with_dependencies_of_the_project_has_its_environment(root: Path, hooks: Path) -> None:
    environment(root / ".venv")
    (hooks / ".install_state_v1").write_text(json.dumps({"additional_dependencies": ["scipy"]}))
    chosen = choose_interpreter(str(root), environment=under(hooks))
    assert chosen == Interpreter(str(hooks / "bin" / "python"), "VIRTUAL_ENV")
