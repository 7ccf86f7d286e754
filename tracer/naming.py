"""Names for nodes: the user's own variables where a node's value was assigned to one."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .events import Instruction
from .nodes import Kind, Node
from .positions import locate
from .trees import Field

_BUILTINS = frozenset(dir(builtins)) | frozenset(keyword.kwlist)


def names_of(nodes: Sequence[Node], signature: inspect.Signature, taken: Iterable[str] = ()) -> dict[Node, str]:
    """A name for each node, all different, none of them a parameter's, a built-in's or in `taken`.

    Inputs that are parameters themselves bear the parameter's name; constants that hold the same array
    share one name.
    """
    naming = Naming({*signature.parameters, "self", *taken})
    names: dict[Node, str] = {}
    shared: dict[int, str] = {}
    for node in nodes:
        if node.kind is Kind.INPUT and len(node.args[0]) == 1:
            names[node] = node.args[0][0]
            continue
        if node.kind is Kind.CONSTANT and id(node.args[0]) in shared:
            names[node] = shared[id(node.args[0])]
            continue
        names[node] = naming.unused(naming.wish(node))
        if node.kind is Kind.CONSTANT:
            shared[id(node.args[0])] = names[node]
    return names


@dataclass
class Naming:
    """Names given so far, and what nodes would like to be called."""

    used: set[str]
    _counts: dict[str, int] = field(default_factory=dict)
    _assigned: dict[tuple[int, int], str | None] = field(default_factory=dict)

    def wish(self, node: Node) -> str:
        if node.kind is Kind.INPUT:
            path = node.args[0]
            return "_".join(_word(step) for step in (path[1:] if path[0] == "self" else path))
        if node.code is not None:
            key = (id(node.code), node.lasti)
            if key not in self._assigned:
                self._assigned[key] = _variable(Instruction(node.code, node.lasti), node.kind)
            found = self._assigned[key]
            if (found is not None and node.function is not operator.getitem) or (
                found is not None and node.shape is not None
            ):
                return found
        if node.kind is Kind.CONSTANT:
            return "captured"
        if node.function is getattr:
            return _word(node.args[1])
        return _word(getattr(node.function, "__name__", "value")).strip("_") or "value"

    def unused(self, wish: str) -> str:
        """A name that nothing has yet."""
        plain = wish if wish.isidentifier() else f"v_{wish}"
        base = f"{plain}_" if plain in _BUILTINS else plain
        name = base
        while name in self.used:
            self._counts[base] = self._counts.get(base, 0) + 1
            name = f"{base}_{self._counts[base]}"
        self.used.add(name)
        return name


def _word(step: Any) -> str:
    text = str(step)
    word = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in text).strip("_")
    return word if (word and not isinstance(step, Field)) or word else "item"


def _variable(at: Instruction, kind: Kind) -> str | None:
    """The variable that the expression at an instruction is assigned to, or the one it reads."""
    found = locate(at)
    if found is None or found.node is None:
        return None
    node = found.node
    if kind is Kind.CONSTANT:
        return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    if isinstance(node, ast.AugAssign):
        return node.target.id if isinstance(node.target, ast.Name) else None
    parent = found.file.parents.get(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return parent.targets[0].id
    if (
        isinstance(parent, (ast.AnnAssign, ast.NamedExpr))
        and isinstance(parent.target, ast.Name)
        and parent.value is node
    ):
        return parent.target.id
    return None
