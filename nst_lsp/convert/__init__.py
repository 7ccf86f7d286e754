"""Between the analysis' plain data and LSP: the only rooms that know encodings and the protocol's types.

What everyone needs is here by name; the answers to single requests are in modules of their own.
"""

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
from .told import diagnostic, diagnostics, page_link

__all__ = [
    "Client",
    "Encoding",
    "Page",
    "changed",
    "characters",
    "client",
    "diagnostic",
    "diagnostics",
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
]
