"""A page in one file: the page's scripts and styles and the picture, to be opened from the disk, without a server.

Its policy is as strict as the served page's: what may run is named by its hash, and nothing can be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html import escape

from ..analysis.picture import Picture
from . import bundle
from .encoding import encoded

_SCRIPT = re.compile(r'<script\b(?P<before>[^>]*?) src="(?P<name>[^"]+)"(?P<after>[^>]*)>\s*</script>')
_STYLE = re.compile(r'<link\b[^>]*\bhref="(?P<name>[^"]+\.css)"[^>]*>')
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_CHARSET = re.compile(r"<meta charset=[^>]*>", re.IGNORECASE)


def single(drawn: Picture) -> str:
    """The file's text, in which no path of the machine stands.  Raises bundle.NotBuiltError."""
    page, scripts, styles = bundle.index(), list[str](), list[str]()

    def script(found: re.Match[str]) -> str:
        text = _TAG_LIKE.sub(lambda _: "\\x3c", _text(found["name"]))
        if "text/plain" not in found["before"]:  # the worker's text runs nowhere but in a worker
            scripts.append(text)
        return f"<script{found['before']}{found['after']}>{text}</script>"

    def style(found: re.Match[str]) -> str:
        styles.append(_text(found["name"]))
        return f"<style>{styles[-1]}</style>"

    page = _SCRIPT.sub(script, _STYLE.sub(style, page))
    title = f"<title>{escape(drawn.title)}</title>"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts, styles)}">'
    data = f'<script type="application/json" id="picture">{_data(drawn)}</script>'
    page = _TITLE.sub(lambda _: title, page, count=1)
    return _CHARSET.sub(lambda found: "\n".join([found[0], policy, data]), page, count=1)


_TAG_LIKE = re.compile(r"<(?=/script|!--)", re.IGNORECASE)
"""What would end a script, or begin a comment, for the reader of HTML; in JavaScript it stands in strings only."""


def _text(name: str) -> str:
    content = bundle.read(name)
    if content is None:
        raise bundle.NotBuiltError(f"{bundle.MISSING} ({name} is missing)")
    return content.decode("utf-8").replace("\r\n", "\n")


def _data(drawn: Picture) -> str:
    """The picture as JSON that ends no element."""
    return "".join(encoded(replace(drawn, uri=""), lambda code: None)).replace("<", "\\u003c")


def _policy(scripts: list[str], styles: list[str]) -> str:
    allowed = {
        "default-src": "'none'",
        "script-src": " ".join([*map(_hash, scripts), "'wasm-unsafe-eval'"]),
        "style-src": " ".join(map(_hash, styles)) or "'none'",
        "worker-src": "blob:",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in allowed.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
