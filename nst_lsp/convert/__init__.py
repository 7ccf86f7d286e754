"""Between the analysis' plain data and LSP: the only rooms that know encodings and the protocol's types."""

from .client import Client, client
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
from .shown import command, graph, hover, lens
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
    "diagnostic",
    "diagnostics",
    "graph",
    "hover",
    "lens",
    "page_link",
    "pages",
    "path_of",
    "place",
    "position",
    "range_of",
    "span_of",
    "text_edits",
    "units",
    "untitled_path",
    "uri_of",
    "wanted",
]
