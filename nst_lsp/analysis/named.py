"""Results with the paths that the editor knows files by, where links lead elsewhere.

A worker loads files under their real paths, as Python would not load one file twice.  An editor that opened a folder
or a file through a link is told of it by the name it used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from tracer.worker.wire import Place

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Names:
    files: Mapping[str, str]
    """The editor's path of an open file by the real one, where they differ."""
    folder: tuple[str, str] | None = None
    """The real path of the root and the editor's, where they differ; with separators at their ends."""

    def of(self, path: str) -> str:
        if path in self.files:
            return self.files[path]
        if self.folder is not None and path.startswith(self.folder[0]):
            return self.folder[1] + path[len(self.folder[0]) :]
        return path


def named(message: T, names: Names) -> T:
    """A message with its places under the editor's names."""
    return message if not names.files and names.folder is None else _named(message, names)


def _named(value: Any, names: Names) -> Any:
    if isinstance(value, Place):
        return replace(value, path=names.of(value.path))
    if isinstance(value, tuple):
        return tuple(_named(one, names) for one in value)
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        changed = {name: new for name, old in held.items() if (new := _named(old, names)) is not old}
        return replace(value, **changed)
    return value
