"""What torch calls the source of a value (`L['self']._modules['a'].training`), as the user wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_ROOT = re.compile(r"(?P<scope>[LG])\[(?P<quote>['\"])(?P<name>\w+)(?P=quote)\]")
_MEMBER = re.compile(r"\._(?:modules|parameters|buffers)\[(['\"])(\w+)\1\]")
_SIZE = re.compile(r"\.size\(\)\[(\d+)\]")
_CELL = re.compile(r"\w+\.__closure__\[(\d+)\]\.cell_contents")
_INTERNAL = re.compile(
    r"___|__import_|__builtins|\._(?!\w*\()|__(?:dict|class|code|closure|defaults|kwdefaults)__|utils_device"
)
"""What is no word of the user's: Dynamo's own names, and private attributes of modules."""


def in_words(source: str, function: Callable[..., Any], renamed: dict[str, str] | None = None) -> str:
    """A source as the user would write it, or "" where it has no such name.

    `renamed` has the user's words for beginnings of sources that are not the user's own (`L['a'][0]`: a wrapper's).
    """
    for ours, theirs in (renamed or {}).items():
        if source.startswith(ours):
            source = f"L['{theirs}']{source[len(ours) :]}" if theirs.isidentifier() else theirs + source[len(ours) :]
    text = _ROOT.sub(lambda match: match["name"], source)
    free = getattr(getattr(function, "__code__", None), "co_freevars", ())
    text = _CELL.sub(lambda match: free[int(match[1])] if int(match[1]) < len(free) else match[0], text)
    while (shorter := _MEMBER.sub(r".\2", text)) != text:
        text = shorter
    text = re.sub(r"\.(\d+)(?=\.|$)", r"[\1]", text)
    text = _SIZE.sub(r".shape[\1]", text)
    return "" if not text or _INTERNAL.search(text) else text


def root(source: str) -> tuple[str, str]:
    """The scope (`L` or `G`) and the name that a source begins with; empty where it begins otherwise."""
    match = _ROOT.match(source)
    return (match["scope"], match["name"]) if match else ("", "")
