"""Where the value of an expression may have come from, as the text tells: what a variable was last given.

Exact or silent: where a variable may have been given something that leaves no trace (the result of a helper, an item
of a loop that may not have run), nothing before that is named.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from tracer.worker.wire import Span

from .outline import FunctionNode, Tree, parameters


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value came from: the expression (or statement) that gave it, or a parameter."""

    span: Span
    parameter: str | None = None
    function: str | None = None
    """The qualified name of the parameter's function."""
    item: int | None = None
    """The value is this item of what the expression gave, which was unpacked."""
    iterated: bool = False
    """It is any item of it: a loop went over it."""
    picks: bool = False
    """The expression takes an item itself (`x[0]`), so nodes that do so are its value."""
    later: tuple[Source, ...] = ()
    """What the variable is given further on in a loop around, and has from its second turn on."""


def sources(tree: Tree, value: ast.expr) -> tuple[Source, ...]:
    """The sources of an expression's value, the likeliest first; the value is of the first that left nodes."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            made = [arm for arm in (body, orelse) if _leaves_nodes(arm)]
            others = [arm for arm in (body, orelse) if arm not in made]
            told = [*made, *others] if len(others) < 2 else made  # of two variables none tells which was taken
            return tuple(source for arm in told for source in sources(tree, arm))
        case ast.NamedExpr(value=inner):
            return sources(tree, inner)
        case ast.Name():
            return tuple(_of_name(tree, value))
    return (Source(tree.span(value), picks=isinstance(value, ast.Subscript)),)


def unpacked(tree: Tree, value: ast.expr, item: int | None) -> tuple[Source, ...]:
    """The same of an item of a value: item `item` of an unpacking, or with None, any one in a loop."""
    whole = Source(tree.span(value))
    return (replace(whole, item=item, iterated=item is None),)


def block_around(tree: Tree, node: ast.AST) -> Span | None:
    """The innermost block around a statement that may not have been run."""
    path = _path_to(tree, node)
    for outer, inner in zip(path[-2::-1], path[:0:-1], strict=False):
        if isinstance(outer, (ast.With, ast.AsyncWith)):
            continue
        if isinstance(outer, FunctionNode):
            return None
        for field in _BLOCKS:
            block = getattr(outer, field, None)
            if isinstance(block, list) and isinstance(inner, ast.stmt) and any(inner is one for one in block):
                first, last = tree.span(block[0]), tree.span(block[-1])
                return Span(first.line, first.column, last.end_line, last.end_column)
    return None


def _leaves_nodes(giver: ast.AST | None) -> bool:
    """Whether an expression, once it ran with arrays, is seen in the graph at its very place."""
    match giver:
        case ast.BinOp() | ast.Compare() | ast.Subscript() | ast.AugAssign():
            return True
        case ast.UnaryOp(op=op):
            return not isinstance(op, ast.Not)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module))):
            return module in ("np", "numpy")
    return False


# ---- variables -------------------------------------------------------------------------------------

_Block = tuple[int, str]
"""A statement's block that may not be run, or run again: its identity and the name of the field."""


@dataclass(frozen=True, slots=True)
class _Binding:
    name: str
    at: tuple[int, int]
    target: ast.AST
    giver: ast.expr | ast.AugAssign | None
    """None for what gives it in a way that is not followed: an import, a `def`, a part of a pattern."""
    blocks: tuple[_Block, ...]
    item: int | None = None
    iterated: bool = False


def _of_name(tree: Tree, name: ast.Name) -> Iterator[Source]:
    path = _path_to(tree, name)
    around = [node for node in path if isinstance(node, FunctionNode)]
    if not around or _is_local_to_an_expression(name, path):
        return
    known = _by_name(tree, around[-1]).get(name.id, [])
    if isinstance(name.ctx, ast.Store):
        yield from (source for one in known if one.target is name for source in _given(tree, one))
        return
    here, blocks = (name.lineno, name.col_offset), set(_blocks_around(path))
    before = sorted((one for one in known if _end(one) <= here), key=lambda one: one.at, reverse=True)
    loops = {
        block for one in path if isinstance(one, (ast.For, ast.AsyncFor, ast.While)) for block in [(id(one), "body")]
    }
    again = [one for one in known if _end(one) > here and loops.intersection(one.blocks)]
    later = tuple(source for one in again if one.giver is not None for source in _place(tree, one))
    for one in before:
        sure = blocks.issuperset(one.blocks)
        if sure or _leaves_nodes(one.giver):
            yield from (replace(source, later=later) for source in _given(tree, one))
        if sure or not _leaves_nodes(one.giver):
            return
    for argument in parameters(around[-1]):
        if argument.arg == name.id:
            yield Source(tree.span(argument), argument.arg, tree.qualified(around[-1]), later=later)


@lru_cache(maxsize=8)
def _parents(tree: Tree) -> dict[ast.AST, ast.AST]:
    return {child: node for node in ast.walk(tree.module) for child in ast.iter_child_nodes(node)}


def _path_to(tree: Tree, node: ast.AST) -> list[ast.AST]:
    """The nodes around one, from the module inwards."""
    path, parents = [node], _parents(tree)
    while path[-1] in parents:
        path.append(parents[path[-1]])
    return path[::-1]


@lru_cache(maxsize=256)
def _by_name(tree: Tree, function: FunctionNode) -> dict[str, list[_Binding]]:
    found: dict[str, list[_Binding]] = {}
    for one in _bindings(function.body, ()):
        found.setdefault(one.name, []).append(one)
    return found


def _given(tree: Tree, one: _Binding) -> tuple[Source, ...]:
    followed = isinstance(one.giver, ast.expr) and one.item is None and not one.iterated
    return sources(tree, one.giver) if followed and isinstance(one.giver, ast.expr) else _place(tree, one)


def _place(tree: Tree, one: _Binding) -> tuple[Source, ...]:
    if one.giver is None:
        return ()
    picks = isinstance(one.giver, ast.Subscript)
    return (Source(tree.span(one.giver), item=one.item, iterated=one.iterated, picks=picks),)


def _is_local_to_an_expression(name: ast.Name, path: Sequence[ast.AST]) -> bool:
    """Whether a lambda or a comprehension around it has a variable of that name."""
    for node in path:
        if isinstance(node, ast.Lambda) and any(one.arg == name.id for one in parameters(node)):
            return True
        generators = getattr(node, "generators", [])
        if any(isinstance(one, ast.Name) and one.id == name.id for each in generators for one in ast.walk(each.target)):
            return True
    return False


def _end(one: _Binding) -> tuple[int, int]:
    node = one.giver if one.giver is not None else one.target
    return max(one.at, (getattr(node, "end_lineno", 0) or 0, getattr(node, "end_col_offset", 0) or 0))


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _blocks_around(path: Sequence[ast.AST]) -> Iterator[_Block]:
    for outer, inner in pairwise(path):
        for field in _BLOCKS:
            block = getattr(outer, field, None)
            if isinstance(block, list) and any(inner is one for one in block):
                yield id(outer), field


def _bindings(body: Sequence[ast.stmt], blocks: tuple[_Block, ...]) -> Iterator[_Binding]:
    """What gives values to variables in some statements, those of functions and classes within left out."""
    for statement in body:
        yield from _in_statement(statement, blocks)
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        for field in _BLOCKS:
            inner = blocks if isinstance(statement, (ast.With, ast.AsyncWith)) else (*blocks, (id(statement), field))
            for one in getattr(statement, field, []):
                if isinstance(one, (ast.ExceptHandler, ast.match_case)):
                    yield from _bindings(one.body, (*inner, (id(one), "body")))
                else:
                    yield from _bindings([one], inner)


def _in_statement(statement: ast.stmt, blocks: tuple[_Block, ...]) -> Iterator[_Binding]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _bound(target, value, blocks)
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
            yield from _bound(target, value, blocks)
        case ast.AugAssign(target=ast.Name() as target):
            yield _Binding(target.id, (target.lineno, target.col_offset), target, statement, blocks)
        case ast.For(target=ast.Name() as target, iter=value) | ast.AsyncFor(target=ast.Name() as target, iter=value):
            inside = (*blocks, (id(statement), "body"))
            yield _Binding(target.id, (target.lineno, target.col_offset), target, value, inside, iterated=True)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield _Binding(name, (statement.lineno, statement.col_offset), statement, None, blocks)
        case ast.Import(names=names) | ast.ImportFrom(names=names) as imported:
            for one in names:
                bound = one.asname or one.name.partition(".")[0]
                yield _Binding(bound, (imported.lineno, imported.col_offset), imported, None, blocks)
        case ast.Global(names=given) | ast.Nonlocal(names=given):
            for name in given:
                yield _Binding(name, (statement.lineno, statement.col_offset), statement, None, blocks)
        case _:
            yield from _unfollowed(statement, blocks)
    for node in _expressions(statement):
        if isinstance(node, ast.NamedExpr):
            target = node.target
            yield _Binding(target.id, (target.lineno, target.col_offset), target, node.value, blocks)


def _unfollowed(statement: ast.stmt, blocks: tuple[_Block, ...]) -> Iterator[_Binding]:
    """`with … as x`, `for a, b in …`, `except … as e`, `case [a, *b]`, `del x`."""
    heads = [getattr(statement, "target", None), *(item.optional_vars for item in getattr(statement, "items", []))]
    heads += getattr(statement, "targets", []) + [case.pattern for case in getattr(statement, "cases", [])]
    heads += getattr(statement, "handlers", [])
    for head in heads:
        for node in [head, *ast.walk(head)] if isinstance(head, (ast.expr, ast.pattern)) else [head]:
            bound = getattr(node, "id", None) or getattr(node, "name", None) or getattr(node, "rest", None)
            if isinstance(bound, str) and node is not None:
                at = getattr(node, "lineno", statement.lineno), getattr(node, "col_offset", 0)
                yield _Binding(bound, at, node, None, blocks)


def _bound(target: ast.expr, value: ast.expr, blocks: tuple[_Block, ...]) -> Iterator[_Binding]:
    match target, value:
        case ast.Name(), _:
            yield _Binding(target.id, (target.lineno, target.col_offset), target, value, blocks)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))) if (
            len(targets) == len(values) and not any(isinstance(one, ast.Starred) for one in targets + values)
        ):
            for one, its_value in zip(targets, values, strict=True):
                yield from _bound(one, its_value, blocks)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
            starred = next((index for index, one in enumerate(targets) if isinstance(one, ast.Starred)), len(targets))
            for index, one in enumerate(targets):
                for node in ast.walk(one):
                    if isinstance(node, ast.Name):
                        followed = node is one and index < starred
                        at = (node.lineno, node.col_offset)
                        yield _Binding(node.id, at, node, value if followed else None, blocks, item=index)


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement itself, without those of the statements in it."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield from ast.walk(child)
