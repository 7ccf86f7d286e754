"""What is offered for everyday code holds: it compiles, leaves other functions alone, and the finding is gone."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from tests.fixes.mending import applied, findings, fixes, reports
from tracer.rules import Severity

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests" / "cases").glob("*.py"))
CODES = ("NST101", "NST204", "NST205", "NST206", "NST303", "NST304")
MENDABLE = [path for path in CASES if any(code in path.read_text(encoding="utf-8") for code in CODES)]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SAMPLE = [*random.Random(3).sample(MENDABLE, 15), *EXAMPLES[:1]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("everywhere")


def test_what_is_offered_holds(folder: Path):
    texts = [path.read_text(encoding="utf-8") for path in SAMPLE]
    offered = []
    for text, traced in zip(texts, reports(texts, folder), strict=True):
        known = {(finding.code, fix.edits): (text, finding, fix) for finding, fix in fixes(traced)}
        offered += list(known.values())
    assert len(offered) > 5
    changed = [applied(text, fix.edits) for text, _, fix in offered]
    for (text, _, fix), new in zip(offered, changed, strict=True):
        assert {*_functions(text).items()} - {*_functions(new).items()}, fix.title
        kept = {name for name, body in _functions(text).items() if _functions(new)[name] == body}
        lines = {edit.span.line for edit in fix.edits}
        assert kept >= {name for name, where in _lines(text).items() if not lines & where}, fix.title
    for (_, finding, fix), traced in zip(offered, reports(changed, folder), strict=True):
        left = [
            f
            for f in findings(traced)
            if (f.code, f.function, f.text) == (finding.code, finding.function, finding.text)
        ]
        assert all(f.severity is Severity.INFORMATION and f.code == "NST206" for f in left), fix.title


def _definitions(text: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    found: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[f"{node.name}:{len([n for n in found if n.startswith(node.name + ':')])}"] = node
    return found


def _functions(text: str) -> dict[str, str]:
    """The text of each function."""
    return {name: ast.get_source_segment(text, node) or "" for name, node in _definitions(text).items()}


def _lines(text: str) -> dict[str, set[int]]:
    return {name: set(range(n.lineno, (n.end_lineno or 0) + 1)) for name, n in _definitions(text).items()}
