"""What pytest-xdist's processes hand to each other: plain data, under one key for each of our plugins."""

from __future__ import annotations

from typing import Any

import pytest


def is_worker(config: pytest.Config) -> bool:
    """Whether this process runs a share of the tests for another."""
    return hasattr(config, "workerinput")


def given(config: pytest.Config, key: str) -> Any:
    """What the process that started this worker gave it; None in that process itself."""
    return getattr(config, "workerinput", {}).get(key)


def hand_over(config: pytest.Config, key: str, value: Any) -> None:
    """Give a worker's result, of what JSON knows, to the process that started it."""
    getattr(config, "workeroutput")[key] = value  # noqa: B009  # xdist puts it there


def handed_over(node: Any, key: str) -> Any:
    """What a worker that has ended gave; None where it crashed."""
    return getattr(node, "workeroutput", {}).get(key)
