"""What a page asks for: places in the editor, comparisons, other forms of the graph."""

from __future__ import annotations

import json
import re
import subprocess
from ast import literal_eval
from typing import Any
from urllib.parse import unquote

from lsprotocol import types as lsp

from nst_lsp.page import bundle
from tests.page.browser import address, tab
from tests.server.editor import Editor, editor

HELPER = """\
def normalise(h):
    return h / h.sum()
"""
SOURCE = """\
import numpy as np
from helper import normalise

gain = 3.0


# nst: example(np.ones(3))
# nst: example(np.ones((2, 2)))
def f(x):
    label = "𝛼𝛽"; y = x * gain
    return normalise(y)
"""


async def opened(it: Editor) -> str:
    it.write("helper.py", HELPER)
    async with it.settled():
        it.open("model.py", SOURCE)
    return await address(it)


def place_of(picture: dict[str, Any], operation: str) -> dict[str, Any]:
    found: dict[str, Any] = next(node["place"] for node in picture["nodes"] if node["operation"] == operation)
    return found


async def test_the_editor_opens_the_page_and_shows_the_places_that_are_chosen_there(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        (first,) = it.client.shown_documents
        assert (first.uri, first.external) == (page.url, True)
        picture = await page.drawn("x * 3.0")
        assert (await page.say("reveal", place=place_of(picture, "operator.mul"))).status_code == 204
        shown = it.client.shown_documents[1]
        assert (shown.uri, shown.take_focus, shown.external) == (it.uri("model.py"), True, None)
        assert shown.selection == lsp.Range(lsp.Position(9, 24), lsp.Position(9, 32))  # two units for each letter
        place = place_of(picture, "numpy.ndarray.sum")
        assert picture["sources"][place["source"]]["path"] == "helper.py"
        await page.say("reveal", place=place)
        shown = it.client.shown_documents[2]
        assert shown.uri == it.uri("helper.py")
        assert shown.selection == lsp.Range(lsp.Position(1, 15), lsp.Position(1, 22))
        assert page.all("failed") == []


async def test_an_editor_that_shows_nothing_says_where_the_page_and_the_place_are(tmp_path):
    async with editor(tmp_path, "emacs") as it, tab(await opened(it)) as page:
        assert it.client.shown_documents == []
        assert any(message == f"nst: the graph is at {page.url}" for message in it.shown())
        picture = await page.drawn("x * 3.0")
        await page.say("reveal", place=place_of(picture, "operator.mul"))
        await page.until(lambda: page.all("failed"))
        assert page.all("failed")[0]["text"] == "this editor cannot be told to show a place; it is model.py, line 10"


async def test_a_page_is_opened_by_a_position_and_by_an_action(tmp_path):
    async with editor(tmp_path) as it:
        url = await opened(it)
        at = it.position("model.py", "return normal|ise")
        given = {"uri": it.uri("model.py"), "position": {"line": at.line, "character": at.character}}
        assert await it.execute("nst.openPage", given) == {"url": url, "uri": it.uri("model.py"), "function": "f"}
        (action,) = [one for one in await it.actions("model.py", "def f") if "graph view" in one.title]
        assert action.title == "Open the graph view of f"
        command = literal_eval(str(action.command))  # lsprotocol takes the action itself for a command
        assert (await it.execute(command["command"], *command["arguments"]))["url"] == url
        assert await it.execute("nst.openPage", {"uri": it.uri("model.py"), "function": "g"}) is None
        assert "nst: there is no graph here yet" in it.shown()
        it.write("broken.py", "import nothing_of_that_name\n\n\n# nst: example(1)\ndef h(x):\n    return x\n")
        async with it.settled():
            it.open("broken.py")
        assert await it.execute("nst.openPage", {"uri": it.uri("broken.py"), "function": "h"}) is None
        assert "no graph here yet: the module cannot be imported: ModuleNotFoundError" in it.shown()[-1]


async def test_a_graph_is_compared_with_that_of_another_example(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        assert (await page.drawn("x * 3.0"))["diff"] is None
        await page.say("compare", against="example", example=1)
        await page.until(lambda: page.picture["diff"])
        diff = page.picture["diff"]
        assert diff["against"] == "example 2"
        assert diff["summary"]
        assert any("x" in one["text"] for one in diff["reasons"])
        await page.say("compare", against="")
        await page.until(lambda: page.picture["diff"] is None)
        await page.say("compare", against="example", example=7)
        await page.until(lambda: page.latest("failed"))
        assert page.latest("failed") == {"type": "failed", "text": "f has no such example"}


async def test_a_graph_is_compared_with_that_of_the_save_before(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        await page.say("compare", against="save")
        await page.until(lambda: page.latest("failed"))
        assert page.latest("failed") == {"type": "failed", "text": "no save has changed the graph yet"}
        async with it.settled():
            it.edit("model.py", "gain = 3.0", "gain = 4.0")
            it.save("model.py")
        await page.until(lambda: "x * 4.0" in page.picture["code"] and page.picture["diff"])
        diff = page.picture["diff"]
        assert diff["against"] == "the save before"
        assert "`gain` 3.0 → 4.0" in diff["summary"]
        assert [one["name"] for one in diff["changed"]] == ["y"]
        assert diff["reasons"][0]["place"]["source"] < len(page.picture["sources"])


async def test_a_graph_is_compared_with_that_of_the_last_commit(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        await page.say("compare", against="commit")
        await page.until(lambda: page.latest("failed"))
        assert "git" in page.all("failed")[0]["text"]
        await page.say("compare", against="")
        it.write("model.py", SOURCE)

        def commit(message: str) -> None:
            for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", message]):
                who = ["-c", "user.name=nst", "-c", "user.email=nst@localhost"]
                subprocess.run(["git", *who, *command], cwd=tmp_path, check=True)

        commit("first")
        async with it.settled():
            it.edit("model.py", "return normalise(y)", "return normalise(y) + 1")
            it.save("model.py")
        await page.drawn("+ 1")
        await page.say("compare", against="commit")
        await page.until(lambda: page.picture["diff"])
        diff = page.picture["diff"]
        assert diff["against"] == "the last commit"
        assert "operation" in diff["summary"]
        (added,) = diff["added"]
        assert added in {node["name"] for node in page.picture["nodes"]}
        commit("second")
        await page.until(lambda: page.picture["diff"]["summary"] == "")


async def test_a_graph_is_exported_in_every_form(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        for style in ("code", "dot", "mermaid", "json", "model-explorer"):
            await page.say("export", format=style)
        await page.until(lambda: len(page.all("exported")) == 5)
        texts = {one["format"]: one["text"] for one in page.all("exported")}
        assert [one["name"] for one in page.all("exported")] == ["f-1.py", "f-1.dot", "f-1.mmd", "f-1.json", "f-1.json"]
        assert texts["code"] == page.picture["code"]
        assert texts["dot"].startswith("digraph")
        assert texts["mermaid"].startswith("flowchart")
        assert json.loads(texts["json"])
        assert json.loads(texts["model-explorer"])
        if bundle.is_built():
            await page.say("export", format="html")
            await page.until(lambda: page.all("exported")[-1]["format"] == "html")
            whole = page.all("exported")[-1]
            assert whole["name"] == "f-1.html"
            assert "Content-Security-Policy" in whole["text"]
            assert str(tmp_path) not in whole["text"]
            assert page.url not in whole["text"]
        it.edit("model.py", "gain = 3.0", "gain = = 3.0")  # the last good text is what the picture is of
        await page.until(lambda: page.picture["stale"])
        await page.say("export", format="dot")
        await page.until(lambda: [one["format"] for one in page.all("exported")].count("dot") == 2)
        assert page.all("exported")[-1]["text"] == texts["dot"]


async def test_what_pytorch_cannot_be_asked_is_said_and_the_trace_comes_back(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        trace = await page.drawn("x * 3.0")
        assert (trace["studies"], trace["study"]) == ([], None)
        assert (await page.say("study", study="sideways")).status_code == 400
        await page.say("study", study="backward")
        await page.until(lambda: page.picture["study"])
        told = page.picture["study"]
        assert (told["kind"], page.picture["nodes"], page.picture["code"]) == ("backward", [], "")
        assert "PyTorch" in told["error"]
        assert page.latest("study") == {"type": "study", "study": "backward", "example": 0, "asking": False}
        await page.say("study", study="")
        await page.drawn("x * 3.0")
        assert page.picture["study"] is None
        assert page.all("failed") == []


OF_TORCH = """\
import numpy as np

try:
    import torch
except ImportError:
    torch = None


# nst: example(np.ones(3))
def f(x):
    return x * 2
"""


async def test_a_hover_leads_to_the_graphs_of_pytorch_where_its_links_run_commands(tmp_path):
    async with editor(tmp_path, own_views=True) as it:
        async with it.settled():
            it.open("model.py", OF_TORCH)
        told = await it.hover("model.py", "def |f(x)")
        links = dict(re.findall(r"\[(\w+)\]\(command:nst\.openPage\?([^)\s]+)\)", told))
        assert list(links) == ["joint", "forward", "backward", "Dynamo", "export"]
        (given,) = json.loads(unquote(links["backward"]))
        about = {"uri": it.uri("model.py"), "function": "f", "study": "backward"}
        assert given == {**about, "example": 0}
        opened = await it.execute("nst.openPage", given)
        assert {name: opened[name] for name in about} == about
        async with tab(opened["url"]) as page:  # the address alone says what is to be shown
            await page.until(lambda: page.picture.get("study"))
            assert page.picture["study"]["kind"] == "backward"
        assert "command:" not in await it.hover("model.py", "x |* 2")
