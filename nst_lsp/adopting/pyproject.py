"""The settings of a project that has none: a table at the end of its pyproject.toml.

What is there stays as it is, to the letter; a file that has `[tool.nst]` is left alone.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

_TESTS = ("tests", "test")


class NotWrittenError(Exception):
    """The settings cannot be written; the message says why."""


def with_settings(text: str, root: Path) -> str:
    """The text of pyproject.toml with `[tool.nst]`.  Raises NotWrittenError."""
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotWrittenError(f"pyproject.toml is not valid: {error}") from error
    tool = known.get("tool", {})
    if not isinstance(tool, dict) or "nst" in tool:
        return text
    end = "\r\n" if "\r\n" in text else "\n"
    lines = ["[tool.nst]", *_settings(root)]
    before = text + ("" if not text or text.endswith("\n") else end) + (end if text.strip() else "")
    after = before + end.join(lines) + end
    try:
        tomllib.loads(after)
    except tomllib.TOMLDecodeError as error:
        raise NotWrittenError(f"[tool.nst] does not fit in pyproject.toml: {error}") from error
    return after


def _settings(root: Path) -> list[str]:
    """The settings that are worth writing: what `nst check` need not look at."""
    tests = [name for name in _TESTS if (root / name).is_dir()]
    listed = ", ".join(f'"{name}"' for name in tests)
    return [f"exclude = [{listed}]"] if tests else []
