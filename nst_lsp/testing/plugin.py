"""The pytest plugin, as pytest loads it in every run: options, and `assert_graph`.

What an option asks for is imported where it is given.  `--nst` adds the examples of the project as tests
(`examples.py`), `--nst-record` remembers the calls of the project's functions (`recording.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from . import assert_graph as _assert_graph
from .keeping import Keeping
from .snapshots import FOLDER


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("nst", "non-strict tracing (nst-lsp)")
    group.addoption("--nst", action="store_true", help="Trace the examples of the project, each as a test.")
    group.addoption(
        "--nst-fail-on",
        choices=["error", "warning", "information"],
        default="warning",
        help="The least severity of a finding that fails an example (default: %(default)s).",
    )
    group.addoption("--nst-update", action="store_true", help="Keep the graphs that assert_graph finds.")
    group.addoption(
        "--nst-record", action="store_true", help="Record calls of the project's functions, for `nst init`."
    )
    parser.addini("nst_paths", "Files and folders whose examples --nst traces (default: the root).", "args", [])


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Keeping(config), "nst-graphs")
    if config.getoption("nst"):
        from .examples import Examples

        config.pluginmanager.register(Examples(config), "nst-examples")
    if config.getoption("nst_record"):
        from .recording import Recording

        config.pluginmanager.register(Recording(config), "nst-recording")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """What is kept is no test, though its name may begin like one."""
    return True if collection_path.name == FOLDER else None


@pytest.fixture
def assert_graph() -> Callable[..., None]:
    """Assert that a function has the graph that is kept beside the test: `assert_graph(fn, *args, **kwargs)`."""
    return _assert_graph
