"""Lifecycle, settings, watched files and folders."""

from __future__ import annotations

import asyncio
import platform

from lsprotocol import types as lsp

from .. import convert
from ..configuration import Configuration, section
from ..connection import VERSION, Server
from ..trust import Trust
from . import load


async def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    ls.client = convert.client(params.capabilities, params.client_info)
    uris = [folder.uri for folder in params.workspace_folders or []] or [uri for uri in [params.root_uri] if uri]
    folders = tuple(path for path in map(convert.path_of, uris) if path)
    trust = None if ls.client.has_trust else Trust()
    ls.session.workspace.configuration = Configuration(section(params.initialization_options), folders, trust)


async def initialized(ls: Server, params: lsp.InitializedParams) -> None:
    ls.log(f"nst-lsp {VERSION} on Python {platform.python_version()}")
    try:
        async with asyncio.timeout(5):  # a client that never answers is served with what it said so far
            await _fetch_settings(ls)
            await _register(ls)
    except Exception as error:  # noqa: BLE001 - whatever the client answers, the server starts
        ls.log(f"the client did not give its settings: {error!r}")
    ls.session.workspace.configuration.known.set()
    ls.session.warm_up()
    asyncio.get_running_loop().call_soon(load)


async def _fetch_settings(ls: Server) -> None:
    """Ask for the `nst` section, once for all and once for each folder."""
    if not ls.client.configuration:
        return
    folders = ls.session.workspace.configuration.folders
    items = [
        lsp.ConfigurationItem(None, "nst"),
        *(lsp.ConfigurationItem(convert.uri_of(one), "nst") for one in folders),
    ]
    answers = await ls.workspace_configuration_async(lsp.ConfigurationParams(items))
    ls.session.workspace.configuration.set_editor(dict(zip(["", *folders], map(section, answers), strict=False)))


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
        ls.session.workspace.configuration.set_editor({"": section(params.settings)})
    ls.session.configured()


async def files_changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    ls.session.disk_changed(path for change in params.changes if (path := convert.path_of(change.uri)))


async def folders_changed(ls: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    gone = {convert.path_of(folder.uri) for folder in params.event.removed}
    came = [path for folder in params.event.added if (path := convert.path_of(folder.uri))]
    kept = [folder for folder in ls.session.workspace.configuration.folders if folder not in gone]
    ls.session.workspace.configuration.folders = (*kept, *came)
    await _fetch_settings(ls)
    ls.session.configured()


async def shutdown(ls: Server, params: None) -> None:
    await ls.end()
