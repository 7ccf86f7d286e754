"""From the range an instruction has to the smallest expression or statement a finding is about."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any, cast

import numpy as np

from . import libraries
from .events import Entered, Instruction
from .nodes import Kind, Node
from .positions import FILES, Located, SourceFile, locate, range_of
from .steps import set_flat_item
from .worker.wire import Place, Span


def operand(at: Located, event: Entered) -> Located:
    """The operand through which a value entered an operation; the operation where it cannot be told."""
    found = _operand(at, event.node, event.where)
    return at.at(found) if found is not None else at


def _operand(at: Located, made: Node, where: tuple[int | str, ...]) -> ast.expr | None:
    node, first, rest = at.node, where[0], where[1:]
    found: ast.expr | None = None
    if made.function in (operator.setitem, set_flat_item):
        found = _of_store(at, first)
    elif isinstance(node, ast.BinOp):
        found = node.left if first == 0 else node.right
    elif isinstance(node, ast.AugAssign) and first == 1:
        found = node.value
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        found = node.left if first == 0 else node.comparators[0]
    elif isinstance(node, ast.Subscript) and first == 1:
        found = node.slice
    elif isinstance(node, ast.UnaryOp):
        found = node.operand
    elif isinstance(node, ast.Call):
        found = _of_call(node, made, first)
    for step in rest:
        if isinstance(found, ast.Slice) and isinstance(step, int):
            found = (found.lower, found.upper, found.step)[step]
        elif isinstance(found, (ast.Tuple, ast.List)) and isinstance(step, int) and step < len(found.elts):
            found = found.elts[step]
        else:
            break
    return None if isinstance(found, ast.Starred) else found


def _of_store(at: Located, position: int | str) -> ast.expr | None:
    """A part of `x[key] = value`, of which the instruction's range is the target."""
    statement = at.file.statement(at.node) if at.node is not None else None
    if position == 1 and isinstance(at.node, ast.Subscript):
        return at.node.slice
    if position == 2 and isinstance(statement, (ast.Assign, ast.AugAssign)):
        return statement.value
    return None


def _of_call(call: ast.Call, made: Node, position: int | str) -> ast.expr | None:
    if isinstance(position, str):
        return next((k.value for k in call.keywords if k.arg == position), None)
    if isinstance(call.func, ast.Attribute) and _is_method(made):
        if position == 0:
            return call.func.value
        position -= 1
    if any(isinstance(a, ast.Starred) for a in call.args[: position + 1]) or position >= len(call.args):
        return None
    return call.args[position]


def _is_method(made: Node) -> bool:
    if any(library.is_method(made.function) for library in libraries.LIBRARIES):
        return True
    return issubclass(getattr(made.function, "__objclass__", type), (np.ndarray, np.generic, float, int, complex))


def repeat_count(at: Located) -> Located:
    """The number in `sequence * number`."""
    if isinstance(at.node, ast.BinOp):
        sequence = isinstance(at.node.left, (ast.List, ast.Tuple, ast.Constant, ast.JoinedStr, ast.ListComp))
        return at.at(at.node.right if sequence else at.node.left)
    return at


def whole_pattern(at: Located) -> Located:
    """The pattern of a `case` that a place is part of: its parts are one condition."""
    node = at.node
    parents = [] if node is None else [node, *at.file.ancestors(node)]
    patterns = [p for p in parents if isinstance(p, ast.pattern)]
    return at.at(patterns[-1]) if patterns else at


_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def iterable(at: Located) -> Located:
    """The iterable of the loop that an iteration belongs to, where the place is part of one."""
    node = at.node
    if node is None:
        return at
    if isinstance(node, _COMPREHENSIONS):  # it asks an iterator that asks for more on its own, as `chain` does
        return at.at(node.generators[0].iter) if len(node.generators) == 1 else at
    for inner, outer in zip([node, *at.file.ancestors(node)], at.file.ancestors(node), strict=False):
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.comprehension)) and outer.iter is inner:
            return at.at(inner)
        if isinstance(outer, ast.stmt):
            break
    return at


def target_statement(at: Located) -> Located:
    """The statement of a store whose target (or its object) is at `at`; a call stays as it is."""
    if at.node is None or isinstance(at.node, ast.Call):
        return at
    statement = at.file.statement(at.node)
    if isinstance(statement, (ast.For, ast.With, ast.AsyncFor, ast.AsyncWith, ast.FunctionDef, ast.ClassDef)):
        return at
    return at.at(statement)


def taken_out(node: Node | None) -> Located | None:
    """The expression that took contents out of an array: the last node before plain numbers begin."""
    while node is not None and node.kind is Kind.CALL and node.shape is None:
        numbers = [o for o in node.operands() if o.shape is None]
        if not numbers:
            break
        node = numbers[0]
    return locate(Instruction(node.code, node.lasti)) if node is not None and node.code is not None else None


def dead_branches(at: Located, outcome: bool) -> tuple[Span, ...]:
    """What a decided condition leaves out: the other branch, the operands behind it, what follows an early exit."""
    node = at.node
    found = _left_out(node, outcome, at.file.parents) if node is not None else ()
    corners = [(range_of(first), range_of(last)) for first, last in found]
    return tuple(at.file.span((first[0], first[1], last[2], last[3])) for first, last in corners)


_Left = Iterator[tuple[ast.AST, ast.AST]]
"""The first and the last node of each stretch of code."""


def _left_out(node: ast.AST, outcome: bool, parents: Mapping[ast.AST, ast.AST]) -> _Left:
    parent = parents.get(node)
    match parent:
        case ast.UnaryOp(op=ast.Not()):
            yield from _left_out(parent, not outcome, parents)
        case ast.BoolOp(op=op, values=values):
            decides, place = isinstance(op, ast.Or) is outcome, values.index(cast(ast.expr, node))
            if decides and place + 1 < len(values):
                yield values[place + 1], values[-1]
            if decides or place + 1 == len(values):
                yield from _left_out(parent, outcome, parents)
        case ast.IfExp(test=test, body=body, orelse=orelse) if test is node:
            yield (orelse, orelse) if outcome else (body, body)
        case ast.If(test=test, body=body, orelse=other) if test is node:
            taken, left = (body, other) if outcome else (other, body)
            if left:
                yield left[0], left[-1]
            if _leaves(taken):
                yield from _following(parent, parents.get(parent))
        case ast.While(test=test, body=body) if test is node and not outcome:
            yield body[0], body[-1]
        case ast.match_case(pattern=pattern, guard=guard):
            whole = guard is node or (guard is None and isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)))
            if not outcome:
                yield parent.body[0], parent.body[-1]
            elif whole:
                yield from _later_cases(parent, parents.get(parent))


def _leaves(block: list[ast.stmt]) -> bool:
    """Whether nothing behind a block is come to from it."""
    match block[-1:]:
        case [ast.Return() | ast.Raise() | ast.Continue() | ast.Break()]:
            return True
        case [ast.If(body=body, orelse=orelse)]:
            return _leaves(body) and _leaves(orelse)
    return False


def _following(statement: ast.stmt, parent: ast.AST | None) -> _Left:
    """The statements behind one in its block."""
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block and statement is not block[-1]:
            yield block[block.index(statement) + 1], block[-1]


def _later_cases(case: ast.match_case, parent: ast.AST | None) -> _Left:
    cases = parent.cases if isinstance(parent, ast.Match) else []
    for later in cases[cases.index(case) + 1 :] if case in cases else ():
        yield later.body[0], later.body[-1]


def definition(function: Callable[..., Any]) -> Place | None:
    """The name in the `def` of a function, or of the `__call__` of an object; a lambda's whole text."""
    inner: Any = getattr(function, "__func__", function)
    method = getattr(type(inner), "__call__", None)  # noqa: B004  # wanted is the method itself
    found = defined(getattr(inner if hasattr(inner, "__code__") else method, "__code__", None))
    if found is None:
        return None
    file, node = found
    return file.place(range_of(node)) if isinstance(node, ast.Lambda) else file.name_place(node)


Defined = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def defined(code: CodeType | None) -> tuple[SourceFile, Defined] | None:
    """The `def` or the lambda that some code was compiled of, in the user's sources."""
    file = FILES.get(code.co_filename) if code is not None else None
    if code is None or file is None:
        return None
    for node in file.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == code.co_name:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if code.co_firstlineno in (first, node.lineno):
                return file, node
        if isinstance(node, ast.Lambda) and code.co_name == "<lambda>" and node.lineno == code.co_firstlineno:
            return file, node
    return None
