"""Completion and signatures in our comments, by the real server with the real jedi; silence everywhere else."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import uuid

import pytest
from lsprotocol import types as lsp

from nst_lsp.completion.completer import Completer
from nst_lsp.completion.messages import Ask
from tests.server.editor import Editor, editor
from tests.worker.processes import descendants_by_mark, wait_until

SOURCE = """\
import numpy as np
import helper

table = np.ones(3)


class Layer:
    def __init__(self, size=2): ...

    # nst: example(Layer(
    @staticmethod
    def other(x, training: bool = True):
        \"\"\"What it does.\"\"\"

    # nst: example(np.on
    # nst: static(tr
    def forward(self, x, training: bool = True):
        return np.on + broken(


# nst: example(np.ones((3,
# nst: ignore[NST10
# nst:
def f(x, *rest, gain=1.0): ...
"""


def at(it: Editor, name: str, part: str) -> lsp.Position:
    """Behind a part of the text."""
    return it.position(name, f"{part}|")


async def labels(it: Editor, name: str, part: str) -> list[str]:
    params = lsp.CompletionParams(it.document(name), at(it, name, part))
    found = await it.client.text_document_completion_async(params)
    assert found is None or isinstance(found, lsp.CompletionList)
    return [one.label for one in sorted(found.items, key=lambda one: one.sort_text or "")] if found else []


async def signature(it: Editor, name: str, part: str) -> tuple[str, str | None] | None:
    """The label of the first signature, and its parameter at which the cursor is."""
    params = lsp.SignatureHelpParams(it.document(name), at(it, name, part))
    found = await it.client.text_document_signature_help_async(params)
    if found is None:
        return None
    first = found.signatures[0]
    active = found.active_parameter
    parameters = first.parameters or []
    return first.label, str(parameters[active].label) if active is not None and active < len(parameters) else None


@pytest.fixture
async def typing(tmp_path):
    """An editor in which someone types, and never saves."""
    async with editor(tmp_path, verify=False) as it:
        it.write("helper.py", "def help_me(): ...\n")
        async with it.settled():
            it.open("model.py", SOURCE)
        yield it


async def test_every_comment_is_completed_and_nothing_else(typing):
    assert await labels(typing, "model.py", "example(np.on") == ["ones", "ones_like"]
    assert await labels(typing, "model.py", "static(tr") == ["training"]
    assert await labels(typing, "model.py", "[NST10") == [f"NST10{number}" for number in range(1, 8)]
    assert await labels(typing, "model.py", "# nst:\n"[:-1]) == ["example(", "ignore[", "static("]
    assert await labels(typing, "model.py", "return np.on") == []
    assert await signature(typing, "model.py", "broken(") is None

    typing.edit("model.py", "example(np.on", "example(Layer(), t")  # not saved: what is on the screen counts
    assert (await labels(typing, "model.py", "Layer(), t"))[:2] == ["training=", "table"]
    typing.edit("model.py", "Layer(), t", "Layer(), helper.h")
    assert await labels(typing, "model.py", "helper.h") == ["help_me"]
    typing.edit("model.py", "helper.h", "sp")
    assert await labels(typing, "model.py", "Layer(), sp") == ["spec"]


async def test_signatures_are_those_of_the_innermost_call(typing):
    typing.edit("model.py", "np.ones((3,", "np.ones(3), np.zeros((2, 3), 5, np.array([1]), gain=")
    assert await signature(typing, "model.py", "example(np.on") == (
        "Layer.forward(self, x, training: bool=True)",
        "self",
    )
    calls = [
        ("example(np.ones(", "ones(", "shape"),
        ("zeros((2, 3)", "zeros(", "shape"),
        ("3), 5", "zeros(", "dtype"),
        ("array(", "array(", "object"),
    ]
    for part, begin, parameter in calls:
        found = await signature(typing, "model.py", part)
        assert found is not None
        assert found[0].startswith(begin)
        assert str(found[1]).startswith(parameter)
    own = "f(x, *rest, gain=1.0)"
    typing.edit("model.py", "5, np.array([1]),", "5), np.array([1]),")
    assert await signature(typing, "model.py", "np.array([1]),") == (own, "rest")
    assert await signature(typing, "model.py", "gain=") == (own, "gain")
    assert await signature(typing, "model.py", "# nst: example(Layer(") == ("Layer(size=2)", "size=2")


async def test_in_an_untrusted_workspace_its_interpreter_does_not_run(tmp_path):
    ran = tmp_path / "ran"
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\ntouch {ran}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    (tmp_path / "helper.py").write_text("def help_me(): ...\n")
    async with editor(tmp_path, trusted=False, python=str(python)) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        assert await labels(it, "model.py", "example(np.on") == ["ones", "ones_like"]
        it.edit("model.py", "example(np.on", "example(Layer(), helper.h")
        assert await labels(it, "model.py", "helper.h") == ["help_me"]  # read, not run
        assert not ran.exists()


# ---- the process -----------------------------------------------------------------------------------

STUCK = "import sys, json\nfor line in sys.stdin: {do}\n"


def question(source="abcd = 1\nabc", kind="names"):
    lines = source.split("\n")
    return Ask(0, kind, source, len(lines), len(lines[-1]), "/nowhere/model.py", "/nowhere")


async def test_one_process_is_started_when_it_is_needed_and_anew_when_it_died():
    completer = Completer(lambda text: None)
    assert completer.pid is None
    try:
        assert [one.name for one in (await completer.ask(question())).names] == ["abcd"]
        first = completer.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        await completer.ask(question())
        assert [one.name for one in (await completer.ask(question())).names] == ["abcd"]
        assert completer.pid not in (None, first)
    finally:
        await completer.close()
    assert completer.pid is None


@pytest.mark.parametrize("do", ["pass", "print('no answer', flush=True)", "sys.exit(1)"])
async def test_a_process_that_does_not_answer_is_told_of_and_given_up(do):
    told: list[str] = []
    completer = Completer(told.append, patience=0.5, command=(sys.executable, "-c", STUCK.format(do=do)))
    try:
        assert (await completer.ask(question())).names == ()
        assert completer.pid is None
        assert len(told) == 1
    finally:
        await completer.close()


async def test_only_the_newest_of_those_that_wait_is_answered_and_the_others_hold_nobody_up():
    completer = Completer(lambda text: None)
    try:
        await completer.ask(question())
        answers = await asyncio.gather(*(completer.ask(question()) for _ in range(4)))
        assert [one.error is None for one in answers] == [bool(one.names) for one in answers]
        assert [len(one.names) for one in answers] == [1, 0, 0, 1]  # the first was under way
        given_up = asyncio.create_task(completer.ask(question()))
        await asyncio.sleep(0)
        given_up.cancel()
        assert len((await completer.ask(question())).names) == 1
    finally:
        await completer.close()


SERVER = """\
import asyncio, os, signal
from nst_lsp.completion.completer import Completer
from nst_lsp.completion.messages import Ask

async def main():
    await Completer(print).ask(Ask(0, "names", "a", 1, 1, "/nowhere/model.py", "/nowhere", {python!r}))
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_nothing_is_left_of_it_when_the_server_is_killed():
    program, mark = SERVER.format(python=sys.executable), str(uuid.uuid4())
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "NST_TEST_MARK": mark}, timeout=60)
    assert done.returncode == -signal.SIGKILL
    wait_until(lambda: not descendants_by_mark(mark))
