"""The graph page shows what PyTorch's tracers say: asked when it is chosen, in the same picture, linked as any."""

from __future__ import annotations

import json
from typing import Any

from tests.page.browser import Tab, address, tab
from tests.server.editor import Editor, editor

SOURCE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 5)

    # nst: example(Net(), torch.ones(4, 3), torch.ones(4, 3, requires_grad=True))
    def forward(self, x, y):
        h = torch.relu(self.inner(x))
        return h.sum() + y.detach().sum()


# nst: example(torch.ones(4, 3, requires_grad=True))
def overwritten(x):
    y = x.exp()
    y.add_(1)
    return y.sum()


# nst: example(2.0)
def plain(x):
    return x + 1
"""


async def opened(it: Editor, function: str) -> str:
    async with it.settled():
        it.open("model.py", SOURCE)
    return await address(it, function)


async def shown(page: Tab, study: str) -> dict[str, Any]:
    """Wait for the picture of a study that is not of before."""
    await page.until(lambda: (page.picture.get("study") or {"kind": ""})["kind"] == study and not page.picture["stale"])
    return page.picture


def covered(picture: dict[str, Any], place: dict[str, Any]) -> str:
    """The text at a place, which is on one line."""
    source, (line, column, _, end) = picture["sources"][place["source"]], place["span"]
    return str(source["text"].split("\n")[line - source["first"]][column - 1 : end - 1])


async def test_a_page_shows_forward_and_backward_beside_the_trace(tmp_path):
    async with editor(tmp_path, timeout=20.0) as it, tab(await opened(it, "Net.forward")) as page:
        trace = await page.drawn("relu")
        assert trace["studies"] == ["joint", "forward", "backward", "dynamo", "export"]

        await page.say("study", study="backward")
        picture = await shown(page, "backward")
        assert [one["asking"] for one in page.all("study")][-2:] == [True, False]
        made = [node for node in picture["nodes"] if node["operation"] != "input"]
        assert all(node["backward"] for node in made)
        expressions = {"h.sum()", "torch.relu(self.inner(x))", "self.inner(x)"}
        assert {covered(picture, node["place"]) for node in made} == expressions
        given = {node["name"] for node in picture["nodes"] if node["operation"] == "input"}
        assert {node["name"] for node in picture["nodes"] if node["saved"]} == given - {"grad_output"}
        assert expressions.issuperset(group["label"] for group in picture["groups"])
        (lost,) = [one for one in picture["study"]["gradients"] if not one["reached"]]
        assert (lost["input"], [covered(picture, cut["place"]) for cut in lost["cuts"]]) == ("y", ["y.detach()"])

        # A click leads to the forward expression, the cursor there to the nodes of the backward.
        relu = next(node for node in made if "threshold" in node["operation"])
        await page.say("reveal", place=relu["place"])
        assert it.client.shown_documents[-1].selection.start.line == 11
        await it.hover("model.py", "torch.re|lu(self")
        await page.until(lambda: relu["name"] in (page.latest("cursor") or {"nodes": []})["nodes"])

        for style in ("code", "json", "dot", "mermaid", "model-explorer"):
            await page.say("export", format=style)
        await page.until(lambda: len(page.all("exported")) == 5)
        texts = {one["format"]: one["text"] for one in page.all("exported")}
        assert page.all("exported")[1]["name"] == "Net.forward-1.backward.json"
        assert "# line 12: torch.relu(self.inner(x))" in texts["code"]
        assert json.loads(texts["json"])["study"] == "backward"
        assert relu["name"] in texts["dot"]
        assert "threshold_backward" in texts["mermaid"]
        assert any(node["id"] == relu["name"] for node in json.loads(texts["model-explorer"])["graphs"][0]["nodes"])

        # While one types, what is shown is stale, and stays; a save asks anew, by itself.
        it.edit("model.py", "return h.sum()", "return h.exp().sum()")
        await page.until(lambda: page.picture["stale"])
        assert page.picture["study"]["kind"] == "backward"
        async with it.settled():
            it.save("model.py")
        await page.until(lambda: "h.exp()" in page.picture["code"] and not page.picture["stale"])
        assert page.all("failed") == []

        # What is not in the function is no reason to ask again: the answer moves with the text.
        asked = len(page.all("study"))
        async with it.settled():
            it.edit("model.py", "import torch\n", "import torch\n\n")
            it.save("model.py")
        await page.until(lambda: "# line 13: torch.relu" in page.picture["code"] and not page.picture["stale"])
        assert len(page.all("study")) == asked

        # Another function is shown by our own trace, as nobody asked PyTorch about that.
        await page.say("choose", function="overwritten")
        await page.until(lambda: page.picture["function"] == "overwritten")
        assert page.picture["study"] is None

        # Where there is no graph it is said why, with what only the backward shows.
        await page.say("study", study="dynamo")
        await page.say("study", study="joint")  # which does not wait for the other
        picture = await shown(page, "joint")
        assert (picture["nodes"], [one["code"] for one in picture["findings"]]) == ([], ["NST501"])
        assert covered(picture, picture["findings"][0]["place"]) == "x.exp()"
        assert picture["study"]["verdict"] == "there is no backward of `x.exp()`"
