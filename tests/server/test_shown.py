"""What is shown of a file beside diagnostics, by the real server: hints, lenses, hovers, graphs, status, logs."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor, editor
from tests.server.wire_harness import Raw

SOURCE = """\
import numpy as np
from tracer import spec


# nst: example(spec("b 4", "float32", b=3))
def f(x):
    label = "𝛼𝛽"; y = x * np.float64(2)
    return np.concatenate([y, y])


# nst: example(np.ones(3))
def g(x):
    return x + 1
"""


TITLES = ["graph: 3 operations", "1 finding", "graph: 1 operation"]
"""What its lenses say."""


async def drawn(it: Editor, name: str, first: int = 0, last: int = 100) -> list[tuple[int, int, str]]:
    """Line, column (in the client's units) and label of the hints between two lines."""
    return [(one.position.line, one.position.character, text(one)) for one in await hints(it, name, first, last)]


async def hints(it: Editor, name: str, first: int = 0, last: int = 100) -> list[lsp.InlayHint]:
    seen = lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0))
    return list(await it.client.text_document_inlay_hint_async(lsp.InlayHintParams(it.document(name), seen)) or [])


def text(hint: lsp.InlayHint) -> str:
    return hint.label if isinstance(hint.label, str) else "".join(part.value for part in hint.label)


async def test_hints_come_with_results_and_move_with_the_text(tmp_path):
    async with editor(tmp_path, newest=True, inlayHints=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        await it.until(lambda: it.hint_refreshes)
        assert await drawn(it, "model.py", 0, 8) == [
            (5, 7, ": float32[b, 4]"),
            (6, 21, ": float64[b, 4]"),  # the letters before are two units each
            (6, 41, "float32 → float64"),
            (7, 33, "→ float64[2*b, 4]"),
        ]
        assert [line for line, *_ in await drawn(it, "model.py", 8)] == [11, 12]

        before = it.hint_refreshes
        it.edit("model.py", "import numpy", "# 𝛼\nimport numpy")
        it.edit("model.py", "np.concatenate([y, y])", "np.concatenate([y])")
        assert [(line, label) for line, _, label in await drawn(it, "model.py", 0, 9)] == [
            (6, ": float32[b, 4]"),
            (7, ": float64[b, 4]"),
            (7, "float32 → float64"),
        ]
        assert it.hint_refreshes == before
        async with it.settled():
            it.save("model.py")
        await it.until(lambda: it.hint_refreshes > before)
        assert (await drawn(it, "model.py", 8, 9))[0][2] == "→ float64[b, 4]"

        async with it.settled():
            it.configure(inlayHints=["widening"])
        assert [label for *_, label in await drawn(it, "model.py")] == ["float32 → float64"]


async def test_a_hint_says_more_when_it_is_looked_at(tmp_path):
    async with editor(tmp_path, newest=True, inlayHints=["shapes"]) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        (hint,) = await hints(it, "model.py")
        assert (hint.tooltip, hint.kind) == (None, lsp.InlayHintKind.Type)
        whole = await it.client.inlay_hint_resolve_async(hint)
        assert isinstance(whole.tooltip, lsp.MarkupContent)
        assert whole.tooltip.value.startswith("**`y`**\n\n`float64[b, 4]`")
        assert isinstance(whole.label, list)
        where = whole.label[0].location
        assert where is not None
        assert (where.uri, where.range.start) == (it.uri("model.py"), lsp.Position(6, 24))
        it.edit("model.py", "label = ", "other = ")  # its statement is another, so it stands
        it.edit("model.py", "x * np", "x + np")  # what it speaks of is gone
        assert await it.client.inlay_hint_resolve_async(hint) == hint


async def test_lenses_are_titled_when_they_are_drawn(tmp_path):
    async with editor(tmp_path, newest=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        listed = await it.client.text_document_code_lens_async(lsp.CodeLensParams(it.document("model.py"))) or []
        assert [(one.range.start.line, one.command) for one in listed] == [(5, None), (5, None), (11, None)]
        drawn = await it.lenses("model.py")
        assert [one.command.title for one in drawn if one.command] == TITLES
        first = drawn[0].command
        assert first
        assert "Python 3" in (first.tooltip or "")
        it.edit("model.py", "def g(x):", "def g(x:")
        assert [one.range.start.line for one in await it.lenses("model.py")] == [5, 5, 11]


async def test_an_editor_that_resolves_nothing_is_given_all_at_once(tmp_path):
    async with editor(tmp_path, "emacs", inlayHints=["returns"]) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        first, *_ = await hints(it, "model.py")
        assert first.tooltip
        listed = await it.client.text_document_code_lens_async(lsp.CodeLensParams(it.document("model.py"))) or []
        assert [one.command.title for one in listed if one.command] == TITLES


async def test_an_open_graph_is_shown_anew_with_new_results(tmp_path):
    async with editor(tmp_path, newest=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        graph = await it.execute("nst.showGraph", {"uri": it.uri("model.py"), "function": "g"})
        assert [one.uri for one in it.client.shown_documents] == [graph["uri"]]
        params = lsp.TextDocumentContentParams(graph["uri"])
        assert "x + 1" in (await it.client.workspace_text_document_content_async(params)).text
        async with it.settled():
            it.edit("model.py", "x + 1", "x - 5")
            it.save("model.py")
        await it.until(lambda: it.content_refreshes)
        assert it.content_refreshes[0].uri == graph["uri"]
        assert "x - 5" in (await it.client.workspace_text_document_content_async(params)).text
        async with it.settled():
            it.edit("model.py", "# nst: example(np.ones(3))\n", "")
            it.save("model.py")
        gone = await it.client.workspace_text_document_content_async(params)
        assert gone.text == "# There is no graph any more.\n"


async def test_a_graph_that_must_be_a_file_goes_with_the_server(tmp_path):
    async with editor(tmp_path, "neovim@0.11") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        await it.execute("nst.showGraph", {"uri": it.uri("model.py"), "function": "g"})
        file = Path(unquote(urlsplit(it.client.shown_documents[0].uri).path))
        assert "x + 1" in file.read_text(encoding="utf-8")
    assert not file.parent.parent.exists()


# ---- status ----------------------------------------------------------------------------------------


async def test_the_status_says_what_goes_on(tmp_path):
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        told = it.health()
        assert ("ok", False, "starting Python") in told
        assert told[-2:] == [("ok", False, "tracing model.py"), ("ok", True, None)]
        async with it.settled():
            it.configure(python="/nowhere/python3")
        health, quiescent, message = it.health()[-1]
        assert (health, quiescent) == ("error", True)
        assert message
        assert "/nowhere/python3" in message
        async with it.settled():
            it.configure(trusted=False)
        assert it.health()[-1] == ("warning", True, "nothing is run in a workspace that is not trusted")
        it.close("model.py")
        await it.until(lambda: it.health()[-1] == ("ok", True, None))


ENDLESS = "import numpy as np\n\n# nst: example(np.ones(3))\ndef f(x):\n    while True:\n        x = x + 1\n"


async def test_a_run_that_is_stopped_where_its_progress_is_shown_says_so(tmp_path):
    async with editor(tmp_path, timeout=10 * 60) as it:
        async with it.settled():
            it.open("endless.py", ENDLESS)
            await it.until(lambda: any(it.client.progress_reports.values()))
            (token,) = it.client.progress_reports
            it.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
        assert it.health()[-1] == ("ok", True, "tracing endless.py was stopped")
        ends = [one for one in it.client.progress_reports[token] if isinstance(one, lsp.WorkDoneProgressEnd)]
        assert [one.message for one in ends] == ["stopped"]
        assert "endless.py was stopped on request" in (await it.execute("nst.showLogs"))["text"]


# ---- logs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("virtual", [True, False])
def test_the_log_is_shown_and_holds_no_secrets(tmp_path, virtual):
    secret = "hush-7d3f9a"
    raw = Raw(SERVICE_TOKEN=secret)
    capabilities = {
        "window": {"showDocument": {"support": True}},
        "workspace": {"textDocumentContent": {}} if virtual else {},
        "experimental": {"serverStatusNotification": True},
    }
    settings = {"python": f"/nowhere/{secret}/python"}
    raw.initialize(initializationOptions=settings, rootUri=tmp_path.as_uri(), capabilities=capabilities)
    document = {"uri": (tmp_path / "a.py").as_uri(), "languageId": "python", "version": 1, "text": ENDLESS}
    raw.send("textDocument/didOpen", {"textDocument": document})
    raw.wait(lambda message: message.get("params", {}).get("health") == "error")
    raw.send("workspace/executeCommand", {"command": "nst.showLogs"}, 2)
    asked = raw.wait(lambda message: message.get("method") == "window/showDocument")
    uri = asked["params"]["uri"]
    assert uri == "nst-log:/nst-lsp.log" if virtual else uri.startswith("file:///")
    raw.answer(asked["id"], {"success": True})
    shown = raw.wait(lambda message: message.get("id") == 2 and "method" not in message)["result"]["text"]
    assert "nothing can be traced with /nowhere/•••/python" in shown
    if virtual:
        assert raw.ask("workspace/textDocumentContent", {"uri": uri}, 3)["result"]["text"] == shown
    assert secret not in str(raw.seen)
    raw.end()
