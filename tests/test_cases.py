"""The marked cases: what `nst check` reports on everyday code is what the marks in it say, no more and no less.

The sources in `cases/` are the expectations; `marks.py` says how to read them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.marks import marks, problems, with_marks

CASES = sorted(Path(__file__).with_name("cases").glob("*.py"))
NST = Path(sys.executable).with_name("nst")


def nst(*arguments: str) -> Any:
    done = subprocess.run(
        [NST, *arguments, "--python", sys.executable, "--format", "json"], capture_output=True, text=True, timeout=600
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def reports() -> dict[str, Any]:
    """The entries of all cases, by the file's name, from one run."""
    return {Path(entry["path"]).name: entry for entry in nst("check", *map(str, CASES))["files"]}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_findings_are_those_marked(path: Path, reports: dict[str, Any]):
    source, entry = path.read_text(encoding="utf-8"), reports[path.name]
    assert entry["error"] is None
    wrong = problems(marks(source), entry["findings"], lambda: nst("compare", f"{path}::fn", "*WITNESS")["equal"])
    assert not wrong, "\n".join([*wrong, "", "the marks it got:", with_marks(source, entry["findings"])])


def test_every_case_with_an_example_has_a_function(reports: dict[str, Any]):
    """A case whose examples nobody saw would match its marks all too well."""
    silent = [
        path.name for path in CASES if not path.name.startswith("import_") and not reports[path.name]["functions"]
    ]
    assert not silent
