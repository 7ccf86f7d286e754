"""Arguments as they are written for a function: what is wrong with them, and a first example to fill in.

Only the syntax is looked at, so it is told while one types, whether or not anything has run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tracer.worker.wire import Edit

from .offers import NUMBERS, comment, is_makeable, needed_of
from .outline import Definition, FunctionNode, Tree, definitions, functions, last_name, parse
from .text import Text


def problem(source: str, function: str, arguments: str) -> str | None:
    """Why a text cannot be the arguments of a call of a function; None where nothing speaks against it."""
    try:
        call = ast.parse(f"f({arguments}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"not valid Python: {error.msg if isinstance(error, SyntaxError) else error}"
    if not isinstance(call, ast.Call) or ast.unparse(call.func) != "f":
        return "not the arguments of one call"
    tree = parse(source)
    node = _function(tree, function) if tree else None
    return None if node is None else _unbound(node, call)


def around(source: str, line: int) -> Definition | None:
    """The innermost function around a line that can have an example: not one within another."""
    found = [one for one in definitions(source) or () if one.first_line <= line <= one.span.end_line]
    found = [one for one in found if "<locals>" not in one.name]
    return min(found, key=lambda one: one.span.end_line - one.first_line, default=None)


def _unbound(node: FunctionNode, call: ast.Call) -> str | None:
    """What of a call does not fit a signature, in the words of Python."""
    given = {one.arg for one in call.keywords}
    if None in given or any(isinstance(one, ast.Starred) for one in call.args):
        return None  # how many they are is not known before they are evaluated
    positional = [*node.args.posonlyargs, *node.args.args]
    named = {one.arg for one in [*node.args.args, *node.args.kwonlyargs]}
    if len(call.args) > len(positional) and node.args.vararg is None:
        return f"{node.name}() takes {_many(len(positional))}, and {len(call.args)} are given by position"
    if node.args.kwarg is None and (unknown := sorted(str(one) for one in given if one not in named)):
        return f"{node.name}() has no parameter {', '.join(unknown)}"
    filled = {one.arg for one in positional[: len(call.args)]}
    if twice := sorted(str(one) for one in given & (filled & named)):
        return f"{', '.join(twice)} is given twice"
    missing = [one.arg for one, _ in needed_of(node) if one.arg not in filled | given]
    return f"{node.name}() needs {', '.join(missing)}" if missing else None


def _many(count: int) -> str:
    return f"{count} argument{'' if count == 1 else 's'}"


# ---- an example to fill in -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Template:
    """An example of a function: an edit whose text is a snippet, with a stop at each argument."""

    definition: Definition
    edit: Edit


def template(source: str, line: int) -> Template | None:
    """For the function around a line."""
    tree, definition = parse(source), around(source, line)
    node = _function(tree, definition.name) if tree and definition else None
    if tree is None or definition is None or node is None:
        return None
    stops = enumerate(_stops(tree, definition, node), 1)
    arguments = ", ".join(f"{before}${{{number}:{text}}}" for number, (before, text) in stops)
    return Template(definition, comment(Text(source), definition, arguments))


def _stops(tree: Tree, definition: Definition, node: FunctionNode) -> Iterator[tuple[str, str]]:
    """What is written before each argument that a call needs, and the argument to begin with."""
    needed = list(needed_of(node))
    owner, _, _ = definition.name.rpartition(".")
    kinds = {last_name(one) for one in node.decorator_list}
    if owner and "staticmethod" not in kinds:
        needed = needed[1:]
        if "classmethod" not in kinds:
            yield "", f"{owner}({'' if _is_makeable(tree, owner) else '…'})"
    for argument, written in needed:
        yield written, NUMBERS.get(last_name(argument.annotation), "np.ones(3)")


def _is_makeable(tree: Tree, owner: str) -> bool:
    classes = [one for one in ast.walk(tree.module) if isinstance(one, ast.ClassDef)]
    return any(one.name == owner.rpartition(".")[2] and is_makeable(one) for one in classes)


def _function(tree: Tree, name: str) -> FunctionNode | None:
    return next((node for own, node in functions(tree.module.body) if own == name), None)
