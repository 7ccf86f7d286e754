"""Who is let in to a graph page, and what its answers allow the browser to do."""

from __future__ import annotations

import json
import socket
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from tests.page.browser import address, tab
from tests.server.editor import Editor, editor
from tests.server.several import SHARED

pytestmark = SHARED

SOURCE = "import numpy as np\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return x + 1\n"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def it(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """An editor with a file open, whose server has the page of all tests."""
    async with editor(tmp_path_factory.mktemp("security")) as editing:
        async with editing.settled():
            editing.open("model.py", SOURCE)
        yield editing


@pytest_asyncio.fixture(loop_scope="module")
async def url(it: Editor) -> str:
    return await address(it)


async def test_it_is_served_on_the_loopback_address_under_a_token(it, url):
    parts = urlsplit(url)
    assert (parts.scheme, parts.hostname) == ("http", "127.0.0.1")
    token = parts.path.strip("/")
    assert len(token) >= 43  # 256 bits
    assert url == await address(it), "one site serves all pages"
    with socket.socket() as other:
        other.settimeout(10)
        assert other.connect_ex(("127.0.0.2", parts.port)) != 0
    async with tab(url, connected=False) as page:
        known = [await page.get(path) for path in ("events", "rules/NST101", "message", "page.js", "")]
        assert all(one.status_code != 404 for one in known[:2])
        wrong = token[:-1] + ("A" if token[-1] != "A" else "B")
        for path in (
            f"/{wrong}/",
            f"/{wrong}/events",
            f"/{token}x/",
            f"/{token[:20]}/",
            f"/{token}",
            "/",
            "/favicon.ico",
        ):
            refused = await page.get(path)
            assert (refused.status_code, refused.text) == (404, "Not Found"), path


async def test_names_that_others_resolve_to_this_machine_are_refused(url):
    async with tab(url, connected=False) as page:
        port = urlsplit(page.url).port or 0
        foreign = ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"]
        for host in [*foreign, f"localhost.evil.example:{port}", f"127.0.0.2:{port}", "localhost:", "localhost:x"]:
            assert (await page.get("rules/NST101", Host=host)).status_code == 421, host
        for host in ("localhost", f"LOCALHOST:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", "localhost:12345"):
            assert (await page.get("rules/NST101", Host=host)).status_code == 200, host


async def test_messages_come_from_the_page_itself(url):
    async with tab(url) as page:
        await page.drawn("x + 1")
        ready = json.dumps({"type": "ready"})
        port = urlsplit(page.url).port
        for origin in ("null", "http://evil.example", f"http://localhost:{port}", f"https://127.0.0.1:{port}", ""):
            assert (await page.post(ready, Origin=origin)).status_code == 403, origin
        assert (await page.post(ready, **{"Sec-Fetch-Site": "cross-site"})).status_code == 403
        assert (await page.get("events", **{"Sec-Fetch-Site": "same-site"})).status_code == 403
        assert (await page.post(ready, **{"Content-Type": "text/plain"})).status_code == 415
        assert (await page.post(ready, **{"Sec-Fetch-Site": "same-origin"})).status_code == 204


MALFORMED = [
    "",
    "{",
    "[" * 50_000,
    "[]",
    '{"type": "reveal"}',
    '{"type": "reveal", "place": {"source": 0, "span": [1, 1, 1]}}',
    '{"type": "reveal", "place": {"source": "0", "span": [1, 1, 1, 1]}}',
    '{"type": "export", "format": "exe"}',
    '{"type": "compare", "against": "everything"}',
    '{"type": "choose", "function": "f", "example": -1}',
    '{"type": "choose", "function": "f", "example": "0"}',
    '"\\ud800"',
]


async def test_what_is_no_message_is_refused_with_the_reason(url):
    async with tab(url) as page:
        await page.drawn("x + 1")
        for body in MALFORMED:
            refused = await page.post(body)
            assert (refused.status_code, bool(refused.text)) == (400, True), body
        assert (await page.post("[" * 100_000)).status_code == 413
        assert (await page.say("ready")).status_code == 204


async def test_a_source_that_is_not_there_is_not_shown(it, url):
    async with tab(url, "nowhere") as page:
        await page.drawn("x + 1")
        shown = list(it.client.shown_documents)
        for source in (-1, 1, 10**30):
            await page.say("reveal", place={"source": source, "span": [1, 1, 1, 2]})
        await page.until(lambda: len(page.all("failed")) == 3)
        assert it.client.shown_documents == shown


async def test_what_is_asked_for_without_a_page_is_refused(url):
    async with tab(url, "never-seen", connected=False) as page:
        assert (await page.say("compare", against="save")).status_code == 404
        assert (await page.say("ready")).status_code == 204, "its stream may be on the way"
        for query in (
            "",
            "?page=a",
            "?page=a&uri=b",
            "?page=a%20b&uri=b&function=c",
            f"?page={'a' * 65}&uri=b&function=c",
        ):
            assert (await page.get(f"events{query}")).status_code == 400, query


async def test_every_answer_forbids_the_browser_all_that_the_page_does_not_need(url):
    async with tab(url) as page:
        await page.drawn("x + 1")
        answers = [
            await page.get(path)
            for path in ("", "rules/NST101", "rules/rule.css", "nothing.js", "message", "..%2fsite.py")
        ]
        answers.append(await page.post("{"))
        answers.append(await page.get("rules/NST101", Host="evil.example"))
        assert page.headers is not None
        for headers in [page.headers, *(one.headers for one in answers)]:
            policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
            assert policy["style-src"] == "'self'"
            assert policy["connect-src"] == "'self'"
            assert policy["worker-src"] == "'self' blob:"
            assert [policy[name] for name in ("frame-ancestors", "base-uri", "form-action")] == ["'none'"] * 3
            assert not any("unsafe-inline" in sources or "http" in sources for sources in policy.values())
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == "no-store"
            assert headers["x-content-type-options"] == "nosniff"
            assert "server" not in headers
            assert "access-control-allow-origin" not in headers
        assert answers[1].headers["content-type"] == "text/html; charset=utf-8"
        assert "branch-on-value" in answers[1].text
        assert [one.status_code for one in answers[3:6]] == [404, 404, 404]


async def test_only_files_of_the_page_are_given_away(url):
    async with tab(url, connected=False) as page:
        for path in (
            "../site.py",
            "..%2fsite.py",
            "%2e%2e/site.py",
            "site.py",
            ".hidden.js",
            "dist/index.html",
            "..%5csite.py",
            "%00.js",
        ):
            assert (await page.get(path)).status_code == 404, path


async def test_a_stream_is_compressed_for_those_who_say_that_they_take_it(url):
    async with tab(url) as packed, tab(url, "tab-2") as plain:
        await packed.drawn("x + 1")
        await plain.drawn("x + 1")
        assert packed.headers is not None
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.headers["content-type"].startswith("text/event-stream")
        assert packed.picture == plain.picture
