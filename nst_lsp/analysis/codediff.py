"""What differs between the code of two graphs, as a unified diff of its lines.

Lines of the source and the alignment of comments are left out, and what is only called otherwise now is called so on
both sides: what is shown is what changed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from tracer.worker.wire import GraphInfo

from .assumptions import in_new_words


def code_diff(before: GraphInfo, after: GraphInfo, names: Mapping[str, str], titles: tuple[str, str]) -> list[str]:
    """The lines of a unified diff, `--- +++ @@` among them; `names` are what the nodes of `before` are called now."""
    old = [in_new_words(line, names) for line in _lines(before)]
    return list(difflib.unified_diff(old, _lines(after), *titles, lineterm=""))


def _lines(graph: GraphInfo) -> list[str]:
    return [_plain(line) for line in graph.code.rstrip("\n").split("\n")]


def _plain(line: str) -> str:
    """`y = x * 2      # float64[3]  line 12` without the line, and the comment two spaces behind the code."""
    found = _COMMENTED.fullmatch(line)
    if found is None:
        return line
    comment = _LINE.sub("", found["comment"])
    return f"{found['code']}  # {comment}" if comment else found["code"]


_COMMENTED = re.compile(r"(?P<code>.*\S)\s+# (?P<comment>[^'\"#]*)")
_LINE = re.compile(r"(?:\s+|^)line \d+$")
