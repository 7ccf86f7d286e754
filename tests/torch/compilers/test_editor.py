"""The same from an editor: a code action at the head of a function, and the text that it opens."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlparse

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
