"""Editors over every transport, with several folders, and with notebooks."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

from nst_lsp import convert
from nst_lsp.analysis.text import Text
from tests.server.editor import Editor, converter
from tests.server.messages import span
from tests.server.waiting import DEADLINE
from tests.server.wire_harness import SERVER

SOCKET_SERVER = "import sys; from nst_lsp.server import serve; sys.exit(serve({}=('127.0.0.1', 0)))"


@dataclass
class Listening:
    """A server process that waits for clients on a port of its own choice."""

    process: asyncio.subprocess.Process
    kind: str
    port: int

    async def connect(self, client: LanguageClient) -> None:
        await (client.start_tcp if self.kind == "tcp" else client.start_ws)("127.0.0.1", self.port)

    async def exit_code(self) -> int:
        return await asyncio.wait_for(self.process.wait(), DEADLINE)


@asynccontextmanager
async def listening(kind: str) -> AsyncIterator[Listening]:
    program = SOCKET_SERVER.format(kind)
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stderr=asyncio.subprocess.PIPE)
    assert process.stderr is not None
    try:
        line = (await asyncio.wait_for(process.stderr.readline(), DEADLINE)).decode()
        found = re.fullmatch(rf"nst: serving on {kind}://127\.0\.0\.1:(\d+)\n", line)
        assert found, line
        yield Listening(process, kind, int(found[1]))
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@asynccontextmanager
async def workspace(
    *folders: Path,
    server: Listening | None = None,
    command: Sequence[str] = SERVER,
    encodings: Sequence[lsp.PositionEncodingKind] = (),
    folder_settings: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    polite: bool = True,
    uris: Sequence[str] = (),
    watching: bool = True,
    pulling: bool = False,
    **settings: Any,
) -> AsyncIterator[Editor]:
    """An editor with some workspace folders, over stdio or as a client of a server that listens."""
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    capabilities.experimental = {"serverStatusNotification": True}
    sync = lsp.NotebookDocumentSyncClientCapabilities()
    capabilities.notebook_document = lsp.NotebookDocumentClientCapabilities(synchronization=sync)
    if encodings:
        capabilities.general = capabilities.general or lsp.GeneralClientCapabilities()
        capabilities.general.position_encodings = list(encodings)
    if not watching and capabilities.workspace is not None:
        capabilities.workspace.did_change_watched_files = None
    if pulling and capabilities.workspace is not None and capabilities.text_document is not None:
        capabilities.text_document.diagnostic = lsp.DiagnosticClientCapabilities()
        capabilities.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    scoped = {uri: {"nst": given} for uri, given in (folder_settings or {}).items()}
    client = LanguageClient(converter_factory=converter, configuration={"": {"nst": settings}, **scoped})
    it = Editor(client, folders[0], "utf-16")
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **_features(it)})
    if server is None:
        given = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
        given |= {"VIRTUAL_ENV": str(Path(sys.prefix))} if environment is None else environment
        await client.start_io(*command, env=given)
    else:
        await server.connect(client)
    given_folders = [
        lsp.WorkspaceFolder(uri, folder.name)
        for folder, uri in zip(folders, uris or [one.as_uri() for one in folders], strict=True)
    ]
    params = lsp.InitializeParams(capabilities, workspace_folders=given_folders)
    result = await client.initialize_session(params)
    it.encoding = str(getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding))
    try:
        yield it
    finally:
        if polite:
            await client.shutdown_session()
            await client.stop()
        else:
            vanish(client)


def vanish(client: LanguageClient) -> None:
    """Cut the connection as a machine does that is switched off."""
    writer: Any = client.protocol.writer
    getattr(writer, "_ws", writer).transport.abort()


def _features(it: Editor) -> dict[str, Callable[..., Any]]:
    client = it.client
    return {
        lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: it.hear(it.published.append),
        "experimental/serverStatus": it.hear(it.statuses.append),
        lsp.PROGRESS: it.hear(lambda params: DEFAULT_CLIENT_FEATURES[lsp.PROGRESS](client, params)),
        lsp.WINDOW_SHOW_MESSAGE: it.hear(client.messages.append),
        **{method: it.hear(lambda params: None) for method in _ACKNOWLEDGED},
    }


_ACKNOWLEDGED = (
    lsp.CLIENT_REGISTER_CAPABILITY,
    lsp.WORKSPACE_CODE_LENS_REFRESH,
    lsp.WORKSPACE_INLAY_HINT_REFRESH,
    lsp.WORKSPACE_DIAGNOSTIC_REFRESH,
)


SHARED = pytest.mark.asyncio(loop_scope="module")
"""For the tests of a module that has one editor and server for all of them: each is a second to start."""


def shared(**settings: Any) -> Any:
    """A fixture: an editor in a folder of its own, for all tests of a module."""

    @pytest_asyncio.fixture(scope="module", loop_scope="module")
    async def it(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
        async with workspace(tmp_path_factory.mktemp("shared"), **settings) as editor:
            yield editor

    return it


def own_folder() -> Any:
    """A fixture: a folder for one test, within the shared editor's."""

    @pytest.fixture
    def folder(it: Editor, request: pytest.FixtureRequest) -> Path:
        path = it.folder / re.sub(r"\W", "_", request.node.name)
        path.mkdir()
        return path

    return folder


def own_editor() -> Any:
    """A fixture: the shared editor, at home in the test's own folder, and with nothing open afterwards."""

    @pytest.fixture
    def here(it: Editor, folder: Path) -> Iterator[Editor]:
        shared_folder, it.folder = it.folder, folder
        it.texts.clear()
        yield it
        for name in it.texts:
            it.close(name)
        it.folder = shared_folder

    return here


# ---- documents by their URI ------------------------------------------------------------------------


def open_text(it: Editor, uri: str, text: str, language: str = "python") -> None:
    it.client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, text)))


def published(it: Editor, uri: str) -> lsp.PublishDiagnosticsParams | None:
    return next((one for one in reversed(it.published) if one.uri == uri), None)


def diagnostics(it: Editor, uri: str) -> list[lsp.Diagnostic]:
    latest = published(it, uri)
    return list(latest.diagnostics) if latest else []


def told(it: Editor, uri: str, text: str) -> list[tuple[Any, str]]:
    """Code and covered text of each diagnostic that was last published for a URI, faded ones left out."""
    lines, found = Text(text), [one for one in diagnostics(it, uri) if not one.tags]
    return [(one.code, lines.at(convert.span_of(lines, one.range, it.encoding))) for one in found]


def at(it: Editor, text: str, marked: str) -> lsp.Position:
    """Where `|` stands in a piece of a text."""
    lines = Text(text)
    found = lines.position(text.index(marked.replace("|", "")) + marked.index("|"))
    return convert.position(lines, *found, it.encoding)


def around(it: Editor, text: str, part: str, nth: int = 1) -> lsp.Range:
    return convert.range_of(Text(text), span(text, part, nth), it.encoding)


async def hover(it: Editor, uri: str, text: str, marked: str) -> str:
    params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), at(it, text, marked))
    found = await it.client.text_document_hover_async(params)
    if found is None:
        return ""
    assert isinstance(found.contents, lsp.MarkupContent)
    return found.contents.value
