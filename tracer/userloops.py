"""The loop in the user's source that a folded loop comes from: what it iterates with, and its line."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .columns import Loop, Statement
from .events import Instruction
from .nodes import Node
from .positions import locate

_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


@dataclass(frozen=True, slots=True)
class UserLoop:
    counter: str | None = None
    """The variable that counts, in `for i in range(n)` and `for i, x in enumerate(xs)`."""
    element: str | None = None
    """The variable that takes other values, in `for x in xs`."""
    line: int | None = None


def user_loop(loop: Loop) -> UserLoop:
    """The loop of the source that a folded loop's body stands in; all None where it is not known."""
    return next(iter(_around(loop)), UserLoop())


def _around(loop: Loop) -> list[UserLoop]:
    """The loops of the source around a folded loop's body, inner ones first."""
    for item in loop.body:
        if isinstance(item, Statement) and (found := _around_node(item.node)):
            return found
    inner = (_around(item) for item in loop.body if isinstance(item, Loop))
    return next((found[1:] for found in inner if found), [])


def _around_node(node: Node) -> list[UserLoop]:
    found = locate(Instruction(node.code, node.lasti)) if node.code is not None else None
    if found is None or found.node is None:
        return []
    loops: list[UserLoop] = []
    for around in found.file.ancestors(found.node):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            break
        if isinstance(around, ast.For):
            loops.append(_read(around.target, around.iter, around.lineno))
        elif isinstance(around, ast.While):
            loops.append(UserLoop(line=around.lineno))
        elif isinstance(around, _COMPREHENSIONS):
            loops += [_read(g.target, g.iter, around.lineno) for g in reversed(around.generators)]
    return loops


def _read(target: ast.expr, over: ast.expr, line: int) -> UserLoop:
    function = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) else None
    if function == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        return UserLoop(_name(target.elts[0]), _name(target.elts[1]), line)
    if function in ("range", "reversed"):
        return UserLoop(_name(target), None, line)
    return UserLoop(None, _name(target), line)


def _name(target: ast.expr) -> str | None:
    return target.id if isinstance(target, ast.Name) and target.id != "_" else None
