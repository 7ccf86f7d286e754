"""One Neovim with the plugin for all tests that need no other, as starting it, the server and a worker takes long."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.nvim.neovim import Neovim, neovim
from tests.nvim.sample import new_project, open_file, set_up


@pytest.fixture(scope="session")
def editor() -> Iterator[Neovim]:
    with neovim(set_up("With the plugin")) as running:
        yield running


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture
def tidy(editor: Neovim) -> Iterator[None]:
    """What a test opened in the Neovim of all tests is closed after it."""
    yield
    editor.lua("driver.tidy()")


@pytest.fixture
def reader(editor: Neovim, project: Path, tidy: None) -> Neovim:
    """Neovim with SOURCE open, for tests that change nothing."""
    path = project / "read.py"
    open_file(editor, path if path.exists() else new_project(project, name=path.name))
    return editor


_NUMBERS = count()


@pytest.fixture
def writer(editor: Neovim, project: Path, tidy: None) -> Neovim:
    """Neovim with SOURCE open in a file of its own, for one test alone."""
    open_file(editor, new_project(project, name=f"written_{next(_NUMBERS)}.py"))
    return editor
