"""Texts and paths of every kind, told where and as the editor has them."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from lsprotocol import types as lsp

from tests.server.several import SHARED, diagnostics, hover, open_text, own_folder, published, shared, told, workspace

it = shared()
folder = own_folder()
pytestmark = SHARED

SOURCE = """\
import numpy as np

bias = 2.0


# nst: example(np.ones(3))
def f(x):
    s = 'e\u0301𝛼'; return x * bias
"""
FOUND = [("NST205", "bias")]
UTF_8, UTF_16, UTF_32 = lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf16, lsp.PositionEncodingKind.Utf32

TEXTS = {
    "as it is": SOURCE,
    "crlf": SOURCE.replace("\n", "\r\n"),
    "lone cr": SOURCE.replace("\n", "\r"),
    "mixed ends": SOURCE.replace("\n", "\r\n", 3).replace("\n\n", "\r\n\r"),
    "byte-order mark": "\ufeff" + SOURCE,
    "form feeds": SOURCE.replace("bias = 2.0\n", "\fbias = 2.0\n\f\n"),
    "ends that are none": SOURCE.replace("'; ", "\u2028\x0b\x1c\x85'; "),
    "tabs": SOURCE.replace("    ", "\t"),
    "no end": SOURCE.rstrip(),
    "latin-1": "# -*- coding: latin-1 -*-\n" + SOURCE,
    "no such encoding": "# coding: nonsense\n" + SOURCE,
    "a long line": SOURCE.replace("'; ", "é" * 100_000 + "'; "),
    "many lines": "\n" * 50_000 + SOURCE + "\n" * 50_000,
    "joined lines": SOURCE.replace("x * bias", "x \\\n  * bias"),
}


@pytest.mark.parametrize(
    ("encoding", "texts"),
    [
        (UTF_16, TEXTS),
        (UTF_8, {"ends that are none": TEXTS["ends that are none"]}),
        (UTF_32, {"ends that are none": TEXTS["ends that are none"]}),
    ],
)
async def test_findings_stand_where_they_are_in_every_text(tmp_path, encoding, texts):
    async with workspace(tmp_path, encodings=[encoding]) as it:
        assert it.encoding == encoding.value
        uris = {name: (tmp_path / f"{name}.py").as_uri() for name in texts}
        for name, text in texts.items():
            open_text(it, uris[name], text)
        await it.until(lambda: all(published(it, uri) for uri in uris.values()))
        assert {name: told(it, uris[name], text) for name, text in texts.items()} == dict.fromkeys(texts, FOUND)
        assert "NST205" in await hover(it, uris["ends that are none"], TEXTS["ends that are none"], "x * b|ias")


WRONG = {"a null": SOURCE + "\0", "half a character": SOURCE + "# \ud800\n", "no Python": "# nst: example(1)\ndef f(:"}


async def test_a_text_that_is_no_python_is_told_and_the_next_is_traced(it, folder):
    texts = {(folder / f"{name}.py").as_uri(): text for name, text in WRONG.items()}
    open_text(it, (folder / "empty.py").as_uri(), "")
    for uri, text in texts.items():
        open_text(it, uri, text)
    await it.until(lambda: all(published(it, uri) for uri in texts) and it.is_idle)
    assert [[one.code for one in diagnostics(it, uri)] for uri in texts] == [["NST503"]] * len(WRONG)
    async with it.settled():
        open_text(it, (folder / "right.py").as_uri(), SOURCE)
    assert told(it, (folder / "right.py").as_uri(), SOURCE) == FOUND
    assert not diagnostics(it, (folder / "empty.py").as_uri())


@pytest.mark.parametrize(
    ("cookie", "encoding"), [("latin-1", "latin-1"), ("cp1252", "cp1252"), ("utf-8", "utf-8-sig"), ("koi8-r", "koi8-r")]
)
async def test_helpers_are_read_in_their_own_encoding(it, folder, cookie, encoding):
    letters = "ЖЩ" if cookie == "koi8-r" else "éü"
    helper = f"# -*- coding: {cookie} -*-\ndef times(x):\n    s = '{letters}'; return x * len(s) * scale\nscale = 2.0\n"
    (folder / "helper.py").write_bytes(helper.encode(encoding))
    text = "import numpy as np\nfrom helper import times\n# nst: example(np.ones(3))\ndef f(x):\n    return times(x)\n"
    async with it.settled():
        open_text(it, (folder / "main.py").as_uri(), text)
    assert told(it, (folder / "main.py").as_uri(), text) == []
    assert told(it, (folder / "helper.py").as_uri(), helper) == [("NST205", "scale")]


async def test_a_helper_in_an_encoding_that_python_refuses_is_told(it, folder):
    (folder / "helper.py").write_bytes("value = 'é'\n".encode("utf-16"))
    text = "import numpy as np\nimport helper\n# nst: example(np.ones(3))\ndef f(x):\n    return x\n"
    async with it.settled():
        open_text(it, (folder / "main.py").as_uri(), text)
    assert told(it, (folder / "main.py").as_uri(), text) == [("NST503", "import helper")]


PATHS = [
    "with space/a b.py",
    "100%/a%20b#c+d?.py",
    "ünï/𝛼🐍.py",
    "my.script.py",
    "dash-ed/mod-dash.py",
    "a&b;c=d.py",
    "class.py",
    "a\nb.py",
    "tracer.py",
    "random.py",
]


async def test_paths_may_have_any_character(it, folder):
    files = [folder / path for path in PATHS]
    uris = [f"file://{quote(str(file), safe='/+&;=')}" for file in files]  # as one editor writes it, not as another
    for file, uri in zip(files, uris, strict=True):
        file.parent.mkdir(exist_ok=True)
        file.write_text(SOURCE, encoding="utf-8")
        open_text(it, uri, SOURCE)
    await it.until(lambda: all(published(it, uri) for uri in uris))
    for uri in uris:
        assert told(it, uri, SOURCE) == FOUND
        assert "NST205" in await hover(it, uri, SOURCE, "x * b|ias")
        graph = await it.execute("nst.graph", {"uri": uri, "function": "f"})
        content = await it.client.workspace_text_document_content_async(lsp.TextDocumentContentParams(graph["uri"]))
        assert content.text == graph["code"]


HELPER = "scale = 2.0\n\n\ndef times(x):\n    return x * scale\n"
USER = "import numpy as np\nfrom helper import times\n\n\n# nst: example(np.ones(3))\ndef f(x):\n    return times(x)\n"


async def test_what_is_opened_through_links_is_told_by_their_names(tmp_path):
    real = tmp_path / "real"
    real.mkdir()
    (real / "helper.py").write_text(HELPER)
    (real / "main.py").write_text(USER)
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "link" / "alias.py").symlink_to(real / "main.py")
    link = tmp_path / "link"
    async with workspace(link) as it:
        async with it.settled():
            it.open("main.py")
        assert told(it, (link / "helper.py").as_uri(), HELPER) == [("NST205", "scale")]
        assert await it.titles("main.py")
        async with it.settled():
            it.open("alias.py")
        assert (await it.titles("alias.py"))[0][1].startswith("graph: 1 operation")
        async with it.settled():  # a helper that is open by its link, and unsaved, is the one that runs
            it.open("helper.py")
            it.edit("helper.py", "x * scale", "x")
            await it.execute("nst.retrace", {"uri": it.uri("main.py")})
        assert (await it.titles("main.py"))[0][1].startswith("graph: 0 operations")
        assert {one.uri.rpartition("/")[0] for one in it.published} == {link.as_uri()}


async def test_other_schemes_are_left_alone_and_untitled_buffers_are_traced(it, folder):
    (it.folder / "helper.py").write_text("def times(x):\n    return x * 3\n")
    untitled = "from helper import times\n" + SOURCE.replace("x * bias", "times(x) * bias")
    for uri in ("git:/a/b.py?x", "vscode-vfs://github/a/b.py", "http://[", "zip:/a.zip/b.py", "x", ""):
        open_text(it, uri, SOURCE)
        assert await hover(it, uri, SOURCE, "x * b|ias") == ""
        change = lsp.TextDocumentContentChangeWholeDocument(SOURCE)
        document = lsp.VersionedTextDocumentIdentifier(2, uri)
        it.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))
    async with it.settled():
        open_text(it, "untitled:Untitled-1", untitled)
    assert told(it, "untitled:Untitled-1", untitled) == FOUND
    assert "NST205" in await hover(it, "untitled:Untitled-1", untitled, "* b|ias")
    assert not [one for one in it.published if one.uri.startswith(("git:", "vscode-vfs:", "http:", "zip:", "x"))]
    assert it.shown() == []


async def test_a_folder_that_cannot_be_written_and_a_file_that_was_deleted(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "helper.py").write_text(HELPER)
    (folder / "main.py").write_text(USER)
    folder.chmod(0o555)
    try:
        async with workspace(folder) as it:
            for name in ("helper.py", "main.py"):
                async with it.settled():
                    it.open(name)
            assert it.told("helper.py") == [("NST205", "scale")]
            folder.chmod(0o755)
            for name in ("helper.py", "main.py"):
                (folder / name).unlink()
            async with it.settled():
                await it.execute("nst.retrace", {"uri": it.uri("main.py")})
            assert (it.told("main.py"), it.told("helper.py")) == ([], [("NST205", "scale")])  # as both stand open
            assert not [*folder.iterdir()]
    finally:
        folder.chmod(0o755)
