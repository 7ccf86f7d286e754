"""The setting `allow`: which effects user code may have outside of its scratch folder.

Each text is a kind of effect, for all of it (`write`), or a kind and a target (`write:out/*.npy`, `network:localhost`,
`subprocess:git`).  The settings have been checked (`wire.known_effect`); what is not known allows nothing.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from . import wire


@dataclass(slots=True)
class Permits:
    everything: frozenset[str]
    """The kinds that are allowed without a target."""
    targets: tuple[tuple[str, str], ...]
    addresses: set[str] = field(default_factory=set)
    """What the names of allowed hosts stood for."""

    def allow(self, kind: str, target: str) -> bool:
        if kind in self.everything:
            return True
        matches = _path_matches if kind == "write" else _name_matches
        if any(kind == own and matches(target, pattern) for own, pattern in self.targets):
            return True
        return kind == "network" and _host(target) in self.addresses

    def roots(self) -> list[str] | None:
        """Existing files and folders below which all that may be written lies; None for everywhere."""
        if "write" in self.everything:
            return None
        return [_existing(pattern) for kind, pattern in self.targets if kind == "write"]

    def some(self, kind: str) -> bool:
        return kind in self.everything or any(kind == own for own, _ in self.targets)


def read(texts: Iterable[str]) -> Permits:
    everything, targets = set(), []
    for text in texts:
        kind, colon, target = text.partition(":")
        if not wire.known_effect(text):
            continue
        if not colon:
            everything.add(kind)
        else:
            targets.append((kind, _pattern(target) if kind == "write" else target.lower()))
    return Permits(frozenset(everything), tuple(targets))


def _pattern(path: str) -> str:
    """A path or glob as absolute text; a relative one starts at the root, where the worker runs."""
    return os.path.abspath(os.path.expanduser(path))


def _path_matches(path: str, pattern: str) -> bool:
    """A path means itself and all below it."""
    while True:
        if fnmatch.fnmatchcase(path, pattern):
            return True
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent


def _name_matches(target: str, pattern: str) -> bool:
    """A host with or without its port, a program with or without its folder."""
    target = target.lower()
    names = {target, _host(target), os.path.basename(target)}
    if _host(target) in ("127.0.0.1", "::1"):
        names.add("localhost")
    return any(fnmatch.fnmatchcase(name, pattern) for name in names)


def _host(target: str) -> str:
    host, colon, port = target.rpartition(":")
    return host if colon and port.isdigit() else target


def _existing(pattern: str) -> str:
    """The longest beginning of a pattern that is there and has no wildcard."""
    while any(sign in pattern for sign in "*?[") or not os.path.exists(pattern):
        pattern = os.path.dirname(pattern)
    return pattern
