"""A graph as text to be kept and compared, on any machine and with any version of NumPy.

It is the graph's code below its guards, without what changes though the graph does not: line numbers of the source,
the alignment of comments, digits that another processor computes otherwise, and the contents of large captured arrays.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

from .graph import Graph
from .printing import code

_DIGITS = 9
"""Significant digits of a float that are kept: elementary functions differ in the last ones between machines."""
_LINE = re.compile(r"\s*\bline \d+$")
_CONTENTS = re.compile(r"= .*\bb85decode\(.*\)(?=  #|$)|= \.\.\.  # captured, [\d,]+ bytes\s*(?=  #|$)")
"""A large array: bytes that say nothing to a reader, or the note that they were left out."""


def snapshot(graph: Graph) -> str:
    """The text of a graph: its guards, each once, then its code."""
    guards = dict.fromkeys(f"# holds for {guard.text}" for guard in graph.guards)
    rows = [_CONTENTS.sub("= ...", row) for row in _settled(code(graph, elide=True))]
    return "\n".join([*guards, *(row for row in rows if row != "import base64")]) + "\n"


def _settled(text: str) -> Iterator[str]:
    """The lines of a module; from right to left, so that no change moves another."""
    rows = text.splitlines()
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(text).readline))):
        (line, start), end = token.start, token.end[1]
        row = rows[line - 1] if line <= len(rows) else ""
        if token.type == tokenize.COMMENT and row[:start].strip():
            told = _LINE.sub("", token.string).removesuffix("#").rstrip()
            rows[line - 1] = f"{row[:start].rstrip()}  {told}".rstrip()
        elif token.type == tokenize.NUMBER:
            rows[line - 1] = row[:start] + _rounded(token.string) + row[end:]
    yield from rows


def _rounded(number: str) -> str:
    """A float or imaginary number without the digits that are not kept; any other as it is."""
    imaginary = number[-1:] in "jJ"
    digits = number[:-1] if imaginary else number
    if digits[:2].lower() == "0x" or not re.search(r"[.eE]", digits):
        return number
    return repr(float(f"{float(digits):.{_DIGITS}g}")) + ("j" if imaginary else "")
