"""A tensor that a module keeps in a plain attribute becomes a buffer: an input of the graph, like its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..worker.wire import Finding
from .candidate import Candidate, Kind, candidate
from .text import Change, Text


def registered(text: Text, finding: Finding) -> Iterator[Candidate]:
    """`self.register_buffer("table", …)` in place of the one statement that makes the attribute."""
    node = text.covering(finding.place.span)
    match node:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == "self":
            pass
        case _:
            return
    owner_class = _class_of(text, node)
    if owner_class is None or not any(ast.unparse(base).endswith("Module") for base in owner_class.bases):
        return
    stores = [s for s in ast.walk(owner_class) if isinstance(s, ast.stmt) and _stores(s, name)]
    match stores:
        case [ast.Assign(targets=[_], value=value) as store]:
            change = Change(*text.range(store), f'self.register_buffer("{name}", {text.of(value)})')
            yield from candidate(Kind.BUFFER, f"Register `self.{name}` as a buffer", [change])


def _class_of(text: Text, node: ast.AST) -> ast.ClassDef | None:
    parent = text.parent(node)
    while parent is not None and not isinstance(parent, ast.ClassDef):
        parent = text.parent(parent)
    return parent


def _stores(statement: ast.stmt, name: str) -> bool:
    """Whether a statement itself stores to `self.<name>`."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)):
        targets = [statement.target]
    return any(isinstance(n, ast.Attribute) and n.attr == name for target in targets for n in ast.walk(target))
