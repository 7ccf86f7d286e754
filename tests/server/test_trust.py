"""Where a workspace is not trusted nothing runs, what the text tells is told, and there is one question."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from nst_lsp.trust import ALWAYS, NEVER, SESSION, UNTRUSTED, Trust, question, state_file
from tests.server.editor import editor

SOURCE = """\
import numpy as np


# nst: example(np.ones(3)
# nst: static(y)
def f(x):
    return x + 1  # nst: ignore[NST999]


# nst: example(np.ones(3))
def g(x):
    return x if x.sum() > 0 else -x
"""
TEXT = [
    ("NST502", "# nst: example(np.ones(3)\n# nst: static(y)"),
    ("unknown-rule", "NST999"),
    ("unknown-argument", "y"),
]
TRACED = [TEXT[0], ("NST101", "x.sum() > 0"), *TEXT[1:]]


@pytest.fixture(autouse=True)
def state(tmp_path_factory, monkeypatch):
    """A home of its own, so that the user's answers are not touched."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(folder / "state"))
    return state_file()


def watched(ran: Path) -> str:
    """An interpreter that leaves a file behind when it is started."""
    python = ran.with_name("python")
    python.write_text(f'#!/bin/sh\n: > "{ran}"\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return str(python)


async def test_the_text_is_judged_and_there_is_one_question(tmp_path, state):
    source, ran = SOURCE, tmp_path / "ran"
    async with editor(tmp_path, "neovim@0.11", trusted=False, python=watched(ran)) as it:
        it.choice = NEVER
        for name in ("model.py", "other.py"):
            async with it.settled():
                it.open(name, source)
            assert it.told(name) == TEXT
        assert (await it.titles("model.py"))[0] == (6, "not run until this workspace is trusted")
        await it.until(lambda: it.questions)
        async with it.settled():
            it.edit("model.py", "np.ones(3)\n", "np.ones(3))\n")
            it.save("model.py")
        assert it.told("model.py") == TEXT[1:]
        assert it.questions == [question(str(tmp_path))]
        found = await it.execute("nst.doctor")
        assert "not trusted" in found["text"]
        assert not ran.exists()
        it.choice = ALWAYS  # on command the question comes again
        before = len(it.statuses)
        await it.execute("nst.retrace", {"uri": it.uri("model.py")})
        await it.until(lambda: len(it.questions) == 2 and len(it.published) and it.told("other.py") == TRACED)
        assert it.statuses[before:]
        assert ran.exists()
    assert state.read_text().splitlines() == [os.path.realpath(tmp_path)]
    async with editor(tmp_path, trusted=False) as it:
        async with it.settled():
            it.open("other.py")
        assert it.told("other.py") == TRACED
        assert it.questions == []


async def test_an_editor_with_a_trust_of_its_own_is_not_asked(tmp_path, state):
    Trust(state).answer(str(tmp_path), ALWAYS)
    async with editor(tmp_path, own_trust=True, trusted=False, python=watched(tmp_path / "ran")) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert it.told("model.py") == TEXT
        await it.execute("nst.retrace", {"uri": it.uri("model.py")})
        await it.until(lambda: [one for one in it.shown() if "not trusted" in one])
        assert it.questions == []
        assert not (tmp_path / "ran").exists()
        for command in ("nst.openPage", "nst.showGraph"):
            await it.execute(command, {"uri": it.uri("model.py"), "function": "g"})
        assert it.shown()[-2:] == [f"nst: there is no graph here yet: {UNTRUSTED}"] * 2


async def test_in_a_trusted_workspace_the_text_is_judged_as_well(tmp_path):
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert it.told("model.py") == TRACED
        assert it.questions == []
        it.edit("model.py", "np.ones(3)\n", "np.ones(3))\n")  # not saved
        await it.until(lambda: "NST502" not in dict(it.told("model.py")))


# ---- answers ---------------------------------------------------------------------------------------


def test_answers_hold_for_a_folder_and_what_is_in_it(tmp_path):
    trust = Trust(tmp_path / "state" / "trusted")
    inside, beside = tmp_path / "a" / "b", tmp_path / "ab"
    assert not trust.granted(str(tmp_path / "a"))
    assert trust.answer(str(tmp_path / "a"), SESSION)
    assert trust.granted(str(inside))
    assert not trust.granted(str(beside))
    assert not trust.answer(str(beside), NEVER)
    assert not trust.answer(str(beside), None)
    assert not Trust(tmp_path / "state" / "trusted").granted(str(inside))


def test_a_link_is_what_it_leads_to(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    trust = Trust(tmp_path / "trusted")
    trust.answer(str(tmp_path / "link"), ALWAYS)
    assert Trust(tmp_path / "trusted").granted(str(tmp_path / "real" / "inside"))


def test_remembering_may_be_impossible_and_undone(tmp_path):
    (tmp_path / "file").write_text("")
    trust = Trust(tmp_path / "file" / "trusted")
    assert trust.answer(str(tmp_path), ALWAYS)
    assert trust.granted(str(tmp_path))
    file = tmp_path / "trusted"
    Trust(file).answer(str(tmp_path), ALWAYS)
    Trust(file).answer(f"{tmp_path}/x\n/", ALWAYS)  # would be a line of its own
    assert file.read_text() == f"{os.path.realpath(tmp_path)}\n"
    file.write_text("")
    assert not Trust(file).granted(str(tmp_path))


def test_the_state_is_where_the_system_has_it():
    assert str(state_file({"XDG_STATE_HOME": "/state"}, "linux")) == "/state/nst-lsp/trusted"
    assert state_file({}, "linux").parts[-4:] == (".local", "state", "nst-lsp", "trusted")
    assert "Application Support" in str(state_file({}, "darwin"))
    assert state_file({"LOCALAPPDATA": "/local"}, "win32").parts[1] == "local"
