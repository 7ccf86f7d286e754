"""From an instruction to the range of source text it was compiled from, and to its syntax node.

CPython keeps for every instruction the range it came from (`co_positions`, Python 3.11 and later, columns
in UTF-8 bytes).  For some statements that range is too wide; the syntax tree narrows it.  Everything here
runs after a trace, for the few places that are shown.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType

from .events import Instruction
from .syntax import children, walk
from .worker.wire import Place, Span

Bytes = tuple[int, int, int, int]
"""A range as the compiler has it: line from 1, column in UTF-8 bytes from 0, end line, end column."""


@dataclass
class SourceFile:
    """The text of one file and the syntax tree of it as the user wrote it."""

    path: str
    text: str
    tree: ast.Module = field(repr=False)

    @cached_property
    def lines(self) -> list[str]:
        return io.StringIO(self.text, newline="").readlines() or [""]  # str.splitlines knows more ends than Python

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in children(node)}

    @cached_property
    def by_range(self) -> dict[Bytes, list[ast.AST]]:
        """The nodes at each range, outermost first."""
        found: dict[Bytes, list[ast.AST]] = {}
        for node in self.nodes:
            if isinstance(node, (ast.expr, ast.stmt, ast.pattern)):
                found.setdefault(range_of(node), []).append(node)
        return found

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree, each behind its parent."""
        return walk(self.tree)

    def span(self, where: Bytes) -> Span:
        """A compiler's range in characters, from 1."""
        line, column, end_line, end_column = where
        return Span(line, self._character(line, column), end_line, self._character(end_line, end_column))

    def _character(self, line: int, column: int) -> int:
        if not 0 < line <= len(self.lines):
            return column + 1
        text = self.lines[line - 1]
        return column + 1 if text.isascii() else len(text.encode()[:column].decode(errors="replace")) + 1

    def segment(self, where: Bytes) -> str:
        """The text of a range, as written."""
        line, column, end_line, end_column = where
        rows = [row.encode() for row in self.lines[line - 1 : end_line]]
        if not rows:
            return ""
        rows[-1] = rows[-1][:end_column]
        rows[0] = rows[0][column:]
        return b"".join(rows).decode(errors="replace")

    def place(self, where: Bytes) -> Place:
        return Place(self.path, self.span(where))

    def name_place(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Place:
        """The name in a `def`."""
        row, name = self.lines[node.lineno - 1].encode(), node.name.encode()
        start = row.find(name, node.col_offset + len("def"))
        start = start if start >= 0 else node.col_offset
        return self.place((node.lineno, start, node.lineno, start + len(name)))

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """`node`'s parent, its parent's parent, and so on to the module."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that `node` is part of (itself where it is one)."""
        if isinstance(node, ast.stmt):
            return node
        return next(a for a in self.ancestors(node) if isinstance(a, ast.stmt))

    def function(self, node: ast.AST) -> str:
        """The qualified name of the function around `node`, as `Layer.forward`."""
        names = [
            a.name for a in self.ancestors(node) if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ]
        return ".".join(reversed(names))


FILES: dict[str, SourceFile] = {}
"""The source of every file whose code was rewritten, by the name its code objects bear."""


def range_of(node: ast.AST) -> Bytes:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]


def instruction_range(at: Instruction) -> Bytes | None:
    """The range an instruction was compiled from; only its line before Python 3.11."""
    if sys.version_info >= (3, 11):
        where = _positions(at.code)[at.lasti // 2]
        if None not in where:
            line, end_line, column, end_column = where
            return line, column, end_line, end_column  # type: ignore[return-value]
        line = where[0]
    else:
        line = _line(at.code, at.lasti)
    file = FILES.get(at.code.co_filename)
    if line is None or file is None or line > len(file.lines):
        return None
    text = file.lines[line - 1].encode()
    return line, len(text) - len(text.lstrip()), line, len(text.rstrip())


def _positions(code: CodeType) -> list[tuple[int | None, ...]]:
    """All positions of a code object; by identity, since hashing code reads all of it."""
    known = _known_positions.get(id(code))
    if known is None or known[0] is not code:
        known = _known_positions[id(code)] = (code, list(code.co_positions()))  # type: ignore[attr-defined, unused-ignore]
    return known[1]


_known_positions: dict[int, tuple[CodeType, list[tuple[int | None, ...]]]] = {}


def _line(code: CodeType, lasti: int) -> int | None:
    return next((line for start, end, line in code.co_lines() if start <= lasti < end), code.co_firstlineno)


@dataclass(frozen=True)
class Located:
    """An instruction's file, its syntax node (innermost where several share a range) and range."""

    file: SourceFile
    node: ast.AST | None
    where: Bytes

    @property
    def place(self) -> Place:
        return self.file.place(self.where)

    @property
    def text(self) -> str:
        return self.file.segment(self.where)

    def whole_line(self) -> Located:
        """The line that it begins in, without its indentation."""
        row = self.file.lines[self.where[0] - 1].encode().rstrip()
        return Located(self.file, None, (self.where[0], len(row) - len(row.lstrip()), self.where[0], len(row)))

    def at(self, node: ast.AST) -> Located:
        """Another node of the same file."""
        return Located(self.file, node, range_of(node))


def locate(at: Instruction) -> Located | None:
    """Where an instruction stands in the user's source, or None where that is not known."""
    file, where = FILES.get(at.code.co_filename), instruction_range(at)
    if file is None or where is None:
        return None
    nodes = file.by_range.get(where)
    return Located(file, nodes[-1] if nodes else None, where)
