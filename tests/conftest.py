"""What holds for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

# Hundreds of servers, workers and commands are started: each would compile all of our modules anew, which is nearly
# half of the time that it needs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def the_environment_is_as_it_was() -> Iterator[None]:
    """What a test or a library that it imports sets (Dask sets a few) is not there for the tests after it."""
    before = dict(os.environ)
    yield
    for name in (os.environ.keys() | before.keys()) - {"PYTEST_CURRENT_TEST"}:  # that is pytest's own
        if name not in before:
            del os.environ[name]
        elif os.environ.get(name) != before[name]:
            os.environ[name] = before[name]


@pytest.fixture(scope="session", autouse=True)
def results_of_before_are_not_used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """`nst check` keeps results: the tests have a folder of their own for them, and none from an earlier day."""
    os.environ["NST_CACHE_DIR"] = str(tmp_path_factory.mktemp("nst-cache"))
    yield
    del os.environ["NST_CACHE_DIR"]
