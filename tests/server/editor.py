"""An editor for tests: pytest-lsp's client, the documents it has open, and ways to wait for what the server says."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest_lsp
from lsprotocol import types as lsp
from pygls.protocol import default_converter
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features

from nst_lsp import convert
from nst_lsp.analysis.text import Text
from tests.server.messages import span
from tests.server.waiting import Waiting
from tests.server.wire_harness import SERVER


class Editor(Waiting):
    """One client with its server; positions are found in the text they speak of."""

    def __init__(self, client: LanguageClient, folder: Path, encoding: str) -> None:
        super().__init__()
        self.client = client
        self.folder = folder
        self.encoding = encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.questions: list[str] = []
        """What the server asked the user."""
        self.choice: str | None = None
        """What the user answers."""
        self.published: list[lsp.PublishDiagnosticsParams] = []
        self.statuses: list[Any] = []
        self.refreshes = 0
        self.pulls = 0
        """How often the server asked to be asked for diagnostics."""
        self.hint_refreshes = 0
        self.content_refreshes: list[lsp.TextDocumentContentRefreshParams] = []
        self.offered = lsp.ServerCapabilities()

    def hear(self, note: Callable[[Any], None]) -> Callable[..., None]:
        """A handler that notes what came and wakes those who wait."""

        def handler(params: Any) -> None:
            note(params)
            self._news.set()

        return handler

    # ---- documents ---------------------------------------------------------------------------------

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def document(self, name: str) -> lsp.TextDocumentIdentifier:
        return lsp.TextDocumentIdentifier(self.uri(name))

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")

    def open(self, name: str, text: str | None = None) -> None:
        if text is not None:
            self.write(name, text)
        self.texts[name] = (self.folder / name).read_bytes().decode("utf-8")
        self.versions[name] = 1
        item = lsp.TextDocumentItem(self.uri(name), "python", 1, self.texts[name])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def edit(self, name: str, part: str, new: str, nth: int = 1) -> None:
        """Replace an occurrence of a part, as an incremental change."""
        before = Text(self.texts[name])
        where = convert.range_of(before, span(before.source, part, nth), self.encoding)
        self.apply(name, lsp.TextEdit(where, new))

    def apply(self, name: str, edit: lsp.TextEdit) -> None:
        """Do what the server asks for, as an incremental change."""
        before, new = Text(self.texts[name]), edit.new_text
        where = convert.span_of(before, edit.range, self.encoding)
        change = lsp.TextDocumentContentChangePartial(edit.range, new)
        start, end = before.offsets(where)
        self.texts[name] = before.source[:start] + new + before.source[end:]
        self.versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def save(self, name: str) -> None:
        self.write(name, self.texts[name])
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(self.document(name)))

    def close(self, name: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document(name)))

    # ---- what the server says ----------------------------------------------------------------------

    @asynccontextmanager
    async def settled(self):
        """Do something that makes the server work, and wait until it is idle again."""
        before = len(self.statuses)
        yield
        await self.until(lambda: _worked(self.statuses[before:]))

    @property
    def is_idle(self) -> bool:
        """Whether the server says that it has nothing to do; it may not have heard of what was just done."""
        return bool(self.statuses) and _member(self.statuses[-1], "quiescent") is True

    def latest(self, name: str) -> lsp.PublishDiagnosticsParams | None:
        return next((one for one in reversed(self.published) if one.uri == self.uri(name)), None)

    def told(self, name: str) -> list[tuple[str | int | None, str]]:
        """Code and covered text of each diagnostic that was last published, faded ones left out."""
        latest = self.latest(name)
        text = Text(self.texts[name])
        found = [one for one in (latest.diagnostics if latest else []) if not one.tags]
        return [(one.code, text.at(convert.span_of(text, one.range, self.encoding))) for one in found]

    def messages(self, name: str) -> list[str]:
        latest = self.latest(name)
        return [one.message for one in (latest.diagnostics if latest else [])]

    def position(self, name: str, marked: str) -> lsp.Position:
        """Where `|` stands in a piece of the text."""
        source = self.texts[name]
        at = Text(source).position(source.index(marked.replace("|", "")) + marked.index("|"))
        return convert.position(Text(source), *at, self.encoding)

    async def hover(self, name: str, marked: str) -> str:
        params = lsp.HoverParams(self.document(name), self.position(name, marked))
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return ""
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def lenses(self, name: str) -> list[lsp.CodeLens]:
        """The lenses as they are drawn: those that come without a title are asked for it."""
        found = await self.client.text_document_code_lens_async(lsp.CodeLensParams(self.document(name)))
        return [one if one.command else await self.client.code_lens_resolve_async(one) for one in found or []]

    async def titles(self, name: str) -> list[tuple[int, str]]:
        """Line (from 1) and title of each lens."""
        return [(one.range.start.line + 1, one.command.title) for one in await self.lenses(name) if one.command]

    async def actions(
        self, name: str, part: str, only: Sequence[str] | None = None
    ) -> list[lsp.CodeAction | lsp.Command]:
        """The code actions; lsprotocol takes those with a command and no kind for commands."""
        text = Text(self.texts[name])
        where = convert.range_of(text, span(text.source, part), self.encoding)
        latest = self.latest(name)
        given = [one for one in (latest.diagnostics if latest else []) if one.range == where]
        params = lsp.CodeActionParams(self.document(name), where, lsp.CodeActionContext(given, only))
        return list(await self.client.text_document_code_action_async(params) or [])

    async def execute(self, command: str, *arguments: Any) -> Any:
        params = lsp.ExecuteCommandParams(command, list(arguments))
        return await self.client.workspace_execute_command_async(params)

    def configure(self, **settings: Any) -> None:
        """Change the settings, as an editor that is asked for them does."""
        self.client.set_configuration(settings, section="nst")
        self.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=None))

    def health(self) -> list[tuple[str, bool, str | None]]:
        """Each status that was told: health, whether nothing goes on, and the message."""
        return [(_member(one, "health"), _member(one, "quiescent"), _member(one, "message")) for one in self.statuses]

    def answer(self, params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        """Note a question and choose."""
        self.questions.append(params.message)
        self._news.set()
        return next((one for one in params.actions or [] if one.title == self.choice), None)

    def shown(self) -> list[str]:
        """The messages that were shown."""
        return [one.message for one in self.client.messages]


def _worked(statuses: list[Any]) -> bool:
    quiet = [_member(one, "quiescent") for one in statuses]
    return False in quiet and quiet[-1]


def _member(status: Any, name: str) -> Any:
    return status.get(name) if isinstance(status, dict) else getattr(status, name, None)


def _newest(known: lsp.TextDocumentClientCapabilities) -> lsp.TextDocumentClientCapabilities:
    known.diagnostic = lsp.DiagnosticClientCapabilities()
    known.code_lens = lsp.CodeLensClientCapabilities(resolve_support=lsp.ClientCodeLensResolveOptions(["command"]))
    resolved = lsp.ClientInlayHintResolveOptions(["tooltip", "label.tooltip", "label.location", "label.command"])
    known.inlay_hint = lsp.InlayHintClientCapabilities(resolve_support=resolved)
    return known


converter = cache(default_converter)
"""One for all editors: each is slow until it has met every kind of message once."""


@asynccontextmanager
async def editor(
    folder: Path,
    kind: str = "visual-studio-code",
    *,
    newest: bool = False,
    own_trust: bool = False,
    own_views: bool = False,
    **settings: Any,
):
    """An editor of some kind (`client_capabilities` of pytest-lsp) with its server, in a workspace folder.

    The `newest` ask for diagnostics and for whatever may be resolved, and show documents that are no files.  One with
    views of its own shows graph pages itself, and links in its hovers run commands.
    """
    capabilities = pytest_lsp.client_capabilities(kind)
    capabilities.experimental = {"serverStatusNotification": True, "workspaceTrust": own_trust}
    if own_views:
        capabilities.experimental["commands"] = {"commands": ["nst.openPage"]}
        capabilities.experimental["commandLinks"] = True
    if newest:
        capabilities.text_document = _newest(capabilities.text_document or lsp.TextDocumentClientCapabilities())
        workspace = capabilities.workspace = capabilities.workspace or lsp.WorkspaceClientCapabilities()
        workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        workspace.inlay_hint = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        workspace.text_document_content = lsp.TextDocumentContentClientCapabilities()
    client = LanguageClient(converter_factory=converter, configuration={"": {"nst": settings}})
    it = Editor(client, folder, "utf-16")
    register_lsp_features(
        client,
        {
            **DEFAULT_CLIENT_FEATURES,
            lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: it.hear(it.published.append),
            "experimental/serverStatus": it.hear(it.statuses.append),
            lsp.WORKSPACE_CODE_LENS_REFRESH: it.hear(lambda _: setattr(it, "refreshes", it.refreshes + 1)),
            lsp.WORKSPACE_DIAGNOSTIC_REFRESH: it.hear(lambda _: setattr(it, "pulls", it.pulls + 1)),
            lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH: it.hear(it.content_refreshes.append),
            lsp.WORKSPACE_INLAY_HINT_REFRESH: it.hear(lambda _: setattr(it, "hint_refreshes", it.hint_refreshes + 1)),
            lsp.PROGRESS: it.hear(lambda params: DEFAULT_CLIENT_FEATURES[lsp.PROGRESS](client, params)),
            lsp.CLIENT_REGISTER_CAPABILITY: it.hear(lambda _: None),
            lsp.WINDOW_SHOW_MESSAGE: it.hear(client.messages.append),
            lsp.WINDOW_SHOW_MESSAGE_REQUEST: lambda params: it.answer(params),
        },
    )
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    await client.start_io(*SERVER, env={**environment, "VIRTUAL_ENV": str(Path(sys.prefix))})
    folders = [lsp.WorkspaceFolder(folder.as_uri(), folder.name)]
    params = lsp.InitializeParams(capabilities, root_uri=folder.as_uri(), workspace_folders=folders)
    result = await client.initialize_session(params)
    it.offered = result.capabilities
    it.encoding = str(getattr(result.capabilities.position_encoding, "value", result.capabilities.position_encoding))
    try:
        yield it
    finally:
        await client.shutdown_session()
        await client.stop()
