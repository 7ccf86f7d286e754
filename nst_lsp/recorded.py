"""Calls that were recorded while a project's tests ran (`pytest --nst-record`), as they are kept for `nst init`.

`.nst/recorded.json`, functions by path and name, each with a few calls, the simplest first:

    {"schema": 1, "functions": [{"path": "src/model.py", "function": "Layer.forward", "calls": [
       {"arguments": "Layer(3), np.ones((2, 3))", "kinds": ["Layer", "float64[2, 3]"], "test": "tests/test_it.py::test"}
    ]}]}

`arguments` is what stands in the parentheses of an example.  The same tests give the same file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SCHEMA = 1
HOME = Path(".nst", "recorded.json")
_KEPT = 3
"""Calls of one function that are kept at most."""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    arguments: str
    kinds: tuple[str, ...]
    """What each argument was: `float64[2, 3]`, `int`, the name of a class."""
    test: str
    """The test during which it was seen first, in the order of their names; empty where none ran."""


@dataclass(frozen=True, slots=True)
class RecordedFunction:
    path: str
    """Relative to the root, with `/`."""
    function: str
    calls: tuple[RecordedCall, ...]


def read_recorded(root: Path) -> tuple[RecordedFunction, ...]:
    """What was recorded for a project; nothing where the file is missing or is none of ours."""
    try:
        data = json.loads((root / HOME).read_text(encoding="utf-8"))
        return tuple(_function(one) for one in data["functions"]) if data["schema"] == SCHEMA else ()
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _function(data: Any) -> RecordedFunction:
    calls = (RecordedCall(one["arguments"], tuple(one["kinds"]), one["test"]) for one in data["calls"])
    return RecordedFunction(data["path"], data["function"], tuple(calls))


def write_recorded(root: Path, functions: Iterable[RecordedFunction]) -> Path:
    """Keep the calls, in a folder that git ignores by itself.  Raises OSError."""
    path = root / HOME
    path.parent.mkdir(exist_ok=True)
    ignored = path.parent / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", encoding="utf-8")
    data = {"schema": SCHEMA, "functions": [asdict(one) for one in functions]}
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return path


def merged(functions: Iterable[RecordedFunction]) -> list[RecordedFunction]:
    """The calls of several processes as one would have them: sorted, of each function a few that differ in kind."""
    together: dict[tuple[str, str], list[RecordedCall]] = {}
    for one in functions:
        together.setdefault((one.path, one.function), []).extend(one.calls)
    return [RecordedFunction(*key, tuple(_chosen(calls))) for key, calls in sorted(together.items())]


def simplest(calls: Iterable[RecordedCall]) -> RecordedCall:
    """The one to keep of calls with arguments of the same kinds."""
    return min(calls, key=_simplicity)


def _chosen(calls: Iterable[RecordedCall]) -> Iterator[RecordedCall]:
    """One of each dtype and rank first, then others of the same."""
    by_kinds: dict[tuple[str, ...], list[RecordedCall]] = {}
    for call in calls:
        by_kinds.setdefault(call.kinds, []).append(call)
    distinct = sorted((simplest(alike) for alike in by_kinds.values()), key=_simplicity)
    first: dict[tuple[str, ...], RecordedCall] = {}
    for call in distinct:
        first.setdefault(tuple(_SIZE.sub("n", kind) for kind in call.kinds), call)
    others = [call for call in distinct if call not in first.values()]
    yield from [*first.values(), *others][:_KEPT]


_SIZE = re.compile(r"\d+(?=[,\]])")
_POOR = re.compile(r"[\[ ][01](?=[,\]])")
"""A size of 0 or 1, which broadcasts and hides faults."""


def _simplicity(call: RecordedCall) -> tuple[bool, int, str, str]:
    poor = any(_POOR.search(kind) for kind in call.kinds)
    return poor, len(call.arguments), call.arguments, call.test
