"""The parts of the protocol's lifecycle that pygls 2.1 leaves out, in one subclass.

Requests before `initialize` get −32002, requests after `shutdown` (and a second `initialize`) −32600; notifications
at those times are dropped (`reading.py` has the rest of what may be wrong with a message).  Capabilities that pygls
never advertises are added to its answer.  An override can go when pygls has it.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol.language_server import lsp_method

from . import convert
from .analysis.graphs import LOG_SCHEME, SCHEME
from .reading import Reading

_KEPT_BY_OURSELVES = (
    lsp.TEXT_DOCUMENT_DID_OPEN,
    lsp.TEXT_DOCUMENT_DID_CHANGE,
    lsp.TEXT_DOCUMENT_DID_CLOSE,
    lsp.NOTEBOOK_DOCUMENT_DID_OPEN,
    lsp.NOTEBOOK_DOCUMENT_DID_CHANGE,
    lsp.NOTEBOOK_DOCUMENT_DID_CLOSE,
)
"""pygls would keep each text a second time, change it with each keystroke, and fail on files that are not open."""


class Protocol(Reading):
    """pygls' protocol with the order of messages enforced."""

    _initialized = False

    def __init__(self, *arguments: Any) -> None:
        self.left = threading.Event()
        """Set once the connection is to end."""
        self.said_exit = False
        super().__init__(*arguments)
        for method in _KEPT_BY_OURSELVES:
            del self.fm.builtin_features[method]

    @property
    def was_shut_down(self) -> bool:
        """Whether the client said goodbye in the proper order; the exit code tells it."""
        return self._shutdown

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        self._initialized = True
        result = yield from super().lsp_initialize(params)
        capabilities = result.capabilities
        if capabilities.workspace is None:
            capabilities.workspace = lsp.WorkspaceOptions()
        capabilities.workspace.text_document_content = lsp.TextDocumentContentOptions(schemes=[SCHEME, LOG_SCHEME])
        if not convert.client(params.capabilities).pull_diagnostics:
            capabilities.diagnostic_provider = None  # pygls offers it to all
        capabilities.experimental = {"serverStatus": True}
        return result

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(self, params: lsp.ExecuteCommandParams) -> Any:  # type: ignore[override]
        """In pygls a generator, and what cancels the request does not reach the command, which goes on unheard."""
        command = self.fm.commands.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command}")
        return await command(*(params.arguments or ()))

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]  # there it is a generator
        """It is the connection that ends: pygls ends the process, in which others may be served over sockets."""
        self.said_exit = True
        self.left.set()
        self._server.shutdown()  # type: ignore[no-untyped-call]

    def refusal(self, method: str) -> JsonRpcException | None:
        if method == lsp.EXIT:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server was shut down")
        if not self._initialized and method != lsp.INITIALIZE:
            return JsonRpcServerNotInitialized("the server is not initialized")
        if self._initialized and method == lsp.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already")
        return None
