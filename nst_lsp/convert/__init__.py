"""Between the analysis' plain data and LSP: the only rooms that know encodings and the protocol's types."""

from .client import Client, client
from .completing import completion, signature_help
from .hints import hint, hint_document, label, whole_hint
from .positions import (
    Encoding,
    Page,
    changed,
    characters,
    pages,
    path_of,
    place,
    position,
    range_of,
    span_of,
    text_edits,
    units,
    untitled_path,
    uri_of,
)
from .pulled import report, workspace_report
from .shown import command, graph, hover, lens, lens_data, titled_lens
from .told import diagnostic, diagnostics, page_link
from .writing import action, wanted

__all__ = [
    "Client",
    "Encoding",
    "Page",
    "action",
    "changed",
    "characters",
    "client",
    "command",
    "completion",
    "diagnostic",
    "diagnostics",
    "graph",
    "hint",
    "hint_document",
    "hover",
    "label",
    "lens",
    "lens_data",
    "page_link",
    "pages",
    "path_of",
    "place",
    "position",
    "range_of",
    "report",
    "signature_help",
    "span_of",
    "text_edits",
    "titled_lens",
    "units",
    "untitled_path",
    "uri_of",
    "wanted",
    "whole_hint",
    "workspace_report",
]
