"""Program texts with the planted faults marked in them: `x if ⟦NST101 x.sum() > 0⟧ else -x`.

The marks travel with the text while it is put together, and come off at the end; so a fault's range is exact
wherever its expression ended up.
"""

from __future__ import annotations

import re

from tests.marks import Mark

_EDGE = re.compile(r"⟦(NST\d{3}) |⟧")


def unmarked(text: str) -> tuple[str, list[Mark]]:
    """The text without its marks, and the marks as expectations; each stands within one line."""
    found, lines = [], []
    for number, line in enumerate(text.split("\n"), 1):
        plain, opened, end = "", [], 0
        for edge in _EDGE.finditer(line):
            plain += line[end : edge.start()]
            end = edge.end()
            if edge[1]:
                opened.append((edge[1], len(plain) + 1))
            else:
                code, start = opened.pop()
                found.append(Mark(number, (start, len(plain) + 1), frozenset({code})))
        assert not opened, line
        lines.append(plain + line[end:])
    return "\n".join(lines), found
