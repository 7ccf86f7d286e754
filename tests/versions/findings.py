"""The worker in another interpreter: `nst check` on the marked cases must find there what it finds in our own.

In Python 3.10, where code objects know lines and no columns, several findings of a line are one: there, each must
share a line with one of the same kind and weight of ours, and each of ours with one of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.versions.matrix import ROOT

CASES = "tests/cases"

_LITERAL_TABLE = "a key of a literal table is known by its columns"
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("look_ups_by_argument.py", "3.10"): f"{_LITERAL_TABLE}; NST601 says that something is",
    ("branch_on_enumeration.py", "3.10"): _LITERAL_TABLE,
}
"""Files that may differ in one version of Python, and why; one that does not differ is an error."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding, by what must be the same."""

    code: str
    severity: str
    start: tuple[int, int]
    end: tuple[int, int]

    def __str__(self) -> str:
        return f"{self.code} ({self.severity}) at {self.start[0]}:{self.start[1]}-{self.end[0]}:{self.end[1]}"

    def shares_a_line_with(self, other: Found) -> bool:
        return self.code == other.code and self.start[0] <= other.end[0] and other.start[0] <= self.end[0]


Report = dict[str, list[Found]]
"""The findings of each file, by its name."""


def report(python: str) -> Report:
    """What `nst check` of this environment says with a worker in `python`.  Raises RuntimeError if it cannot."""
    nst = Path(sys.executable).with_name("nst")
    asked = [str(nst), "check", CASES, "--python", python, "--format", "json", "--fail-on", "never"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode != 0 or not done.stdout:
        raise RuntimeError(f"nst check --python {python}: exit status {done.returncode}\n{done.stderr}")
    files = json.loads(done.stdout)["files"]
    return {Path(entry["path"]).name: list(map(_found, entry["findings"])) for entry in files}


def differences(report: Report, ours: Report, python: str) -> list[str]:
    """What is not the same, in words; `python` is the version of the interpreter that made `report`."""
    if not any(ours.values()):
        return ["our own interpreter found nothing"]
    compare = _by_line if python == "3.10" else _exactly
    said = []
    for name in sorted({*report, *ours}):
        differing = compare(report.get(name, []), ours.get(name, []))
        if (name, python) not in EXCEPTIONS:
            said += [f"{name}: {line}" for line in differing]
        elif not differing:
            said.append(f"{name}: does not differ, and EXCEPTIONS says so")
    return said


def _exactly(theirs: list[Found], ours: list[Found]) -> list[str]:
    more, less = Counter(theirs) - Counter(ours), Counter(ours) - Counter(theirs)
    return [f"{each} there, not here" for each in more] + [f"{each} here, not there" for each in less]


def _by_line(theirs: list[Found], ours: list[Found]) -> list[str]:
    said = []
    for each in theirs:
        alike = [one.severity for one in ours if each.shares_a_line_with(one)]
        if each.severity not in alike:
            said.append(f"{each} there; here {', '.join(alike) or 'not'}")
    said += [f"{one} here, not there" for one in ours if not any(one.shares_a_line_with(each) for each in theirs)]
    return said


def _found(finding: dict[str, Any]) -> Found:
    start, end = finding["range"]["start"], finding["range"]["end"]
    return Found(finding["code"], finding["severity"], (start["line"], start["column"]), (end["line"], end["column"]))
