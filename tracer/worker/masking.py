"""Secrets of the environment do not leave the worker: not in findings, graphs, captured output or texts of exceptions.

A variable is taken for a secret by its name (`API_TOKEN`, `DB_PASSWORD`).  Its value is masked wherever it stands, also
where only its beginning does.  Short values are not: they would be masked in the middle of words.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from . import environment

MASK = "•••"
_NAME = re.compile(
    r"TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|CREDENTIAL|API_?KEY|PRIVATE|(^|_)(PASS|KEY|KEYS|AUTH|AUTHORIZATION|PAT|DSN)(_|$)",
    re.IGNORECASE,
)
_SHORTEST = 6
_BEGINNING = 8
"""Characters of a long secret that give it away."""
_STRUCTURE = frozenset({"type", "path", "severity", "status", "verdict", "origin"})
"""Fields of messages that are none of the user's text."""


def secrets() -> list[str]:
    """The values to be masked, longest first."""
    found: set[str] = set()
    for name, given in environment.variables().items():
        value = given.strip()
        if _NAME.search(name) and len(value) >= _SHORTEST and not os.path.exists(value):
            parts = [value, *(line for line in value.split("\n") if len(line) >= 2 * _BEGINNING)]
            found.update(parts, (repr(part)[1:-1] for part in parts))
    return sorted(found, key=len, reverse=True)


def masked(text: str, hidden: Iterable[str] | None = None) -> str:
    """A text without secrets."""
    for secret in secrets() if hidden is None else hidden:
        beginning = secret[:_BEGINNING]
        at = text.find(beginning)
        while at >= 0:
            alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text[at:], secret, strict=False)))
            text = text[:at] + MASK + text[at + alike :]
            at = text.find(beginning, at + len(MASK))
    return text


def masked_data(data: Any, hidden: list[str] | None = None) -> Any:
    """What `wire.plain` made of a message, without secrets."""
    hidden = secrets() if hidden is None else hidden
    if not hidden:
        return data
    if isinstance(data, str):
        return masked(data, hidden)
    if isinstance(data, list):
        return [masked_data(item, hidden) for item in data]
    if isinstance(data, dict):
        return {key: item if key in _STRUCTURE else masked_data(item, hidden) for key, item in data.items()}
    return data
