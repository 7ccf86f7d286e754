"""A file's text with its syntax tree, and changes of it: in characters from the start of the file.

Changes are minimal: what a user wrote is kept as it stands, and only what has to be different is replaced.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ..bindings import index_of
from ..positions import SourceFile, range_of
from ..worker.wire import Edit, Span

Definition = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*DEFINITIONS, ast.Lambda)
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Change:
    """`text` in place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


def applied(text: str, changes: Iterable[Change]) -> str:
    """The text after changes that do not overlap."""
    parts, done = [], 0
    for change in sorted(changes, key=lambda c: (c.start, c.end)):
        parts += [text[done : change.start], change.text]
        done = change.end
    return "".join([*parts, text[done:]])


def moved(place: tuple[int, int], changes: Iterable[Change]) -> tuple[int, int]:
    """Where a range is after changes; what was replaced in it counts as part of it, as does a text put at its rim."""
    start, end = place
    first, last = start, end
    for change in changes:
        longer = len(change.text) - (change.end - change.start)
        if change.end <= start and not (change.start == change.end == start):
            first += longer
        elif change.start < start:
            first -= start - change.start
        if change.end <= end or change.start <= end:
            last += longer if change.end <= end else len(change.text) - (end - change.start)
    return first, max(first, last)


class Text:
    """A source file as fixes see it."""

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.source = file.text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(file.text))]

    @cached_property
    def newline(self) -> str:
        match = _LINE_END.search(self.source)
        return match[0] if match else "\n"

    @cached_property
    def numpy(self) -> str | None:
        """The module's own name for NumPy."""
        modules = index_of(self.file).modules
        top = {a.asname or a.name for n in self.file.tree.body if isinstance(n, ast.Import) for a in n.names}
        return next((local for local, name in modules.items() if name == "numpy" and local in top), None)

    # ---- places ------------------------------------------------------------------------------------

    def range(self, node: ast.AST) -> tuple[int, int]:
        """Where a node stands."""
        line, column, end_line, end_column = range_of(node)
        return self._at(line, column), self._at(end_line, end_column)

    def _at(self, line: int, column: int) -> int:
        start = self.starts[line - 1]
        row = self.source[start : self.starts[line] if line < len(self.starts) else None]
        return start + (column if row.isascii() else len(row.encode()[:column].decode(errors="replace")))

    def of(self, node: ast.AST) -> str:
        """A node's text, as written."""
        start, end = self.range(node)
        return self.source[start:end]

    def offsets(self, span: Span) -> tuple[int, int]:
        return self.starts[span.line - 1] + span.column - 1, self.starts[span.end_line - 1] + span.end_column - 1

    def edit(self, change: Change) -> Edit:
        (line, column), (end_line, end_column) = self._position(change.start), self._position(change.end)
        return Edit(Span(line, column, end_line, end_column), change.text)

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def indent(self, node: ast.stmt) -> str:
        """The white space before a statement's line."""
        line = self.source[self.starts[node.lineno - 1] :]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def comments(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """The comments in a range, with their places."""
        for offset, comment in self._comments:
            if start <= offset < end:
                yield offset, comment

    @cached_property
    def _comments(self) -> list[tuple[int, str]]:
        tokens = tokenize.generate_tokens(io.StringIO(self.source, newline="").readline)
        found = [t for t in tokens if t.type == tokenize.COMMENT]
        return [(self.starts[t.start[0] - 1] + t.start[1], t.string.rstrip("\r")) for t in found]

    # ---- syntax ------------------------------------------------------------------------------------

    def covering(self, span: Span) -> ast.AST | None:
        """The smallest expression or statement that covers a span; of several, the innermost."""
        start, end = self.offsets(span)
        best: tuple[int, ast.AST] | None = None
        for (line, _, end_line, _), nodes in self.file.by_range.items():
            if line > span.line or end_line < span.end_line:
                continue
            first, last = self.range(nodes[-1])
            if first <= start and end <= last and (best is None or last - first < best[0]):
                best = (last - first, nodes[-1])
        return best[1] if best else None

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self.file.parents.get(node)

    def function(self, node: ast.AST) -> Definition | ast.Lambda | None:
        """The innermost function whose body a node is part of."""
        inner = node
        for outer in self.file.ancestors(node):
            if isinstance(outer, ast.Lambda) and outer.body is inner:
                return outer
            if isinstance(outer, DEFINITIONS) and inner in outer.body:
                return outer
            inner = outer
        return None

    def outermost(self, node: ast.AST) -> Definition | None:
        """The function of the module, or the method of a class of it, whose body a node is part of."""
        functions = []
        function = self.function(node)
        while function is not None:
            functions.append(function)
            function = self.function(function)
        return functions[-1] if functions and isinstance(functions[-1], DEFINITIONS) else None

    def siblings(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements after one in its block."""
        parent = self.parent(statement)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, [])
            if isinstance(block, list) and statement in block:
                return block[block.index(statement) + 1 :]
        return []


def names_in(node: ast.AST) -> set[str]:
    """All names that occur in a function or expression: read, bound, parameters, imported."""
    found: set[str] = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.arg):
            found.add(each.arg)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            found.update(each.names)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).split(".")[0])
        elif isinstance(each, _NAMED) and each is not node and each.name:
            found.add(each.name)
    return found


_NAMED = (*DEFINITIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


def bound_in(function: ast.AST) -> set[str]:
    """The names that a function, or one inside it, binds."""
    found = {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
    for each in ast.walk(function):
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            found.add(each.id)
        elif isinstance(each, (ast.Global, ast.Nonlocal)):
            found.update(each.names)
        elif isinstance(each, ast.alias):
            found.add((each.asname or each.name).split(".")[0])
        elif isinstance(each, _NAMED) and each is not function and each.name:
            found.add(each.name)
    return found


def parameters(function: Definition | ast.Lambda) -> list[ast.arg]:
    """All parameters, in the order of the signature."""
    a = function.args
    starred = [a.vararg] if a.vararg else []
    named = [a.kwarg] if a.kwarg else []
    return [*a.posonlyargs, *a.args, *starred, *a.kwonlyargs, *named]


def defaults(function: Definition | ast.Lambda) -> dict[str, ast.expr]:
    """The defaults of parameters, by name."""
    a = function.args
    positional = [*a.posonlyargs, *a.args]
    found = dict(zip([p.arg for p in positional[len(positional) - len(a.defaults) :]], a.defaults, strict=True))
    found.update({p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None})
    return found


def root(node: ast.AST) -> str | None:
    """The name at the root of `x[0].T.flat`, of `x.ravel()` and of `np.asarray(x)`."""
    while not isinstance(node, ast.Name):
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            made_of = node.args[0] if node.args and root(node.func) in ("np", "numpy") else node.func.value
            node = made_of
        else:
            return None
    return node.id
