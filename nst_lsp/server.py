"""The language server: each handler looks something up, calls the analysis, and converts its answer.

All handlers are `async`, as pygls' threads share the reader's pool and cannot be cancelled.  Descriptors 0 and 1 are
kept for the protocol alone: whatever else writes to stdout writes to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import platform
import sys
import tempfile
import uuid
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from . import convert
from .analysis import actions, graphs, hovers, lenses
from .analysis.diagnostics import Diagnostic
from .analysis.traced import Function
from .analysis.view import View
from .configuration import Configuration, section
from .progress import Progress
from .protocol import Protocol
from .session import Session

VERSION = version("nst-lsp")


def serve(*, tcp: tuple[str, int] | None = None, ws: tuple[str, int] | None = None) -> int:
    """Serve one client over stdio, or over the socket given as host and port; the exit code, once it is gone."""
    if ws is not None and find_spec("websockets") is None:
        sys.stderr.write("nst: serving over WebSockets needs `pip install nst-lsp[ws]`\n")
        return 2
    logging.basicConfig(level=logging.WARNING)
    logging.getLogger("pygls").setLevel(logging.WARNING)  # at INFO it logs every message in full
    server = create()
    with contextlib.suppress(SystemExit):
        if tcp is not None:
            server.start_tcp(*tcp)
        elif ws is not None:
            server.start_ws(*ws)
        else:
            server.start_io(*private_streams())
    return 0 if server.protocol.was_shut_down else 1


def private_streams() -> tuple[BinaryIO, BinaryIO]:
    """Buffered streams on duplicates of descriptors 0 and 1, which then lead to nothing and to stderr."""
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return stdin, stdout


class Server(LanguageServer):
    """pygls' server with one session; it is what the session calls its editor."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("nst-lsp", VERSION, protocol_cls=Protocol)
        self.client = convert.Client()
        self.session = Session(self, Configuration())
        self.shown_graphs: set[str] = set()
        """URIs of the graphs that the client has asked for."""

    @property
    def encoding(self) -> convert.Encoding:
        return self.workspace.position_encoding or lsp.PositionEncodingKind.Utf16

    def publish(self, path: str, uri: str, version: int | None, told: list[Diagnostic]) -> None:
        shown = convert.diagnostics(told, path, self.session.text, self.client, self.encoding)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, shown, version))

    def refresh(self) -> None:
        if self.client.refresh_lenses:
            self.workspace_code_lens_refresh(None)
        for uri in self.shown_graphs:
            self.workspace_text_document_content_refresh(lsp.TextDocumentContentRefreshParams(uri))

    def warn(self, message: str) -> None:
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, message))

    def log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, message))

    def status(self, health: str, quiescent: bool, message: str | None) -> None:
        if self.client.status:
            told = {"health": health, "quiescent": quiescent, **({"message": message} if message else {})}
            self.protocol.notify("experimental/serverStatus", told)

    def progress_of(self, title: str, cancel: Callable[[], object]) -> Progress:
        return Progress(WorkDone(self, title, cancel) if self.client.progress else None)

    def view(self, uri: str) -> View | None:
        path = convert.path_of(uri)
        return self.session.view(path) if path else None


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

    def end(self) -> None:
        self._server.work_done_progress.end(self._token, lsp.WorkDoneProgressEnd())
        self._server.work_done_progress.tokens.pop(self._token, None)


def create() -> Server:
    """A server with all its handlers."""
    server = Server()
    for method, handler in FEATURES.items():
        server.feature(method, OPTIONS.get(method))(handler)
    for command, handler in COMMANDS.items():
        server.command(command)(handler)
    return server


# ---- lifecycle and settings ------------------------------------------------------------------------


async def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    ls.client = convert.client(params.capabilities)
    uris = [folder.uri for folder in params.workspace_folders or []] or [uri for uri in [params.root_uri] if uri]
    folders = tuple(path for path in map(convert.path_of, uris) if path)
    ls.session.configuration = Configuration(section(params.initialization_options), folders)


async def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    try:
        async with asyncio.timeout(5):  # a client that never answers is served with what it said so far
            await _fetch_settings(ls)
            await _register(ls)
    except Exception as error:  # noqa: BLE001 - whatever the client answers, the server starts
        ls.log(f"the client did not give its settings: {error!r}")
    ls.session.configuration.known.set()
    ls.session.warm_up()


async def _fetch_settings(ls: Server) -> None:
    """Ask for the `nst` section, once for all and once for each folder."""
    if not ls.client.configuration:
        return
    folders = ls.session.configuration.folders
    items = [
        lsp.ConfigurationItem(None, "nst"),
        *(lsp.ConfigurationItem(convert.uri_of(one), "nst") for one in folders),
    ]
    answers = await ls.workspace_configuration_async(lsp.ConfigurationParams(items))
    ls.session.configuration.set_editor(dict(zip(["", *folders], map(section, answers), strict=False)))


async def _register(ls: Server) -> None:
    """Ask to be told of changed settings and files, where the client wants to be asked."""
    watchers = [lsp.FileSystemWatcher("**/*.py"), lsp.FileSystemWatcher("**/pyproject.toml")]
    files = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
    wanted = [
        (ls.client.register_configuration, lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": "nst"}),
        (ls.client.register_watchers, lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, files),
    ]
    asked = [lsp.Registration(method, method, options) for possible, method, options in wanted if possible]
    if asked:
        await ls.client_register_capability_async(lsp.RegistrationParams(asked))


async def settings_changed(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    if ls.client.configuration:
        await _fetch_settings(ls)
    else:
        ls.session.configuration.set_editor({"": section(params.settings)})
    ls.session.configured()


async def files_changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    ls.session.disk_changed(path for change in params.changes if (path := convert.path_of(change.uri)))


async def folders_changed(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    gone = {convert.path_of(folder.uri) for folder in params.event.removed}
    came = [path for folder in params.event.added if (path := convert.path_of(folder.uri))]
    kept = [folder for folder in ls.session.configuration.folders if folder not in gone]
    ls.session.configuration.folders = (*kept, *came)
    await _fetch_settings(ls)
    ls.session.configured()


async def shutdown(ls: Server, params: None) -> None:
    await ls.session.end()


# ---- documents -------------------------------------------------------------------------------------


async def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    document = params.text_document
    path = convert.path_of(document.uri)
    if path is not None:
        ls.session.open(document.uri, path, document.version, document.text)


async def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    view = ls.view(params.text_document.uri)
    if view is not None:
        changes = convert.changed(view.document.text, params.content_changes, ls.encoding)
        ls.session.change(view.document.path, params.text_document.version, changes)


async def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    view = ls.view(params.text_document.uri)
    if view is not None:
        ls.session.save(view.document.path)


async def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    path = convert.path_of(params.text_document.uri)
    if path in ls.session.documents:
        ls.session.close(path)


# ---- what is shown ---------------------------------------------------------------------------------


async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    view = ls.view(params.text_document.uri)
    if view is None:
        return None
    at = convert.place(view.document.text, params.position, ls.encoding)
    found = hovers.hover(view, *at, ls.session.diagnostics(view.document.path), convert.page_link)
    return convert.hover(view.document.text, found, ls.client, ls.encoding) if found else None


async def code_lens(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    view = ls.view(params.text_document.uri)
    if view is None:
        return []
    shown = lenses.lenses(view, ls.session.reported(view.document.path))
    return [convert.lens(view.document, lens, ls.encoding) for lens in shown]


async def code_action(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    view = ls.view(params.text_document.uri)
    if view is None:
        return []
    given, only = params.context.diagnostics, params.context.only
    selected = convert.span_of(view.document.text, params.range, ls.encoding)
    offered = actions.actions(view, selected, ls.session.diagnostics(view.document.path))
    return [convert.action(view.document, one, given, ls.encoding) for one in offered if convert.wanted(one, only)]


async def text_document_content(ls: Server, params: lsp.TextDocumentContentParams) -> lsp.TextDocumentContentResult:
    about = graphs.read_graph_uri(params.uri)
    view = ls.session.view(about[0]) if about else None
    function = view.traced.function(about[1]) if view and about else None
    graph = graphs.graph(view, function, about[2]) if view and function and about else None
    ls.shown_graphs.add(params.uri)
    return lsp.TextDocumentContentResult(graph.code if graph else "# There is no graph any more.\n")


# ---- commands: docs/protocol.md says what they take and give ---------------------------------------


async def graph(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    view, function, example = _target(ls, *arguments)
    found = graphs.graph(view, function, example) if view and function else None
    return convert.graph(found, view.document, ls.encoding) if view and found else None


async def show_graph(ls: Server, *arguments: Any) -> dict[str, Any] | None:
    found = await graph(ls, *arguments)
    if found is None:
        ls.warn("nst: there is no graph here yet")
    elif ls.client.show_documents and not ls.client.shows_graphs:
        uri = found["uri"] if ls.client.virtual_documents else _written(found)
        await ls.window_show_document_async(lsp.ShowDocumentParams(uri, take_focus=False))
    return found


def _written(found: dict[str, Any]) -> str:
    """The graph as a file, for clients that can show nothing else."""
    folder = Path(tempfile.gettempdir(), f"nst-graphs-{os.getpid()}")
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{found['function']}-{found['example'] + 1}.graph.py".replace("<locals>", "locals")
    file.write_text(found["code"], encoding="utf-8")
    return file.as_uri()


async def switch_example(ls: Server, *arguments: Any) -> int | None:
    view, function, example = _target(ls, *arguments)
    outcome = view.shown(function) if view and function else None
    if view is None or function is None or outcome is None:
        return None
    chosen = lenses.next_example(function, outcome) if example is None else example
    ls.session.choose(view.document.path, function.name, chosen)
    return chosen


async def retrace(ls: Server, *arguments: Any) -> None:
    about = _about(*arguments)
    path = convert.path_of(str(about["uri"])) if "uri" in about else None
    if path is not None and not ls.session.settings(path).trusted:
        ls.warn("nst: nothing is run in a workspace that is not trusted")
    ls.session.retrace(path)


async def restart(ls: Server, *arguments: Any) -> None:
    await ls.session.restart()


async def doctor(ls: Server, *arguments: Any) -> dict[str, Any]:
    python, projects = platform.python_version(), await ls.session.doctor()
    facts = [f"{name}: {value}" for project in projects for name, value in project.items() if value]
    text = "\n".join([f"nst-lsp {VERSION} on Python {python}", *facts])
    return {"version": VERSION, "server_python": python, "projects": projects, "text": text}


def _target(ls: Server, *arguments: Any) -> tuple[View | None, Function | None, int | None]:
    """The file, function and example that a command is about; the function by its name or by a position."""
    about = _about(*arguments)
    view = ls.view(str(about.get("uri", "")))
    if view is None:
        return None, None, None
    function = view.traced.function(str(about.get("function")))
    if "function" not in about and isinstance(at := about.get("position"), dict):
        given = lsp.Position(int(at["line"]), int(at["character"]))
        found = view.function_at(*convert.place(view.document.text, given, ls.encoding))
        function = found[0] if found else None
    example = about.get("example")
    return view, function, example if isinstance(example, int) else None


def _about(*arguments: Any) -> dict[str, Any]:
    """The one object that a command takes; absent and null members are the same."""
    given = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
    return {name: value for name, value in given.items() if value is not None}


FEATURES: dict[str, Callable[..., Any]] = {
    lsp.INITIALIZE: initialize,
    lsp.INITIALIZED: initialized,
    lsp.SHUTDOWN: shutdown,
    lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: settings_changed,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: folders_changed,
    lsp.TEXT_DOCUMENT_DID_OPEN: opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: changed,
    lsp.TEXT_DOCUMENT_DID_SAVE: saved,
    lsp.TEXT_DOCUMENT_DID_CLOSE: closed,
    lsp.TEXT_DOCUMENT_HOVER: hover,
    lsp.TEXT_DOCUMENT_CODE_LENS: code_lens,
    lsp.TEXT_DOCUMENT_CODE_ACTION: code_action,
    lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT: text_document_content,
}
OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]),
}
COMMANDS: dict[str, Callable[..., Any]] = {
    "nst.graph": graph,
    "nst.showGraph": show_graph,
    "nst.switchExample": switch_example,
    "nst.retrace": retrace,
    "nst.restart": restart,
    "nst.doctor": doctor,
}
