"""One client's connection: pygls' server with one session, which calls it its editor."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from tracer.worker.wire import Place

from . import convert
from .analysis.diagnostics import Diagnostic
from .analysis.view import View
from .configuration import Configuration
from .logs import Logs
from .progress import Progress
from .protocol import Protocol
from .session import Session
from .status import Status
from .written import Written

if TYPE_CHECKING:
    from .callers import Callers
    from .page.serving import Serving

VERSION = version("nst-lsp")
_PATIENCE = 10.0
"""Seconds that an editor may take to show a place."""


class Server(LanguageServer):
    """pygls' server with one session; it is what the session calls its editor."""

    protocol: Protocol

    def __init__(self) -> None:
        cells = lsp.NotebookDocumentFilterWithNotebook(notebook="*", cells=[lsp.NotebookCellLanguage("python")])
        notebooks = lsp.NotebookDocumentSyncOptions(notebook_selector=[cells], save=True)
        super().__init__("nst-lsp", VERSION, notebook_document_sync=notebooks, protocol_cls=Protocol)
        self.client = convert.Client()
        self.logs = Logs()
        self.written = Written()
        self.session = Session(self, Configuration())
        self._published: dict[str, set[str]] = {}
        """The URIs by path that have diagnostics at the client."""
        self._refreshing = False
        self.shown_graphs: set[str] = set()
        """URIs of the graphs that the client has asked for."""
        self.site: Serving | None = None
        """The graph pages, once the first was asked for."""
        self._opening = asyncio.Lock()
        self.tells_cursor = False
        """The client says where its cursor is; other requests then say nothing of it."""

    @cached_property
    def callers(self) -> Callers:
        """Made when code actions are first asked for, as is what it is made of."""
        from .callers import Callers

        return Callers()

    @property
    def encoding(self) -> convert.Encoding:
        return self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

    def publish(self, path: str, told: list[Diagnostic]) -> None:
        if self.site is not None:
            self.site.pages.results()
        document, gone = self.session.knowledge.documents.get(path), self._published.pop(path, set())
        pulled = self.client.pull_diagnostics and (document is None or document.notebook is None)
        if pulled and document is None:  # what is open the client asks for by itself when it changes
            self._refresh_pulled()
        for page in [] if pulled else self.pages(path):
            shown = convert.diagnostics(told, page, self.pages, self.client, self.encoding)
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(page.uri, shown, page.version))
            gone.discard(page.uri)
            if shown:
                self._published.setdefault(path, set()).add(page.uri)
        for uri in sorted(gone):  # cells that were deleted, or their notebook was closed
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def served_pages(self) -> Serving:
        """The site of the graph pages, which is loaded and served from the first time on that it is asked for."""
        async with self._opening:
            if self.site is None:
                serving = await asyncio.to_thread(import_module, f"{__package__}.page.serving")
                self.site = await serving.serve(self.session.desk)
        return self.site

    def point(self, uri: str, at: lsp.Position) -> None:
        """Tell the open graph pages where the editor's cursor is."""
        view = self.view(uri) if self.site is not None and self.site.pages.connected else None
        if self.site is not None and view is not None:
            self.site.pages.cursor(view.document.path, *convert.place(view.document.text, at, self.encoding))

    def pages(self, path: str) -> list[convert.Page]:
        """What the client counts as the documents of a file."""
        document = self.session.knowledge.documents.get(path)
        if document is not None:
            return convert.pages(document)
        return [convert.Page(convert.uri_of(path), None, self.session.knowledge.text(path))]

    def _refresh_pulled(self) -> None:
        """Have the client ask for diagnostics again, once for all that changes at this moment."""
        if self.client.pull_diagnostics and not self._refreshing:
            self._refreshing = True
            asyncio.get_running_loop().call_soon(self._ask_for_pull)

    def _ask_for_pull(self) -> None:
        self._refreshing = False
        self.workspace_diagnostic_refresh(None)

    def refresh(self) -> None:
        if self.site is not None:
            self.site.pages.results()
        self._refresh_pulled()
        if self.client.refresh_lenses:
            self.workspace_code_lens_refresh(None)
        if self.client.refresh_hints:
            self.workspace_inlay_hint_refresh(None)
        for uri in self.shown_graphs:
            self.workspace_text_document_content_refresh(lsp.TextDocumentContentRefreshParams(uri))

    def warn(self, message: str) -> None:
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, self.logs.add(message)))

    async def ask(self, message: str, choices: list[str]) -> str | None:
        actions = [lsp.MessageActionItem(choice) for choice in choices]
        params = lsp.ShowMessageRequestParams(lsp.MessageType.Warning, message, actions)
        chosen = await self.window_show_message_request_async(params)
        return chosen.title if chosen is not None else None

    def report_server_error(self, error: Exception, source: type[Exception]) -> None:
        """What went wrong outside of any request; pygls shows each to the user, who can do nothing about it."""
        if isinstance(error, (ValueError, RecursionError)) and source is JsonRpcException:
            self.protocol.unreadable(error)
        elif not isinstance(error, JsonRpcInvalidParams):  # of a command, which was answered
            self.log(f"an error of the server: {error!r}")

    def log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, self.logs.add(message)))

    async def reveal(self, place: Place) -> str | None:
        where = f"{Path(place.path).name}, line {place.span.line}"
        page = next((page for page in self.pages(place.path) if page.text.shows(place.span.line)), None)
        if not self.client.show_documents or page is None:
            return f"this editor cannot be told to show a place; it is {where}"
        selection = convert.range_of(page.text, place.span, self.encoding)
        params = lsp.ShowDocumentParams(page.uri, take_focus=True, selection=selection)
        try:
            async with asyncio.timeout(_PATIENCE):
                shown = await self.window_show_document_async(params)
        except Exception as error:  # noqa: BLE001 - whatever the editor answers, the page hears of it
            return f"the editor did not show {where}: {error}"
        return None if shown.success else f"the editor did not show {where}"

    def status(self, now: Status) -> None:
        if self.site is not None:
            self.site.pages.activity()
        if self.client.status:
            message = {"message": self.logs.masked(now.message)} if now.message else {}
            interpreters = [
                {"root": convert.uri_of(one.root), "python": one.python, "name": one.name} for one in now.interpreters
            ]
            told = {"health": now.health, "quiescent": now.quiescent, **message, "interpreters": interpreters}
            self.protocol.notify("experimental/serverStatus", told)

    def progress_of(self, title: str, cancel: Callable[[], object]) -> Progress:
        return Progress(WorkDone(self, title, cancel) if self.client.progress else None)

    async def end(self) -> None:
        """Nothing is asked for any more: leave nothing behind."""
        self.written.remove()
        if self.site is not None:
            await self.site.close()
        await self.session.end()

    def path_of(self, uri: str) -> str | None:
        """The path of a URI: of a file, of an untitled buffer that is open, of the notebook that has the cell."""
        return self.session.knowledge.path_of(uri) or convert.path_of(uri)

    def view(self, uri: str) -> View | None:
        """What is known of an open file, with the text that the URI means: a cell shows its part of a notebook."""
        path = self.path_of(uri)
        view = self.session.knowledge.view(path) if path else None
        if view is None or view.document.notebook is None or view.document.uri == uri:
            return view
        page = next((page for page in convert.pages(view.document) if page.uri == uri), None)
        return None if page is None else replace(view, document=replace(view.document, uri=uri, text=page.text))


class WorkDone:
    """A progress bar of the client, which can be cancelled there."""

    def __init__(self, server: Server, title: str, cancel: Callable[[], object]) -> None:
        self._server, self._title, self._cancel = server, title, cancel
        self._token = f"nst/{uuid.uuid4()}"

    async def create(self) -> None:
        progress = self._server.work_done_progress
        await progress.create_async(self._token)
        progress.tokens[self._token].add_done_callback(lambda future: future.cancelled() and self._cancel())
        progress.begin(self._token, lsp.WorkDoneProgressBegin(self._title, cancellable=True))

    def report(self, message: str) -> None:
        self._server.work_done_progress.report(self._token, lsp.WorkDoneProgressReport(message=message))

    def end(self, message: str | None) -> None:
        self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd(message=message))
        self._server.work_done_progress.tokens.pop(self._token, None)
