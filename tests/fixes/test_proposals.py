"""What is proposed, for a finding at any place of ordinary code, parses, and has all the comments that were there."""

from __future__ import annotations

import ast
import io
import random
import tokenize
from collections import Counter
from pathlib import Path

import pytest

from tracer.fixes.proposals import PROPOSERS, proposed
from tracer.fixes.text import Text, applied
from tracer.positions import SourceFile, range_of
from tracer.rules import Severity
from tracer.worker.wire import Finding

ROOT = Path(__file__).parents[2]
FILES = [*sorted((ROOT / "tracer").glob("[a-f]*.py")), *sorted((ROOT / "examples").glob("*.py"))]
PLACES = 10
"""Expressions and statements of each file at which a finding is made up for each rule."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_is_proposed_parses(path: Path):
    source = path.read_text(encoding="utf-8")
    file = SourceFile(str(path), source, ast.parse(source))
    text = Text(file)
    nodes = [node for node in ast.walk(file.tree) if isinstance(node, (ast.expr, ast.stmt))]
    for node in random.Random(path.name).sample(nodes, min(PLACES, len(nodes))):
        for code in PROPOSERS:
            finding = Finding(code, Severity.ERROR, "", "", 0, file.place(range_of(node)), text.of(node))
            for candidate in proposed(text, finding):
                changed = applied(source, candidate.changes)
                ast.parse(changed)
                assert _comments(changed) == _comments(source), candidate.title


def _comments(source: str) -> Counter[str]:
    """The comments, but for the arguments of examples."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(t.string for t in tokens if t.type == tokenize.COMMENT and "nst: example" not in t.string)
