"""What could be an example of a function: what tests called it with, calls that are written, what it says of itself.

Everything is read, nothing run.  Only functions that an example can be written for, and that have none, are looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..analysis.calls import own_calls
from ..analysis.docstrings import documented
from ..analysis.offers import defaulted, guessed, is_makeable, needed_of
from ..analysis.outline import Definition, FunctionNode, definitions, functions, last_name, parse
from ..callers import Callers
from ..recorded import RecordedFunction

_MOST = 8
"""Candidates of one function that are tried."""
_WIDEST = 160
"""Characters of arguments that still make a comment."""
_NO_EXAMPLE = frozenset({"property", "cached_property", "setter", "abstractmethod", "overload", "fixture"})


@dataclass(frozen=True, slots=True)
class Candidate:
    function: str
    arguments: str
    source: str
    """Where it is from, in words: `recorded in tests/test_model.py::test_it`."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Those of one file."""

    path: str
    text: str
    functions: dict[Definition, tuple[Candidate, ...]]
    """In the order of the file; functions without any are left out."""


def candidates(path: str, text: str, root: Path, recorded: Iterable[RecordedFunction], callers: Callers) -> Candidates:
    """What could be examples of the functions of a file, the most telling first."""
    relative = Path(path).relative_to(root).as_posix()
    seen = {one.function: one for one in recorded if one.path == relative}
    found: dict[Definition, tuple[Candidate, ...]] = {}
    for definition, node in _without_example(text):
        every = _of_function(path, text, root, definition, node, seen.get(definition.name), callers)
        alike = {one.arguments: one for one in reversed(list(every)) if _is_written(one.arguments)}
        if alike:
            found[definition] = tuple(reversed(alike.values()))[:_MOST]
    return Candidates(path, text, found)


def _without_example(text: str) -> Iterator[tuple[Definition, FunctionNode]]:
    tree = parse(text)
    nodes = dict(functions(tree.module.body)) if tree else {}
    for definition in definitions(text) or ():
        node = nodes.get(definition.name)
        if node is None or definition.has_example or definition.is_annotated or isinstance(node, ast.AsyncFunctionDef):
            continue
        if "<locals>" in definition.name or _is_special(node) or _yields(node):
            continue
        yield definition, node


def _is_special(node: FunctionNode) -> bool:
    """Whether it is none that one calls by its name."""
    dunder = node.name.startswith("__") and node.name != "__call__"
    return dunder or any(last_name(one) in _NO_EXAMPLE for one in node.decorator_list)


def _yields(node: FunctionNode) -> bool:
    return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))


def _is_written(arguments: str) -> bool:
    """Whether a text fits in a comment and is a call's arguments."""
    if not arguments.strip() or len(arguments) > _WIDEST or "\n" in arguments:
        return False
    try:
        ast.parse(f"f({arguments})", mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _of_function(
    path: str,
    text: str,
    root: Path,
    definition: Definition,
    node: FunctionNode,
    recorded: RecordedFunction | None,
    callers: Callers,
) -> Iterator[Candidate]:
    name = definition.name
    for call in recorded.calls if recorded else ():
        yield Candidate(name, call.arguments, f"recorded in {call.test}" if call.test else "recorded while importing")
    elsewhere = callers.find(str(root), path, name, {}) if recorded is None else []  # what was recorded came from there
    for found in [*own_calls(text, path, name), *elsewhere]:
        where = Path(found.path)
        shown = where.relative_to(root).as_posix() if where.is_relative_to(root) else where.name
        yield Candidate(name, found.arguments, f"called in {shown}:{found.line}")
    for offer in guessed(text, path):
        if offer.function == name:
            yield Candidate(name, offer.arguments, "annotations")
    yield from (Candidate(name, arguments, "docstring") for arguments in _documented(text, name, node))
    for offer in defaulted(text, path):
        if offer.function == name:
            yield Candidate(name, offer.arguments, "defaults")


def _documented(text: str, name: str, node: FunctionNode) -> Iterator[str]:
    """Arguments of the docstring; a method's begin with its object, where that is made without any."""
    needed, owner = list(needed_of(node)), name.rpartition(".")[0]
    if not owner or any(last_name(one) == "staticmethod" for one in node.decorator_list):
        yield from documented(node, needed)
        return
    if any(last_name(one) == "classmethod" for one in node.decorator_list):
        yield from documented(node, needed[1:])
    elif owner in _makeable(text):
        yield from (f"{owner}(), {arguments}" for arguments in documented(node, needed[1:]))


def _makeable(text: str) -> set[str]:
    """The classes of a module that are made without arguments."""
    tree = parse(text)
    return {
        one.name for one in (tree.module.body if tree else []) if isinstance(one, ast.ClassDef) and is_makeable(one)
    }
