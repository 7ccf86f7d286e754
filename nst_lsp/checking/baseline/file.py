"""The baseline's file: JSON with one finding a line, in a fixed order.

    {"schema": 1, "paths": ["."], "findings": [
    {"path": "ops.py", "function": "scale", "code": "NST102", "text": "x.shape[0] > 2", "severity": "warning"},
    null]}

`paths` are what `nst check` was given when the whole was written: only a run over all of them can tell that a finding
is gone.  Paths are relative to the file's folder, with forward slashes.  Of findings that are alike in every field
there is one line with a `count`.  No line number is kept: code above a finding may grow and shrink.

The last element is null so that every finding's line ends with a comma: to add or remove one touches no other line,
and what git's `merge=union` makes of two branches is a baseline again.  A line that such a merge doubled with another
count means the larger one.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tracer.rules import Severity

SCHEMA = 1
DEFAULT_NAME = ".nst-baseline.json"


class BaselineError(Exception):
    """A baseline that cannot be used; the text says where and why."""


Key = tuple[str, str, str, str]
"""What makes two findings the same: file, function, rule and expression.  The severity is evidence, which may grow."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A finding by what stays the same when the code around it changes."""

    path: str
    function: str
    code: str
    text: str
    """The expression, shortened (`matching.shortened`)."""
    severity: Severity

    @property
    def key(self) -> Key:
        return self.path, self.function, self.code, self.text


@dataclass(frozen=True, slots=True)
class Baseline:
    paths: tuple[str, ...] = ()
    """What the runs that wrote it looked at, relative to its folder."""
    known: Mapping[Entry, int] = field(default_factory=dict)
    """How often each is known."""
    by_key: Mapping[Key, list[Entry]] = field(init=False, repr=False, compare=False)
    """The entries that mean the same finding, each as often as it is known."""

    def __post_init__(self) -> None:
        by_key: dict[Key, list[Entry]] = {}
        for entry, count in self.known.items():
            by_key.setdefault(entry.key, []).extend([entry] * count)
        object.__setattr__(self, "by_key", by_key)

    @property
    def total(self) -> int:
        return sum(self.known.values())


def read(path: Path) -> Baseline:
    """Raises `BaselineError`, also where there is no such file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BaselineError(f"{path}: there is no such baseline; `nst check --write-baseline` makes it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(f"{path}: {error}") from error
    try:
        return parse(text)
    except BaselineError as error:
        raise BaselineError(f"{path}{error}") from None


def write(path: Path, baseline: Baseline) -> None:
    """Replace the file as a whole, so that nobody reads half of one.  Raises `BaselineError`."""
    staging = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A lone surrogate, as the name of a file may have, becomes the escape that JSON has for it.
        staging.write_text(spelled(baseline), encoding="utf-8", errors="backslashreplace", newline="\n")
        staging.replace(path)
    except OSError as error:
        staging.unlink(missing_ok=True)
        raise BaselineError(f"{path}: {error}") from error


def spelled(baseline: Baseline) -> str:
    head = json.dumps({"schema": SCHEMA, "paths": baseline.paths}, ensure_ascii=False).removesuffix("}")
    lines = [json.dumps(_fields(entry, count), ensure_ascii=False) for entry, count in sorted(baseline.known.items())]
    return "".join(f"{line}\n" for line in [f'{head}, "findings": [', *(f"{line}," for line in lines), "null]}"])


def _fields(entry: Entry, count: int) -> dict[str, Any]:
    fields = {name: getattr(entry, name) for name in _TEXTS} | {"severity": entry.severity.value}
    return fields | ({"count": count} if count > 1 else {})


# ---- reading ---------------------------------------------------------------------------------------

_TEXTS = ("path", "function", "code", "text")


def parse(text: str) -> Baseline:
    """Raises `BaselineError`, whose text begins with the place in the file: `:3: …`."""
    conflict = re.search(r"^<{7} ", text, re.MULTILINE)
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        raise BaselineError(f":{line}: a merge conflict: keep the findings of both sides, then write the baseline anew")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise BaselineError(f":{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise BaselineError(": not a baseline: nested too deeply") from None
    if not isinstance(document, dict) or "schema" not in document:
        raise BaselineError(': not a baseline: no object with a "schema"')
    if document["schema"] != SCHEMA:
        raise BaselineError(
            f": its schema is {document['schema']!r}, and this nst knows {SCHEMA}: a newer nst wrote it"
        )
    paths, findings = document.get("paths", []), document.get("findings")
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise BaselineError(':1: "paths" is not a list of texts')
    if not isinstance(findings, list):
        raise BaselineError(':1: "findings" is not a list')
    known: Counter[Entry] = Counter()
    for found in findings:
        if found is not None:
            entry, count = _entry(found, text)
            known[entry] = max(known[entry], count)
    return Baseline(tuple(paths), known)


def _entry(found: Any, text: str) -> tuple[Entry, int]:
    if not isinstance(found, dict):
        raise BaselineError(f"{_line_of(found, text)}: a finding is not an object")
    for name in _TEXTS:
        if not isinstance(found.get(name), str):
            raise BaselineError(f'{_line_of(found, text)}: "{name}" is not a text')
    severities = {severity.value: severity for severity in Severity}
    severity = found.get("severity")
    if not isinstance(severity, str) or severity not in severities:
        raise BaselineError(f'{_line_of(found, text)}: "severity" is not one of {", ".join(severities)}')
    count = found.get("count", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise BaselineError(f'{_line_of(found, text)}: "count" is not a number above 0')
    path, function, code, expression = (found[name] for name in _TEXTS)
    return Entry(path, function, code, expression, severities[severity]), count


def _line_of(found: Any, text: str) -> str:
    """The place of a finding that is wrong: its line, where the file is laid out as we do."""
    numbers = (number for number, line in enumerate(text.splitlines(), 1) if found in _values(line))
    return next((f":{number}" for number in numbers), "")


def _values(line: str) -> Iterator[Any]:
    try:
        yield json.loads(line.strip().removesuffix(","))
    except ValueError:
        return
