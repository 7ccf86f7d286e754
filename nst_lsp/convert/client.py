"""What an editor can do, as far as we care."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor can do, as far as we care."""

    related_information: bool = False
    tags: bool = False
    links: bool = False
    """It shows the address of a rule's page with its code."""
    markdown: bool = False
    progress: bool = False
    configuration: bool = False
    register_configuration: bool = False
    register_watchers: bool = False
    resolve_edits: bool = False
    """It asks for the edit of a code action when that is chosen."""
    refresh_lenses: bool = False
    show_documents: bool = False
    virtual_documents: bool = False
    """`workspace/textDocumentContent`."""
    shows_graphs: bool = False
    """It has its own way to show what `nst.showGraph` gives."""
    status: bool = False


def client(capabilities: lsp.ClientCapabilities) -> Client:
    """The capabilities that matter here; what the client does not mention it cannot do."""
    published = _at(capabilities, "text_document", "publish_diagnostics")
    formats = _at(capabilities, "text_document", "hover", "content_format") or ()
    actions = _at(capabilities, "text_document", "code_action")
    experimental = capabilities.experimental
    return Client(
        related_information=bool(_at(published, "related_information")),
        tags=lsp.DiagnosticTag.Unnecessary in (_at(published, "tag_support", "value_set") or ()),
        links=bool(_at(published, "code_description_support")),
        markdown=lsp.MarkupKind.Markdown in formats,
        progress=bool(_at(capabilities, "window", "work_done_progress")),
        configuration=bool(_at(capabilities, "workspace", "configuration")),
        register_configuration=bool(_at(capabilities, "workspace", "did_change_configuration", "dynamic_registration")),
        register_watchers=bool(_at(capabilities, "workspace", "did_change_watched_files", "dynamic_registration")),
        resolve_edits="edit" in (_at(actions, "resolve_support", "properties") or ()),
        refresh_lenses=bool(_at(capabilities, "workspace", "code_lens", "refresh_support")),
        show_documents=bool(_at(capabilities, "window", "show_document", "support")),
        virtual_documents=_at(capabilities, "workspace", "text_document_content") is not None,
        shows_graphs="nst.showGraph" in (_at(experimental, "commands", "commands") or ()),
        status=bool(_at(experimental, "serverStatusNotification")),
    )


def _at(value: Any, *names: str) -> Any:
    """A field of nested optional objects; those of `experimental` come as dicts or as named tuples."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value
