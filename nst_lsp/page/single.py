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
from .encoding import encoded
from .inlined import headed, inlined, policy

_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)


def single(drawn: Picture) -> str:
    """The file's text, in which no path of the machine stands.  Raises bundle.NotBuiltError."""
    page = inlined()
    title = f"<title>{escape(drawn.title)}</title>"
    rules = policy(map(_hash, page.scripts), map(_hash, page.styles))
    data = f'<script type="application/json" id="picture">{_data(drawn)}</script>'
    return headed(_TITLE.sub(lambda _: title, page.html, count=1), rules, data)


def _data(drawn: Picture) -> str:
    """The picture as JSON that ends no element."""
    return "".join(encoded(replace(drawn, uri=""), lambda code: None)).replace("<", "\\u003c")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
