"""A new parameter for functions of a file, and the argument in every call of them in that file.

Only where all calls can be seen: a function that is handed on as a value, decorated, overridden, imported by another
file that is loaded, or shown in a docstring's session, stays as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from ..bindings import index_of
from ..examples import collect
from ..positions import FILES
from ..worker.wire import Finding
from .signature import with_argument, with_example_argument, with_parameter
from .text import DEFINITIONS, Change, Definition, Text, bound_in, names_in


def chain(text: Text, finding: Finding) -> list[Definition] | None:
    """The function that a finding is in, and those that called it in the trace; None where one is elsewhere."""
    found: list[Definition] = []
    spans = [finding.place.span]
    for related in finding.related:
        if related.message.startswith("called from here"):
            if related.place.path != text.file.path:
                return None
            spans.append(related.place.span)
    for span in spans:
        node = text.covering(span)
        function = text.outermost(node) if node is not None else None
        if function is None:
            return None
        if function not in found:
            found.append(function)
    return found


def threaded(
    text: Text, functions: Sequence[Definition], parameter: str, passed: str, for_example: str
) -> list[Change | None] | None:
    """The changes that give functions a parameter and pass it in all calls and examples.

    Calls outside of them pass `passed`, examples `for_example`; None where a call cannot be seen or changed.
    """
    changes: list[Change | None] = []
    for function in functions:
        if not _is_open(text, function):
            return None
        calls = _calls(text, function)
        if calls is None:
            return None
        changes.append(with_parameter(text, function, parameter))
        for call in calls:
            inside = text.outermost(call)
            value = parameter if inside in functions else passed
            if inside not in functions and _means_something_else(text, call, passed):
                return None
            changes.append(with_argument(text, call, f"{parameter}={value}"))
        examples = list(_examples(text, function, f"{parameter}={for_example}"))
        if any(c is None for c in examples):
            return None
        changes += examples
    return changes


def _means_something_else(text: Text, call: ast.Call, passed: str) -> bool:
    """Whether a name that would be passed is bound anew around a call."""
    names = names_in(ast.parse(passed, mode="eval"))
    return any(names & bound_in(outer) for outer in text.file.ancestors(call) if not isinstance(outer, ast.Module))


def title_of(functions: Sequence[Definition]) -> str:
    return " and ".join(f"`{f.name}`" for f in functions[:3])


def _is_open(text: Text, function: Definition) -> bool:
    """Whether a function can have another parameter: nothing but its callers knows its signature."""
    if any(not _is_example(d) for d in function.decorator_list):
        return False
    if function.name.startswith("__"):
        return False
    owner = text.parent(function)
    if isinstance(owner, ast.ClassDef) and not _stands_alone(text, owner):
        return False
    for file in FILES.values():
        if file is not text.file and any(there == function.name for _, there in index_of(file).imported.values()):
            return False
    sessions = re.compile(rf"^[ \t]*(>>>|\.\.\.).*\b{function.name}\(", re.MULTILINE)
    return not sessions.search(text.source)


def _is_example(decorator: ast.expr) -> bool:
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    return (isinstance(callee, ast.Name) and callee.id == "example") or (
        isinstance(callee, ast.Attribute) and callee.attr == "example"
    )


def _stands_alone(text: Text, owner: ast.ClassDef) -> bool:
    """Whether a class neither overrides another's methods nor has its own overridden, as far as the file tells."""
    bases = {n for c in ast.walk(text.file.tree) if isinstance(c, ast.ClassDef) for b in c.bases for n in names_in(b)}
    return not owner.bases and not owner.keywords and owner.name not in bases


def _calls(text: Text, function: Definition) -> list[ast.Call] | None:
    """All calls of a function in the file; None where it is used otherwise, or its name means other things, too."""
    owner = text.parent(function)
    nodes = list(ast.walk(text.file.tree))
    defined = [n for n in nodes if isinstance(n, (*DEFINITIONS, ast.ClassDef)) and n.name == function.name]
    bound = [n for n in nodes if isinstance(n, ast.arg) and n.arg == function.name]
    stored = [
        n
        for n in nodes
        if (isinstance(n, ast.Name) and n.id == function.name)
        or (isinstance(n, ast.Attribute) and n.attr == function.name)
        if not isinstance(n.ctx, ast.Load)
    ]
    if len(defined) > 1 or bound or stored:
        return None
    calls = []
    for node in nodes:
        if isinstance(owner, ast.ClassDef) and isinstance(node, ast.Attribute) and node.attr == function.name:
            if not _is_of(text, node.value, owner):
                return None
        elif isinstance(owner, ast.ClassDef) or not (isinstance(node, ast.Name) and node.id == function.name):
            continue
        call = text.parent(node)
        if not isinstance(call, ast.Call) or call.func is not node:
            return None
        calls.append(call)
    return calls


def _is_of(text: Text, node: ast.expr, owner: ast.ClassDef) -> bool:
    """Whether an expression is plainly the class, an object made of it on the spot or under a name, or its `self`."""
    match node:
        case ast.Name(id=name) if name == owner.name:
            return True
        case ast.Name(id=name):
            function = text.outermost(node)
            if function is not None and function.args.args and function.args.args[0].arg == name:
                return text.parent(function) is owner
            stores = [n for n in ast.walk(text.file.tree) if isinstance(n, ast.Name) and n.id == name]
            stores = [n for n in stores if not isinstance(n.ctx, ast.Load)]
            parents = [text.parent(n) for n in stores]
            made = [p.value for p in parents if isinstance(p, ast.Assign)]
            is_parameter = any(isinstance(n, ast.arg) and n.arg == name for n in ast.walk(text.file.tree))
            return (
                bool(made) and len(made) == len(stores) and not is_parameter and all(_is_made(m, owner) for m in made)
            )
    return _is_made(node, owner)


def _is_made(node: ast.expr, owner: ast.ClassDef) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == owner.name


def _examples(text: Text, function: Definition, written: str) -> Iterator[Change | None]:
    """The argument in each example of a function."""
    owner = text.parent(function)
    name = f"{owner.name}.{function.name}" if isinstance(owner, ast.ClassDef) else function.name
    for example in collect(text.file)[0]:
        if example.function == name and example.origin == "comment":
            yield with_example_argument(text, *text.offsets(example.place.span), written)
        elif example.function == name and example.origin == "doctest":
            yield None
    for decorator in function.decorator_list:
        yield with_argument(text, decorator, written) if isinstance(decorator, ast.Call) else None
