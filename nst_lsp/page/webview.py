"""The page for an editor's webview, which has no address of ours: one text, to be shown by whoever asked for it.

The editor names a nonce that nobody else can know; the page's policy lets run what bears it, and nothing be fetched.
What the page and the server say to each other is carried by the editor, which speaks the protocol of a browser's page.
"""

from __future__ import annotations

import re

from .inlined import headed, inlined, policy

_NONCE = re.compile(r"[\w-]{16,128}", re.ASCII)


def is_nonce(text: str) -> bool:
    """Whether a text can be a nonce: it ends no attribute, and is too long to be guessed."""
    return _NONCE.fullmatch(text) is not None


def webview(nonce: str) -> str:
    """Raises bundle.NotBuiltError."""
    page = inlined(f' nonce="{nonce}"')
    return headed(page.html, policy([f"'nonce-{nonce}'"], [f"'nonce-{nonce}'"]))
