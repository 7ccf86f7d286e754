"""The page's own files: what `make page` builds of `web/`, and a wheel has in it."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "dist"
INDEX = "index.html"
MISSING = "the graph page is not built: run `make page` in the checkout of nst-lsp"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
"""What a file is, by the end of its name; nothing else is served."""

_NAME = re.compile(r"\w[\w.-]*", re.ASCII)


class NotBuiltError(Exception):
    """The page was not built; the message says how."""


def is_built() -> bool:
    return (FOLDER / INDEX).is_file()


def read(name: str) -> bytes | None:
    """A file by its name, which leads nowhere else; None where there is none."""
    file = FOLDER / name
    if _NAME.fullmatch(name) is None or file.suffix not in TYPES or not file.is_file():
        return None
    return file.read_bytes()


def index() -> str:
    """The page.  Raises NotBuiltError."""
    found = read(INDEX)
    if found is None:
        raise NotBuiltError(MISSING)
    return found.decode("utf-8")
