"""The same from an editor: a code action at the head of a function, the line above it, and the text that they open."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from lsprotocol import types as lsp

from tests.server.editor import editor

SOURCE = """\
import torch


# nst: example(torch.ones(4, 3))
def halves(x):
    return (x / 2).tanh()
"""


async def test_an_editor_asks_by_a_code_action_and_is_shown_the_text(tmp_path):
    async with editor(tmp_path, timeout=20.0) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        (title,) = [one.title for one in await it.actions("model.py", "def halves") if "backward graph" in one.title]
        assert title == "Ask PyTorch for the backward graph of halves"
        given = {"uri": it.uri("model.py"), "function": "halves", "example": 0, "study": "backward"}
        told = await it.execute("nst.showStudy", given)
        assert told["error"] is None
        assert [node["text"] for node in told["graphs"][0]["nodes"] if node["operation"] != "input"][-1] == "x / 2"
        (shown,) = it.client.shown_documents
        assert "# line 6: (x / 2).tanh()" in Path(unquote(urlparse(shown.uri).path)).read_text()
        assert "error" in await it.execute("nst.study", {**given, "study": "sideways"})


async def test_the_line_above_a_function_keeps_what_dynamo_said(tmp_path):
    async with editor(tmp_path, newest=True, timeout=20.0) as it:
        async with it.settled():
            it.open("model.py", SOURCE)

        async def lens() -> tuple[str, str, Any]:
            """Its title, its command and what that is about."""
            drawn = [one.command for one in await it.lenses("model.py") if one.command]
            (found,) = [one for one in drawn if "Dynamo" in one.title]
            (given,) = found.arguments or []
            return found.title, found.command, given

        title, command, about = await lens()
        assert title == "ask Dynamo"
        asked = asyncio.ensure_future(it.execute(command, about))
        while not asked.done() and (await lens())[0] == "ask Dynamo":
            await asyncio.sleep(0)
        assert (await lens())[0] == "Dynamo …"
        verdict = f"Dynamo: {(await asked)['verdict']}"
        before = it.refreshes
        assert (await lens())[0] == verdict
        assert verdict.startswith("Dynamo: 1 graph, 0 breaks")
        assert await it.execute(command, about) == await asked  # it is not asked again
        (address,) = {one.uri for one in it.client.shown_documents}
        shown = await it.client.workspace_text_document_content_async(lsp.TextDocumentContentParams(address))
        assert shown.text == (await asked)["text"]
        assert it.refreshes == before
        it.edit("model.py", "x / 2", "x / 4")
        assert (await lens())[0] == f"{verdict} (stale)"
        again = await it.execute(command, about)
        assert {node["text"] for node in again["graphs"][0]["nodes"]} == {"return (x / 4).tanh()"}
        assert (await lens())[0] == f"Dynamo: {again['verdict']}"
