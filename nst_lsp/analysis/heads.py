"""The function that a comment stands above, found line by line.

It is asked while one types, when the text as a whole may be no Python: nothing but the lines from the comment to the
end of the function's head is looked at, and for a method the `class` lines above it.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from .outline import FunctionNode, parameters
from .silence import tokens
from .text import Text

_DEF = re.compile(r"(\s*)(?:async\s+)?def\s+(\w+)")
_ASSIGNED = re.compile(r"(\s*)(\w+)\s*(?::[^=]*)?=(?!=)")
_CLASS = re.compile(r"(\s*)class\s+(\w+)")
_MOST_LINES = 60
"""Lines of comments, decorators and a head."""


@dataclass(frozen=True, slots=True)
class Head:
    """A function or what else an example may stand above."""

    name: str
    """The qualified name."""
    node: FunctionNode | None
    """The `def` without its body; None for an assignment, or where the head is no Python yet."""

    def parameters(self) -> list[ast.arg]:
        return parameters(self.node) if self.node else []


def head_below(text: Text, line: int) -> Head | None:
    """What stands below a comment that ends at `line`: other comments and decorators may lie between."""
    for number in range(line + 1, min(line + _MOST_LINES, len(text.starts)) + 1):
        row = text.line(number)
        if found := _DEF.match(row):
            return Head(_qualified(text, number, found[1], found[2]), _node(text, number))
        if (found := _ASSIGNED.match(row)) and not row.lstrip().startswith(("#", "@", ")")):
            return Head(_qualified(text, number, found[1], found[2]), None)
    return None


def _qualified(text: Text, line: int, indentation: str, name: str) -> str:
    """With the names of the classes around it."""
    depth = len(indentation)
    while depth and line > 1:
        line -= 1
        found = _CLASS.match(text.line(line))
        if found and len(found[1]) < depth:
            name, depth = f"{found[2]}.{name}", len(found[1])
    return name


def _node(text: Text, line: int) -> FunctionNode | None:
    last = min(line + _MOST_LINES, len(text.starts))
    rows = "\n".join(text.line(number) for number in range(line, last + 1)).lstrip()
    end = _colon(rows)
    if end is None:
        return None
    head = "\n".join([*rows.split("\n")[: end[0] - 1], rows.split("\n")[end[0] - 1][: end[1]]])
    try:
        (node,) = ast.parse(f"{head}: ...").body
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, FunctionNode) else None


def _colon(rows: str) -> tuple[int, int] | None:
    """Where the colon stands that ends the head."""
    depth = 0
    for token in _operators(rows):
        if token.string in "([{":
            depth += 1
        elif token.string in ")]}":
            depth -= 1
        elif token.string == ":" and not depth:
            return token.start
    return None


def _operators(rows: str) -> Iterator[tokenize.TokenInfo]:
    return (token for token in tokens(rows) if token.type == tokenize.OP)
