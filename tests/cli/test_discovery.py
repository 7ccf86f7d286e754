"""Which files are looked at, in which project they lie, and which interpreter runs them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nst_lsp.checking.discovery import python_files
from nst_lsp.interpreters import choose_interpreter, project_root

EXAMPLE = "# nst: example(1)\ndef f(x): return x\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    files = {
        "b.py": EXAMPLE,
        "a.py": ">>> doctest\n",
        "plain.py": "x = 1\n",
        "text.txt": EXAMPLE,
        "pkg/inner.py": EXAMPLE,
        "pkg/gen/made.py": EXAMPLE,
        ".hidden/no.py": EXAMPLE,
        "node_modules/no.py": EXAMPLE,
        "env/pyvenv.cfg": "",
        "env/lib/no.py": EXAMPLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def names(tree: Path, *paths: str, exclude: str = "nothing") -> list[str]:
    found = python_files([str(tree / path) for path in paths], lambda path: path.name == exclude)
    return [Path(path).relative_to(tree).as_posix() for path in found]


def test_a_folder_gives_its_files_with_examples_in_order(tree: Path):
    assert names(tree, ".") == ["a.py", "b.py", "pkg/inner.py", "pkg/gen/made.py"]


def test_a_named_file_is_taken_as_it_is(tree: Path):
    assert names(tree, "plain.py", "pkg/gen/made.py", ".hidden/no.py", exclude="made.py") == [
        "plain.py",
        "pkg/gen/made.py",
        ".hidden/no.py",
    ]


def test_a_picky_run_takes_of_the_named_files_what_a_folder_would_give(tree: Path):
    named = [str(tree / name) for name in ("b.py", "plain.py", "text.txt", "pkg/gen/made.py")]
    assert python_files(named, lambda path: path.name == "made.py", picky=True) == named[:1]


def test_a_word_is_no_example(tree: Path):
    """To check a file is to run it."""
    (tree / "setup.py").write_text("raise SystemExit  # for example; specifically\n")
    assert "setup.py" not in names(tree, ".")


def test_excluded_folders_and_files_are_left_out(tree: Path):
    assert names(tree, ".", exclude="gen") == ["a.py", "b.py", "pkg/inner.py"]
    assert names(tree, ".", exclude="b.py") == ["a.py", "pkg/inner.py", "pkg/gen/made.py"]


def test_arrays_in_annotations_are_examples_where_the_settings_tell_ranks(tree: Path):
    (tree / "pkg" / "typed.py").write_text("def f(x: np.ndarray): return x\n")
    (tree / "typed.py").write_text("def f(x: np.ndarray): return x\n")
    found = python_files([str(tree)], lambda path: False, lambda path: path.parent.name == "pkg")
    assert [Path(path).relative_to(tree).as_posix() for path in found if "typed" in path] == ["pkg/typed.py"]


def test_each_file_once(tree: Path):
    assert names(tree, "b.py", "pkg", ".") == ["b.py", "pkg/inner.py", "pkg/gen/made.py", "a.py"]


# ---- projects --------------------------------------------------------------------------------------


def test_the_nearest_project_file_is_the_root(tree: Path):
    (tree / "pyproject.toml").write_text("")
    assert project_root(str(tree / "pkg" / "inner.py")) == str(tree)
    (tree / "pkg" / "setup.cfg").write_text("")
    assert project_root(str(tree / "pkg" / "inner.py")) == str(tree / "pkg")


def test_without_one_the_current_folder_or_the_outermost_package(tree: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tree / "env")
    (tree / "pkg" / "__init__.py").write_text("")
    (tree / "pkg" / "gen" / "__init__.py").write_text("")
    assert project_root(str(tree / "pkg" / "gen" / "made.py")) == str(tree)
    monkeypatch.chdir(tree)
    assert project_root(str(tree / "pkg" / "gen" / "made.py")) == str(tree)


# ---- interpreters ----------------------------------------------------------------------------------


def environment(folder: Path) -> str:
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    python.parent.mkdir(parents=True)
    python.touch()
    return str(python)


def test_the_first_of_what_was_asked_configured_active_and_there(tmp_path: Path):
    root = str(tmp_path)
    assert choose_interpreter(root, environment={}).path == sys.executable
    own = environment(tmp_path / ".venv")
    assert choose_interpreter(root, environment={}).path == own
    active = environment(tmp_path / "active")
    variables = {"VIRTUAL_ENV": str(tmp_path / "active")}
    assert choose_interpreter(root, environment=variables).path == active
    assert choose_interpreter(root, None, "envs/bin/python", variables).path == str(tmp_path / "envs/bin/python")
    assert choose_interpreter(root, None, "python3.12", variables).path == "python3.12"
    assert choose_interpreter(root, "/asked", "configured", variables).path == "/asked"


def test_an_environment_that_is_gone_is_passed_over(tmp_path: Path):
    gone = {"VIRTUAL_ENV": str(tmp_path / "gone")}
    assert choose_interpreter(str(tmp_path), environment=gone).path == sys.executable
