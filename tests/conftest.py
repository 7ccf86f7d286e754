"""What holds for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

# Hundreds of servers, workers and commands are started: each would compile all of our modules anew, which is nearly
# half of the time that it needs.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session", autouse=True)
def results_of_before_are_not_used(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """`nst check` keeps results: the tests have a folder of their own for them, and none from an earlier day."""
    os.environ["NST_CACHE_DIR"] = str(tmp_path_factory.mktemp("nst-cache"))
    yield
    del os.environ["NST_CACHE_DIR"]
