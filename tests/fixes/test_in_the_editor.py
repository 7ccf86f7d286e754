"""A fix as an editor gets it: a code action whose edits make a text in which `nst check` has the finding no more."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from nst_lsp import convert
from nst_lsp.analysis.text import Text
from tests.fixes.mending import SECONDS
from tests.server.editor import Editor, editor

NST = Path(sys.executable).with_name("nst")
SOURCE = """\
import numpy as np

größe = np.array([1.0, 2.0])  # 𝛼


# nst: example(np.array([3.0, -1.0]), "𝛼")
def f(x, name):
    y = x * größe
    if y.sum() > 0:  # 𝛼
        return y * 2
    return y


total = f(np.ones(2), name="𝛼")
"""
AFTER = """\
import numpy as np

größe = np.array([1.0, 2.0])  # 𝛼


# nst: example(np.array([3.0, -1.0]), "𝛼", größe=größe)
def f(x, name, größe):
    y = x * größe
    # 𝛼
    return np.where(y.sum() > 0, y * 2, y)


total = f(np.ones(2), name="𝛼", größe=größe)
"""


async def test_fixes_are_applied_one_after_the_other(tmp_path: Path):
    async with editor(tmp_path, timeout=SECONDS) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert [code for code, _ in it.told("model.py")] == ["NST204", "NST101"]
        await _choose(it, "y.sum() > 0", "Choose with np.where")
        await _choose(it, "größe", "Make größe a parameter of f")
        assert it.texts["model.py"] == AFTER
        assert it.told("model.py") == []
    checked = _check(tmp_path / "model.py")
    assert checked["findings"] == []


def test_a_report_names_them(tmp_path: Path):
    path = tmp_path / "model.py"
    path.write_text(SOURCE, encoding="utf-8")
    told = {finding["code"]: finding["fixes"] for finding in _check(path)["findings"]}
    assert told["NST101"] == [{"title": "Choose with `np.where`", "verified": True}]
    assert told["NST204"] == [{"title": "Make `größe` a parameter of `f`", "verified": True}]
    shown = subprocess.run([NST, "check", str(path)], capture_output=True, text=True, encoding="utf-8", cwd=tmp_path)
    assert "fix: Choose with `np.where` (verified)" in shown.stdout


def test_without_verification_there_are_none(tmp_path: Path):
    path = tmp_path / "model.py"
    path.write_text(SOURCE, encoding="utf-8")
    assert not [fix for finding in _check(path, "--no-verify")["findings"] for fix in finding["fixes"]]


async def _choose(it: Editor, part: str, title: str) -> None:
    """Apply the edits of the action that mends a finding, save, and wait for the results."""
    text = Text(it.texts["model.py"])
    found = next(
        diagnostic
        for diagnostic in (it.latest("model.py") or lsp.PublishDiagnosticsParams("", [])).diagnostics
        if not diagnostic.tags and text.at(convert.span_of(text, diagnostic.range, it.encoding)) == part
    )
    context = lsp.CodeActionContext([found], [lsp.CodeActionKind.QuickFix])
    params = lsp.CodeActionParams(it.document("model.py"), found.range, context)
    actions = await it.client.text_document_code_action_async(params) or []
    (action,) = [one for one in actions if isinstance(one, lsp.CodeAction) and one.title == title]
    assert action.is_preferred
    if action.edit is None:
        action = await it.client.code_action_resolve_async(action)
    assert action.edit is not None
    edits = (action.edit.changes or {})[it.uri("model.py")]
    async with it.settled():
        for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
            it.apply("model.py", edit)
        it.save("model.py")


def _check(path: Path, *more: str) -> Any:
    """The report of one file; with the time of a busy machine."""
    (path.parent / "pyproject.toml").write_text(f"[tool.nst]\ntimeout = {SECONDS}\n", encoding="utf-8")
    arguments = [str(NST), "check", str(path), "--format", "json", "--python", sys.executable, *more]
    done = subprocess.run(arguments, capture_output=True, text=True, encoding="utf-8")
    return json.loads(done.stdout)["files"][0]
