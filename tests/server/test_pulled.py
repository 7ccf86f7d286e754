"""Diagnostics for a client that asks for them: it is not sent any, and is told when to ask again."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
import pytest_lsp
from lsprotocol import types as lsp

from nst_lsp import convert
from tests.server.editor import Editor, editor
from tests.server.wire_harness import Raw

SOURCE = """\
import numpy as np
from helper import scale

bias = np.array([1.0, 2.0, 3.0])


# nst: example(np.ones(3))
def f(x):
    return scale(x) + bias
"""
HELPER = "gain = 2.0\n\n\ndef scale(x):\n    return x * gain\n"


@asynccontextmanager
async def asking(folder, **settings):
    async with editor(folder, newest=True, **settings) as it:
        it.write("helper.py", HELPER)
        async with it.settled():
            it.open("model.py", SOURCE)
        yield it


async def pull(it: Editor, name: str, known: str | None = None):
    params = lsp.DocumentDiagnosticParams(it.document(name), previous_result_id=known)
    return await it.client.text_document_diagnostic_async(params)


async def pull_all(it: Editor, **known: str):
    before = [lsp.PreviousResultId(it.uri(f"{name}.py"), value) for name, value in known.items()]
    answer = await it.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(before))
    return {one.uri.rpartition("/")[2]: one for one in answer.items}


def codes(report) -> list[str]:
    return [one.code for one in report.items]


async def test_it_asks_and_is_sent_none(tmp_path):
    async with asking(tmp_path) as it:
        report = await pull(it, "model.py")
        assert (report.kind, codes(report)) == ("full", ["NST204"])
        assert report.items[0].range.start == lsp.Position(8, 22)
        assert it.pulls > 0
        assert it.published == []


async def test_what_did_not_change_is_not_said_again(tmp_path):
    async with asking(tmp_path) as it:
        first = await pull(it, "model.py")
        again = await pull(it, "model.py", first.result_id)
        assert (again.kind, again.result_id) == ("unchanged", first.result_id)
        it.edit("model.py", "bias = ", "# moved\nbias = ")
        moved = await pull(it, "model.py", first.result_id)
        assert moved.kind == "full"
        assert moved.items[0].range.start == lsp.Position(9, 22)
        assert "(stale)" in moved.items[0].message


async def test_results_and_nothing_else_make_it_ask_again(tmp_path):
    async with asking(tmp_path) as it:
        before = it.pulls
        it.edit("model.py", " + bias", "")
        await pull(it, "model.py")
        assert it.pulls == before
        async with it.settled():
            it.save("model.py")
        await it.until(lambda: it.pulls > before)
        assert codes(await pull(it, "model.py")) == []


async def test_the_workspace_is_all_that_is_known(tmp_path):
    async with asking(tmp_path) as it:
        found = await pull_all(it)
        assert {name: codes(report) for name, report in found.items()} == {
            "model.py": ["NST204"],
            "helper.py": ["NST205"],
        }
        assert (found["model.py"].version, found["helper.py"].version) == (1, None)
        again = await pull_all(it, helper=found["helper.py"].result_id)
        assert [(name, report.kind) for name, report in sorted(again.items())] == [
            ("helper.py", "unchanged"),
            ("model.py", "full"),
        ]


async def test_a_file_that_has_nothing_more_to_say_is_cleared(tmp_path):
    async with asking(tmp_path) as it:
        before, known = it.pulls, (await pull_all(it))["helper.py"].result_id
        it.close("model.py")
        await it.until(lambda: it.pulls > before)
        (cleared,) = (await pull_all(it, helper=known)).values()
        assert (cleared.kind, cleared.uri, codes(cleared)) == ("full", it.uri("helper.py"), [])
        (same,) = (await pull_all(it, helper=cleared.result_id)).values()
        assert same.kind == "unchanged"


async def test_a_file_that_nobody_traced_has_none(tmp_path):
    async with asking(tmp_path) as it:
        assert codes(await pull(it, "elsewhere.py")) == []


@pytest.mark.parametrize("kind", ["visual-studio-code", "neovim@0.11", "emacs"])
def test_a_client_that_cannot_be_told_to_ask_again_is_sent_them(kind):
    assert not convert.client(pytest_lsp.client_capabilities(kind)).pull_diagnostics


@pytest.mark.parametrize("refresh", [True, False])
def test_it_is_offered_to_those_who_can_be_told_to_ask_again(refresh):
    server = Raw()
    workspace = {"diagnostics": {"refreshSupport": refresh}}
    answer = server.initialize(capabilities={"textDocument": {"diagnostic": {}}, "workspace": workspace})
    offered = answer["result"]["capabilities"].get("diagnosticProvider")
    wanted = {"identifier": "nst", "interFileDependencies": True, "workspaceDiagnostics": True}
    assert offered == (wanted if refresh else None)
    server.end()
