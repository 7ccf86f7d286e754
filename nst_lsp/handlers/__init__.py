"""What the server answers: each handler looks something up, calls the analysis, and converts its answer.

All handlers are `async`, as pygls' threads share the reader's pool and cannot be cancelled.  A module has the handlers
of one concern.  They are named here and imported when they are first needed, or once the client is served: it shall
not wait for its first answer until all of them, with the analysis behind them, are there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from lsprotocol import types as lsp

Handler = Callable[..., Any]


def _late(module: str, name: str) -> Handler:
    """A handler that is imported when it is first called."""

    async def handler(ls: Any, *arguments: Any) -> Any:
        return await getattr(import_module(f".{module}", __name__), name)(ls, *arguments)

    return handler


_MODULES: dict[str, dict[str, str]] = {
    "lifecycle": {
        lsp.INITIALIZE: "initialize",
        lsp.INITIALIZED: "initialized",
        lsp.SHUTDOWN: "shutdown",
        lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: "settings_changed",
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: "files_changed",
        lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: "folders_changed",
    },
    "documents": {
        lsp.TEXT_DOCUMENT_DID_OPEN: "opened",
        lsp.TEXT_DOCUMENT_DID_CHANGE: "changed",
        lsp.TEXT_DOCUMENT_DID_SAVE: "saved",
        lsp.TEXT_DOCUMENT_DID_CLOSE: "closed",
    },
    "notebooks": {
        lsp.NOTEBOOK_DOCUMENT_DID_OPEN: "opened",
        lsp.NOTEBOOK_DOCUMENT_DID_CHANGE: "changed",
        lsp.NOTEBOOK_DOCUMENT_DID_SAVE: "saved",
        lsp.NOTEBOOK_DOCUMENT_DID_CLOSE: "closed",
    },
    "shown": {
        lsp.TEXT_DOCUMENT_HOVER: "hover",
        lsp.TEXT_DOCUMENT_CODE_LENS: "code_lens",
        lsp.CODE_LENS_RESOLVE: "code_lens_resolve",
        lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT: "text_document_content",
    },
    "hints": {
        lsp.TEXT_DOCUMENT_INLAY_HINT: "inlay_hint",
        lsp.INLAY_HINT_RESOLVE: "resolve",
    },
    "pulled": {
        lsp.TEXT_DOCUMENT_DIAGNOSTIC: "document_diagnostic",
        lsp.WORKSPACE_DIAGNOSTIC: "workspace_diagnostic",
    },
    "writing": {
        lsp.TEXT_DOCUMENT_CODE_ACTION: "code_action",
        lsp.CODE_ACTION_RESOLVE: "resolve",
    },
    "completing": {
        lsp.TEXT_DOCUMENT_COMPLETION: "completion",
        lsp.TEXT_DOCUMENT_SIGNATURE_HELP: "signature_help",
    },
    "paging": {
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "document_highlight",
        "nst.openPage": "open_page",
        "nst.cursor": "cursor",
    },
    "trying": {
        "nst.compare": "compare",
        "nst.checkArguments": "check_arguments",
        "nst.exampleTemplate": "example_template",
    },
    "studying": {
        "nst.study": "study",
        "nst.showStudy": "show_study",
    },
    "commands": {
        "nst.graph": "graph",
        "nst.showGraph": "show_graph",
        "nst.functions": "functions",
        "nst.changes": "changes",
        "nst.switchExample": "switch_example",
        "nst.retrace": "retrace",
        "nst.restart": "restart",
        "nst.doctor": "doctor",
        "nst.showLogs": "show_logs",
    },
}
"""By module: the handler of each method, or of each command."""

_HANDLERS = {about: _late(module, name) for module, names in _MODULES.items() for about, name in names.items()}
COMMANDS: dict[str, Handler] = {about: handler for about, handler in _HANDLERS.items() if about.startswith("nst.")}
FEATURES: dict[str, Handler] = {about: handler for about, handler in _HANDLERS.items() if about not in COMMANDS}
OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_CODE_LENS: lsp.CodeLensOptions(resolve_provider=True),
    lsp.TEXT_DOCUMENT_INLAY_HINT: lsp.InlayHintOptions(resolve_provider=True),
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="nst"
    ),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
        code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite],
        resolve_provider=True,
    ),
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=[".", "(", "[", ",", "=", ":"]),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions(
        trigger_characters=["(", ","], retrigger_characters=[")", "="]
    ),
}
"""What is registered with a method."""


def load() -> None:
    """Import all handlers."""
    for module in _MODULES:
        import_module(f".{module}", __name__)
