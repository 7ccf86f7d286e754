"""The loops in the user's source that a folded loop may come from: what they iterate with, and where they stand."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from .columns import Loop, Statement
from .events import Instruction
from .nodes import Node
from .positions import Located, locate

_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class UserLoop:
    counter: str | None = None
    """The variable that counts, in `for i in range(n)` and `for i, x in enumerate(xs)`."""
    element: str | None = None
    """The variable that takes other values, in `for x in xs`."""
    line: int | None = None
    over: ast.expr | None = None
    """What it iterates over, or the condition of a `while`."""


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
    return loops_around(found) if found is not None else []


def loops_around(at: Located, resumed: bool = False) -> list[UserLoop]:
    """The loops of the source that run an expression again and again, inner ones first.

    A loop's iterable is worked out once, before the loop, unless it is `resumed`: a generator does its work while the
    loop asks it for one value after the other.
    """
    loops: list[UserLoop] = []
    inner, clause = (asked(at) if resumed else at).node, None
    for around in at.file.ancestors(inner) if inner is not None else ():
        if isinstance(around, _FUNCTIONS):
            break
        if isinstance(around, (ast.For, ast.AsyncFor)):
            if inner not in around.orelse and (inner is not around.iter or resumed):
                loops.append(_read(around.target, around.iter, around.lineno))
        elif isinstance(around, ast.While):
            if inner not in around.orelse:
                loops.append(UserLoop(line=around.lineno, over=around.test))
        elif isinstance(around, ast.comprehension):
            clause = inner
        elif isinstance(around, _COMPREHENSIONS):
            clauses = around.generators
            if isinstance(inner, ast.comprehension):
                again = clause is not inner.iter or resumed
                clauses = clauses[: clauses.index(inner) + again]
            loops += [_read(c.target, c.iter, around.lineno) for c in reversed(clauses)]
            resumed = isinstance(around, ast.GeneratorExp) and bool(clauses)
        inner = around
    return loops


def asked(at: Located) -> Located:
    """The iterable of a loop whose instruction asks for the next value; CPython puts that at the whole loop."""
    if isinstance(at.node, (ast.For, ast.AsyncFor)):
        return at.at(at.node.iter)
    if isinstance(at.node, _COMPREHENSIONS) and len(at.node.generators) == 1:
        return at.at(at.node.generators[0].iter)
    return at


def _read(target: ast.expr, over: ast.expr, line: int) -> UserLoop:
    function = over.func.id if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) else None
    if function == "enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        return UserLoop(_name(target.elts[0]), _name(target.elts[1]), line, over)
    if function in ("range", "reversed"):
        return UserLoop(_name(target), None, line, over)
    return UserLoop(None, _name(target), line, over)


def _name(target: ast.expr) -> str | None:
    return target.id if isinstance(target, ast.Name) and target.id != "_" else None
