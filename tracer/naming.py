"""Names for nodes: the user's own variables where a node's value was assigned to one."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

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
    used = {*signature.parameters, *taken}
    names: dict[Node, str] = {}
    shared: dict[int, str] = {}
    assigned: dict[tuple[Any, int], str | None] = {}
    counts: dict[str, int] = {}
    for node in nodes:
        if node.kind is Kind.INPUT and len(node.args[0]) == 1:
            names[node] = node.args[0][0]
            continue
        if node.kind is Kind.CONSTANT and id(node.args[0]) in shared:
            names[node] = shared[id(node.args[0])]
            continue
        wish = _wish(node, assigned)
        names[node] = _unused(wish, used, counts)
        if node.kind is Kind.CONSTANT:
            shared[id(node.args[0])] = names[node]
    return names


def _wish(node: Node, assigned: dict[tuple[Any, int], str | None]) -> str:
    if node.kind is Kind.INPUT:
        return "_".join(_word(step) for step in node.args[0])
    if node.code is not None:
        key = (node.code, node.lasti)
        if key not in assigned:
            assigned[key] = _variable(Instruction(*key), node.kind)
        found = assigned[key]
        if (found is not None and node.function is not operator.getitem) or (
            found is not None and node.shape is not None
        ):
            return found
    if node.kind is Kind.CONSTANT:
        return "captured"
    if node.function is getattr:
        return _word(node.args[1])
    return _word(getattr(node.function, "__name__", "value")).strip("_") or "value"


def _word(step: Any) -> str:
    text = str(step)
    word = "".join(c if c.isidentifier() or c.isdigit() else "_" for c in text).strip("_")
    return word if (word and not isinstance(step, Field)) or word else "item"


def _unused(wish: str, used: set[str], counts: dict[str, int]) -> str:
    base = wish if wish.isidentifier() and wish not in _BUILTINS else f"{wish}_" if wish.isidentifier() else f"v_{wish}"
    name = base
    while name in used:
        counts[base] = counts.get(base, 0) + 1
        name = f"{base}_{counts[base]}"
    used.add(name)
    return name


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


_SAME_SHAPE = frozenset({operator.neg, operator.pos, operator.invert, abs, np.ndarray.copy, np.ndarray.astype})
_BROADCAST = frozenset({
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.and_, operator.or_,
    operator.xor,
})  # fmt: skip


def size_source(node: Node, axis: int) -> tuple[Node, int] | None:
    """The input and axis that give the size of one axis of a node.

    None where that is not known: only element-wise operations are looked through.
    """
    while node.kind is Kind.CALL:
        elementwise = (
            node.function in _BROADCAST
            or node.function in _SAME_SHAPE
            or (isinstance(node.function, np.ufunc) and node.function.signature is None)
        )
        if not elementwise or node.shape is None:
            return None
        size, back = node.shape[axis], len(node.shape) - axis
        parts = [o for o in node.operands() if o.shape is not None and len(o.shape) >= back and o.shape[-back] == size]
        if not parts or size == 1:
            return None
        node = parts[0]
        assert node.shape is not None
        axis = len(node.shape) - back
    return (node, axis) if node.kind is Kind.INPUT else None
