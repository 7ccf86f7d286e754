"""Where comments are, without `tokenize`: fifty times as fast, and at home in texts that are no Python yet.

It knows strings and comments and nothing else.  What it gets wrong is a quote within a replacement field of an f-string
that is the f-string's own (from Python 3.12 on).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_LEXEMES = re.compile(
    r'"""(?:[^\\"]|\\.|"(?!""))*(?:"""|\Z)'
    r"|'''(?:[^\\']|\\.|'(?!''))*(?:'''|\Z)"
    r'|"(?:[^"\\\r\n]|\\.)*(?:"|(?=[\r\n])|\Z)'
    r"|'(?:[^'\\\r\n]|\\.)*(?:'|(?=[\r\n])|\Z)"
    r"|#[^\r\n]*",
    re.DOTALL,
)


def comments_of(source: str) -> Iterator[re.Match[str]]:
    """The comments of a text in order."""
    return (found for found in _LEXEMES.finditer(source) if found[0].startswith("#"))


def is_comment(source: str, offset: int) -> bool:
    """Whether the character at an offset is part of a comment."""
    for found in _LEXEMES.finditer(source):
        if found.end() > offset:
            return found.start() <= offset and found[0].startswith("#")
    return False
