"""The examples of a text as its syntax tree tells them: which function has how many, without running anything.

The numbers are those of the tracer (`tracer/examples.py`), which has the last word: examples made of annotations are
known to it alone.  Of a function that may have one, what is told is that.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .outline import FunctionNode, Tree, functions, last_name, parse, tells_an_array
from .outline import parameters as parameters_of
from .syntax import example_comments, targets


@dataclass(frozen=True, slots=True)
class WrittenExample:
    """One example of a function, and the line that it stands in."""

    function: str
    index: int
    line: int
    annotated: bool = False
    """Its annotations may make one; only loading the module tells whether they do."""


def written_examples(source: str) -> tuple[WrittenExample, ...]:
    """The examples of a text in the order of their lines; none where it is no Python."""
    tree = parse(source)
    if tree is None:
        return ()
    counts = Counter[str]()
    found: list[WrittenExample] = []
    for line, _, function in sorted([*_comments(tree), *_decorators(tree), *_doctests(tree)]):
        found.append(WrittenExample(function, counts[function], line))
        counts[function] += 1
    return tuple(sorted([*found, *_annotated(tree, set(counts))], key=lambda one: (one.line, one.function, one.index)))


_Found = tuple[int, int, str]
"""Line, column, function."""


def _comments(tree: Tree) -> Iterator[_Found]:
    below = dict(targets(tree.module.body))
    for comment in example_comments(tree.text):
        if comment.problem is None and comment.below in below:
            yield comment.span.line, comment.span.column, below[comment.below]


def _defined(tree: Tree) -> Iterator[tuple[FunctionNode, str]]:
    """The functions that an example may belong to: those that a module's or a class's names lead to."""
    reachable = set(targets(tree.module.body))
    for name, node in functions(tree.module.body):
        if (node.lineno, name) in reachable:
            yield node, name


def _decorators(tree: Tree) -> Iterator[_Found]:
    for node, name in _defined(tree):
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and last_name(decorator) == "example":
                yield decorator.lineno, decorator.col_offset, name


def _doctests(tree: Tree) -> Iterator[_Found]:
    for node, name in _defined(tree):
        text = ast.get_docstring(node, clean=False)
        if text is None or ">>>" not in text:
            continue
        from doctest import DocTestParser  # takes unittest along

        try:
            parts = DocTestParser().get_examples(text)
        except ValueError:
            continue
        for part in parts:
            if _calls(part.source, node.name):
                yield node.body[0].lineno + part.lineno, part.indent, name


def _calls(statement: str, name: str) -> bool:
    """Whether a line of a docstring is a call of the function, or keeps the result of one."""
    tree = parse(statement)
    match tree.module.body if tree else []:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=called)))] | [
            ast.Assign(value=ast.Call(func=ast.Name(id=called)))
        ]:
            return called == name
    return False


def _annotated(tree: Tree, taken: set[str]) -> Iterator[WrittenExample]:
    for node, name in _defined(tree):
        if name not in taken and any(tells_an_array(one.annotation) for one in parameters_of(node)):
            yield WrittenExample(name, 0, node.lineno, annotated=True)
