"""The page for an editor that shows it in a webview of its own: what it is asked by, and what it may do there."""

from __future__ import annotations

import re

import pytest

from nst_lsp.page import bundle
from tests.page.browser import tab
from tests.server.editor import Editor, editor

SOURCE = """\
import numpy as np


# nst: example(np.ones(3))
def f(x):
    return x + 1


def plain(x):
    return x


# nst: example(np.ones(3))
def g(x):
    return x + 2


LAST = 1
"""
NONCE = "0123456789abcdef-_XY"


async def asked(it: Editor, command: str, **members: object) -> dict[str, str] | None:
    found: dict[str, str] | None = await it.execute(command, {"uri": it.uri("model.py"), **members})
    return found


@pytest.mark.skipif(not bundle.is_built(), reason="the page is not built")
async def test_the_page_is_one_text_in_which_only_what_bears_the_nonce_runs(tmp_path):
    async with editor(tmp_path, own_views=True) as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        found = await asked(it, "nst.openPage", function="f")
        assert found is not None
        assert it.client.shown_documents == []
        async with tab(found["url"], connected=False) as page:
            answer = await page.get(f"webview?nonce={NONCE}")
            assert answer.status_code == 200
            html = answer.text
            (content,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', html)
            policy = dict(part.split(" ", 1) for part in content.split("; "))
            assert policy == {
                "default-src": "'none'",
                "script-src": f"'nonce-{NONCE}' 'wasm-unsafe-eval'",
                "style-src": f"'nonce-{NONCE}'",
                "worker-src": "blob:",
                "img-src": "data: blob:",
                "base-uri": "'none'",
                "form-action": "'none'",
            }
            heads = re.findall(r"<(?:script|style)\b[^>]*>", html)
            assert len(heads) == 3
            assert all(f'nonce="{NONCE}"' in head and "src=" not in head for head in heads)
            assert html.index(content) < html.index("<style")
            assert found["url"].split("/")[3] not in html, "the address is the editor's to know"
            for nonce in ("", "short", f'{NONCE}"', f"{NONCE}%22", f"{NONCE} "):
                assert (await page.get(f"webview?nonce={nonce}")).status_code == 400, nonce


async def test_a_page_says_why_nothing_can_be_traced_and_who_chose_what_cannot(tmp_path):
    python = str(tmp_path / "gone")
    async with editor(tmp_path, own_views=True, python=python, pythonFrom="the Python extension") as it:
        async with it.settled():
            it.open("model.py", SOURCE)
        found = await asked(it, "nst.openPage", function="f")
        assert found is not None
        async with tab(found["url"]) as page:
            await page.until(lambda: page.latest("status"))
            told = str(page.latest("status"))
            assert f"{python} (the Python extension): the Python interpreter {python} does not exist" in told
            assert "Choose another in the Python extension" in told


async def test_a_client_with_views_asks_before_there_is_a_graph_and_outside_of_functions(tmp_path):
    async with editor(tmp_path, own_views=True) as it:
        it.open("model.py", SOURCE)  # and while it is being traced for the first time:
        for part, function in (
            ("x + |1", "f"),
            ("return |x\n\n", "f"),
            ("x + |2", "g"),
            ("|LAST", "g"),
            ("|import", "f"),
        ):
            at = it.position("model.py", part)
            found = await asked(it, "nst.openPage", position={"line": at.line, "character": at.character})
            assert found is not None, part
            assert (found["uri"], found["function"]) == (it.uri("model.py"), function), part
        named = await asked(it, "nst.openPage", function="later")
        assert named is not None
        async with tab(named["url"]) as page:
            await page.until(lambda: page.latest("status"))
            assert page.latest("status") == {"type": "status", "text": "there is no graph of later now"}
            async with it.settled():
                it.edit("model.py", "def plain(x):", "# nst: example(np.ones(2))\ndef later(x):")
                it.save("model.py")
            await page.drawn("def later")
        assert it.shown() == []


async def test_the_cursor_is_told_what_function_it_is_in(tmp_path):
    async with editor(tmp_path) as it:
        it.open("model.py", SOURCE)
        for part, function in (("x + |1", "f"), ("|# nst: example(np.ones(3))\ndef g", "g"), ("def |g", "g")):
            at = it.position("model.py", part)
            found = await asked(it, "nst.cursor", position={"line": at.line, "character": at.character})
            assert found == {"uri": it.uri("model.py"), "function": function}, part
        for part in ("return |x\n\n", "|LAST"):
            at = it.position("model.py", part)
            assert await asked(it, "nst.cursor", position={"line": at.line, "character": at.character}) is None, part
