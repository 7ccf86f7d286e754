"""Where values get names: the targets of assignments and loops, parameters, what is returned.

A function of the text alone, remembered for the last few texts.  Whatever has no single name (items of arrays,
comprehensions, `with`) is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache

from tracer.worker.wire import Span

from .outline import FunctionNode, Tree, parameters, parse
from .values import Source, block_around, sources, unpacked


class Kind(Enum):
    SHAPES = "shapes"
    PARAMETERS = "parameters"
    RETURNS = "returns"
    WIDENING = "widening"


@dataclass(frozen=True, slots=True)
class Site:
    kind: Kind
    anchor: Span
    """Behind its end the hint stands."""
    reach: Span
    """The text that must be as it was."""
    values: tuple[tuple[Source, ...], ...]
    """Where the value may have come from, the likeliest first; for a tuple, that of each part."""
    annotated: bool = False
    block: Span | None = None
    """The code around that may not have been run, which nothing of the site itself tells: it gives what others made."""
    only_return: bool = False
    """It is the only `return` of its function, so what it gives is the output of the graph."""


@lru_cache(maxsize=8)
def sites(source: str) -> tuple[Site, ...]:
    """The sites of a text in any order; none of a text that does not parse."""
    tree = parse(source)
    if tree is None:
        return ()
    return tuple(site for node in ast.walk(tree.module) for site in _of(tree, node))


def _of(tree: Tree, node: ast.AST) -> Iterator[Site]:
    match node:
        case ast.Assign(targets=targets, value=value):
            block = block_around(tree, node)
            for target in targets:
                for site in _bound(tree, tree.span(node), target, value):
                    yield replace(site, block=block)
        case ast.AnnAssign(target=ast.Name() | ast.Attribute(), annotation=annotation, value=ast.expr() as value):
            yield Site(Kind.SHAPES, tree.span(annotation), tree.span(node), (sources(tree, value),), annotated=True)
        case ast.AugAssign(target=ast.Name() | ast.Attribute() as target):
            yield Site(Kind.SHAPES, tree.span(target), tree.span(node), ((Source(tree.span(node)),),))
        case ast.NamedExpr(target=target, value=value):
            yield Site(Kind.SHAPES, tree.span(target), tree.span(node), (sources(tree, value),))
        case ast.For(target=ast.Name() as target, iter=value):
            reach = _joined(tree.span(target), tree.span(value))
            yield Site(Kind.SHAPES, tree.span(target), reach, (unpacked(tree, value, None),))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _parameters(tree, node)
            yield from _returns(tree, node)


def _bound(tree: Tree, reach: Span, target: ast.expr, value: ast.expr) -> Iterator[Site]:
    match target, value:
        case ((ast.Name() | ast.Attribute()), _):
            yield Site(Kind.SHAPES, tree.span(target), reach, (sources(tree, value),))
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
            if len(targets) == len(values) and not any(isinstance(one, ast.Starred) for one in targets + values):
                for one, its_value in zip(targets, values, strict=True):
                    yield from _bound(tree, reach, one, its_value)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
            for index, one in enumerate(targets):
                if isinstance(one, ast.Starred):
                    break  # behind it, an item's number depends on how many there are
                if isinstance(one, (ast.Name, ast.Attribute)):
                    yield Site(Kind.SHAPES, tree.span(one), reach, (unpacked(tree, value, index),))


def _parameters(tree: Tree, node: FunctionNode) -> Iterator[Site]:
    for argument in parameters(node):
        span = tree.span(argument)
        values = ((Source(span, argument.arg, tree.qualified(node)),),)
        yield Site(Kind.PARAMETERS, span, span, values, annotated=argument.annotation is not None)


def _returns(tree: Tree, node: FunctionNode) -> Iterator[Site]:
    found = [one for one in _own(node.body) if isinstance(one, ast.Return)]
    for one in found:
        if one.value is not None:
            parts = one.value.elts if isinstance(one.value, ast.Tuple) else [one.value]
            values = tuple(sources(tree, part) for part in parts)
            alone, block = len(found) == 1, block_around(tree, one)
            yield Site(Kind.RETURNS, tree.span(one.value), tree.span(one), values, block=block, only_return=alone)


def _own(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a function and of its blocks, without those of functions and classes within."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            yield from _own(list(ast.iter_child_nodes(node)))


def _joined(first: Span, last: Span) -> Span:
    return Span(first.line, first.column, last.end_line, last.end_column)
