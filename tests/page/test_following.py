"""A page follows its editor: results, cursor, examples; and leads back into it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from lsprotocol import types as lsp

from tests.page.browser import address, tab
from tests.server.editor import Editor, editor

SOURCE = """\
import numpy as np

gain = 3.0


def normalise(h):
    return h / h.sum()


# nst: example(np.ones(3))
# nst: example(np.ones(4))
def f(x):
    y = normalise(x * gain)
    print("called")
    return y
"""


async def opened(it: Editor, function: str = "f") -> str:
    async with it.settled():
        it.open("model.py", SOURCE)
    return await address(it, function)


async def test_a_page_shows_what_is_known_and_where_it_comes_from(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        picture = await page.drawn("x * 3.0")
        assert (picture["function"], picture["example"], picture["title"]) == ("f", 0, "f · example 1 of 2")
        assert [one["source"] for one in picture["examples"]] == ["np.ones(3)", "np.ones(4)"]
        assert picture["path"] == "model.py"
        own, helper = picture["sources"]
        assert (own["label"], own["first"]) == ("f", 10)
        assert own["text"].startswith("# nst: example")
        assert (helper["label"], helper["first"], helper["text"].splitlines()[0]) == (
            "normalise",
            6,
            "def normalise(h):",
        )
        assert covered(picture, by_name(picture, "truediv")["place"]) == "h / h.sum()"
        assert not picture["stale"]
        found = {one["code"]: one for one in picture["findings"]}
        assert covered(picture, found["NST205"]["place"]) == "gain"
        assert found["NST205"]["nodes"] == ["mul"]
        assert found["NST301"]["nodes"] == []
        (call,) = picture["groups"]
        assert covered(picture, call["place"]) == "normalise(x * gain)"


async def test_a_page_is_told_of_new_results_and_of_nothing_else(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        async with it.settled():
            it.edit("model.py", "gain = 3.0", "gain = 4.0")
            it.save("model.py")
        await page.drawn("x * 4.0")
        assert {"type": "status", "text": "tracing model.py …"} in page.messages
        await page.until(lambda: page.latest("status") == {"type": "status", "text": ""})
        fresh = [one["picture"] for one in page.all("graph") if not one["picture"]["stale"]]
        async with it.settled():
            it.save("model.py")
        async with it.settled():
            it.edit("model.py", "gain = 4.0", "gain = 5.0")
            it.save("model.py")
        await page.drawn("x * 5.0")
        since = [one["picture"] for one in page.all("graph") if not one["picture"]["stale"]][len(fresh) :]
        assert since, "the newest"
        assert not any("x * 4.0" in one["code"] for one in since), "what was known is not told again"


async def test_places_move_with_the_text_and_a_picture_says_when_it_is_stale(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        it.edit("model.py", "import numpy", "# 𝛼\n\nimport numpy")
        await page.until(lambda: page.picture["stale"])
        assert page.picture["sources"][0]["first"] == 12
        assert covered(page.picture, by_name(page.picture, "mul")["place"]) == "x * gain"
        it.edit("model.py", "x * gain", "10")
        await page.until(lambda: by_name(page.picture, "mul")["place"] is None)
        assert covered(page.picture, by_name(page.picture, "truediv")["place"]) == "h / h.sum()"


async def test_the_cursor_is_told_by_whatever_the_editor_asks(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        assert page.all("cursor") == []
        await it.hover("model.py", "x * ga|in")
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": ["mul"]})
        params = lsp.DocumentHighlightParams(it.document("model.py"), it.position("model.py", "h / h.su|m()"))
        assert await it.client.text_document_document_highlight_async(params) is None
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": ["sum_"]})
        await it.actions("model.py", "gain = 3.0")
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": []})
        at = it.position("model.py", "|h / h.sum()")
        given = {"uri": it.uri("model.py"), "position": {"line": at.line, "character": at.character}}
        await it.execute("nst.cursor", given)
        await page.until(lambda: page.latest("cursor") == {"type": "cursor", "nodes": ["truediv"]})
        told = len(page.messages)
        await it.hover("model.py", "x * ga|in")  # the mouse, in an editor that tells of the cursor itself
        await it.execute("nst.cursor", {"uri": it.uri("model.py"), "position": {"line": 0, "character": 0}})
        await page.until(lambda: len(page.messages) > told)
        assert page.messages[told:] == [{"type": "cursor", "nodes": []}]


async def test_pages_and_the_editor_show_the_same_example(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page, tab(page.url, "tab-2") as other:
        await page.drawn("x * 3.0")
        await it.execute("nst.switchExample", {"uri": it.uri("model.py"), "function": "f"})
        await page.until(lambda: page.picture["example"] == 1)
        await other.until(lambda: other.picture.get("example") == 1)
        assert (await other.say("choose", function="f", example=0)).status_code == 204
        await page.until(lambda: page.picture["example"] == 0)
        about = {"uri": it.uri("model.py"), "function": "f"}
        assert (await it.execute("nst.graph", about))["example"] == 0
        assert await it.execute("nst.switchExample", {**about, "example": 7}) == 0  # there is none: nothing is switched
        assert await it.execute("nst.switchExample", about) == 1


async def test_a_page_may_show_another_function_of_the_file(tmp_path):
    async with editor(tmp_path) as it:
        async with it.settled():
            it.open("model.py", SOURCE + "\n\n# nst: example(np.ones(2))\ndef g(x):\n    return x - 1\n")
        found = await it.execute("nst.openPage", {"uri": it.uri("model.py"), "function": "f", "example": 1})
        async with tab(found["url"]) as page:
            picture = await page.drawn("x * 3.0")
            assert picture["functions"] == [{"name": "f", "example": 1}, {"name": "g", "example": 0}]
            await page.say("choose", function="g", example=0)
            await page.drawn("x - 1")
            async with it.settled():
                it.edit("model.py", "x - 1", "x - 2")
                it.save("model.py")
            await page.drawn("x - 2")
            await page.say("choose", function="nothing", example=0)
            await page.until(
                lambda: page.latest("status") == {"type": "status", "text": "there is no graph of nothing now"}
            )


async def test_a_page_that_comes_again_has_the_newest_picture_at_once(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        await page.disconnect()
        async with it.settled():
            it.edit("model.py", "gain = 3.0", "gain = 4.0")
            it.save("model.py")
        page.messages.clear()
        page.connect()
        await page.until(lambda: page.picture)
        assert "x * 4.0" in page.picture["code"]


async def test_the_last_picture_stays_when_the_file_is_closed(tmp_path):
    async with editor(tmp_path) as it, tab(await opened(it)) as page:
        await page.drawn("x * 3.0")
        it.close("model.py")
        closed = {"type": "status", "text": "the file is not open in the editor"}
        await page.until(lambda: page.latest("status") == closed)
        await page.disconnect()
        page.messages.clear()
        page.connect()
        await page.drawn("x * 3.0")
        async with it.settled():
            it.open("model.py", SOURCE.replace("3.0", "6.0"))
        await page.drawn("x * 6.0")


async def test_many_pages_are_told_alike_and_the_oldest_that_is_gone_makes_room(tmp_path):
    async with editor(tmp_path) as it:
        url = await opened(it)
        async with AsyncExitStack() as stack:
            tabs = [await stack.enter_async_context(tab(url, f"tab-{number}")) for number in range(64)]
            for one in tabs:
                await one.drawn("x * 3.0")
            async with tab(url, "one-too-many") as another:
                assert await another.until(lambda: another.refused) == 503
            async with it.settled():
                it.edit("model.py", "gain = 3.0", "gain = 4.0")
                it.save("model.py")
            for one in tabs:
                await one.drawn("x * 4.0")
        async with tab(url, "another") as one:
            await one.drawn("x * 4.0")


async def test_pages_end_with_their_server(tmp_path):
    async with AsyncExitStack() as stack:
        async with editor(tmp_path) as it:
            page = await stack.enter_async_context(tab(await opened(it)))
            await page.drawn("x * 3.0")
        await page.until(lambda: page.latest("gone"))


def by_name(picture: dict[str, Any], name: str) -> dict[str, Any]:
    return next(node for node in picture["nodes"] if node["name"] == name)


def covered(picture: dict[str, Any], place: dict[str, Any]) -> str:
    """The text of a place on one line."""
    source = picture["sources"][place["source"]]
    line, column, end_line, end_column = place["span"]
    assert line == end_line
    text: str = source["text"].splitlines()[line - source["first"]]
    return text[column - 1 : end_column - 1]
