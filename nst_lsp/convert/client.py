"""What an editor can do, as far as we care."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp

from ..analysis import markdown, plaintext
from ..analysis.markup import Markup


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor can do, as far as we care."""

    name: str = ""
    """With its version, as it says."""
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
    resolve_lenses: bool = False
    """It asks for the title of a lens when that is drawn."""
    refresh_hints: bool = False
    resolve_hints: bool = False
    """It asks for a hint's note and where its value comes from when they are looked at."""
    pull_diagnostics: bool = False
    """It asks for diagnostics, and does so again when it is told to; else they are sent to it."""
    show_documents: bool = False
    virtual_documents: bool = False
    """`workspace/textDocumentContent`."""
    shows_graphs: bool = False
    """It has its own way to show what `nst.showGraph` gives."""
    shows_pages: bool = False
    """It has its own way to show the address that `nst.openPage` gives."""
    links_commands: bool = False
    """Links in a hover run commands: `[title](command:name?arguments)`."""
    shows_logs: bool = False
    """It has its own place for logs."""
    hovers_have_diagnostics: bool = False
    """Beside a hover of ours it shows the diagnostics that there are at the place."""
    status: bool = False
    has_trust: bool = False
    """It asks the user itself whether a workspace is trusted, and says so by the setting."""

    @property
    def markup(self) -> Markup:
        """How text for people is to be marked up."""
        return markdown if self.markdown else plaintext


def client(capabilities: lsp.ClientCapabilities, who: lsp.ClientInfo | None = None) -> Client:
    """The capabilities that matter here; what the client does not mention it cannot do."""
    published = member(capabilities, "text_document", "publish_diagnostics")
    formats = member(capabilities, "text_document", "hover", "content_format") or ()
    experimental = capabilities.experimental
    refreshed = bool(member(capabilities, "workspace", "diagnostics", "refresh_support"))
    return Client(
        name=f"{who.name} {who.version or ''}".strip() if who else "",
        related_information=bool(member(published, "related_information")),
        tags=lsp.DiagnosticTag.Unnecessary in (member(published, "tag_support", "value_set") or ()),
        links=bool(member(published, "code_description_support")),
        markdown=lsp.MarkupKind.Markdown in formats,
        progress=bool(member(capabilities, "window", "work_done_progress")),
        configuration=bool(member(capabilities, "workspace", "configuration")),
        register_configuration=bool(
            member(capabilities, "workspace", "did_change_configuration", "dynamic_registration")
        ),
        register_watchers=bool(member(capabilities, "workspace", "did_change_watched_files", "dynamic_registration")),
        resolve_edits=_resolves(capabilities, "code_action", "edit"),
        refresh_lenses=bool(member(capabilities, "workspace", "code_lens", "refresh_support")),
        resolve_lenses=_resolves(capabilities, "code_lens", "command") and not _draws_unresolved_lenses(who),
        refresh_hints=bool(member(capabilities, "workspace", "inlay_hint", "refresh_support")),
        resolve_hints=_resolves(capabilities, "inlay_hint", "tooltip"),
        pull_diagnostics=refreshed and member(capabilities, "text_document", "diagnostic") is not None,
        show_documents=bool(member(capabilities, "window", "show_document", "support")),
        virtual_documents=member(capabilities, "workspace", "text_document_content") is not None,
        shows_graphs="nst.showGraph" in (member(experimental, "commands", "commands") or ()),
        shows_pages="nst.openPage" in (member(experimental, "commands", "commands") or ()),
        links_commands=bool(member(experimental, "commandLinks")),
        shows_logs="nst.showLogs" in (member(experimental, "commands", "commands") or ()),
        hovers_have_diagnostics=bool(member(experimental, "diagnosticsInHovers")),
        has_trust=bool(member(experimental, "workspaceTrust")),
        status=bool(member(experimental, "serverStatusNotification")),
    )


def _resolves(capabilities: lsp.ClientCapabilities, feature: str, what: str) -> bool:
    """Whether the client asks for a part of something when that is needed."""
    return what in (member(capabilities, "text_document", feature, "resolve_support", "properties") or ())


def _draws_unresolved_lenses(who: lsp.ClientInfo | None) -> bool:
    """Neovim 0.11 writes "Unresolved lens" until the title comes, which would blink with every keystroke."""
    return who is not None and who.name == "Neovim"


def member(value: Any, *names: str) -> Any:
    """A field of nested optional objects; what has no type in the protocol comes as dicts or as named tuples."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else getattr(value, name, None)
    return value
