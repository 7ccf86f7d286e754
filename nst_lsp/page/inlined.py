"""The page with its scripts and styles standing in it, for where it cannot load them from an address.

Whoever shows such a page says by its policy which of them may run: a file of its own names their hashes, a webview
gives them a nonce.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from . import bundle

_SCRIPT = re.compile(r'<script\b(?P<before>[^>]*?) src="(?P<name>[^"]+)"(?P<after>[^>]*)>\s*</script>')
_STYLE = re.compile(r'<link\b[^>]*\bhref="(?P<name>[^"]+\.css)"[^>]*>')
_CHARSET = re.compile(r"<meta charset=[^>]*>", re.IGNORECASE)
_TAG_LIKE = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
"""What would end a script, or begin a comment, for the reader of HTML; in JavaScript it stands in strings only."""


@dataclass(frozen=True, slots=True)
class Inlined:
    html: str
    scripts: tuple[str, ...]
    """What runs in the page; the worker's text, which runs nowhere but in a worker, is not among them."""
    styles: tuple[str, ...]


def inlined(attributes: str = "") -> Inlined:
    """The page, with attributes for each of its scripts and styles.  Raises bundle.NotBuiltError."""
    scripts, styles = list[str](), list[str]()

    def script(found: re.Match[str]) -> str:
        text = _TAG_LIKE.sub(lambda _: "\\x3c", _text(found["name"]))
        if "text/plain" not in found["before"]:
            scripts.append(text)
        return f"<script{found['before']}{found['after']}{attributes}>{text}</script>"

    def style(found: re.Match[str]) -> str:
        styles.append(_text(found["name"]))
        return f"<style{attributes}>{styles[-1]}</style>"

    html = _SCRIPT.sub(script, _STYLE.sub(style, bundle.index()))
    return Inlined(html, tuple(scripts), tuple(styles))


def headed(html: str, *elements: str) -> str:
    """The page with elements at the beginning of its head, before whatever a policy among them is to rule."""
    return _CHARSET.sub(lambda found: "\n".join([found[0], *elements]), html, count=1)


def policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """The element with a policy that lets these scripts and styles run, and nothing be fetched."""
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join([*scripts, "'wasm-unsafe-eval'"]),
        "style-src": " ".join(styles) or "'none'",
        "worker-src": "blob:",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    content = "; ".join(f"{name} {sources}" for name, sources in allowed.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def _text(name: str) -> str:
    content = bundle.read(name)
    if content is None:
        raise bundle.NotBuiltError(f"{bundle.MISSING} ({name} is missing)")
    return content.decode("utf-8").replace("\r\n", "\n")
