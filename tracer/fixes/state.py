"""What outlives a call, made the call's own: defaults, variables of a loop, arrays that were passed in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..worker.wire import Finding
from .candidate import Candidate, Kind, candidate
from .signature import at_the_top, with_parameter
from .text import DEFINITIONS, Change, Definition, Text, bound_in, defaults, names_in, parameters, root

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset({"list", "dict", "set", "bytearray"})
_ARRAYS = frozenset({"array", "zeros", "ones", "empty", "full", "eye", "identity", "arange", "linspace"})


def default_made_anew(text: Text, finding: Finding) -> Iterator[Candidate]:
    """A default that is a list, dict, set or array, made in each call: `None` in the signature."""
    node = text.covering(finding.place.span)
    function = text.function(node) if node is not None else None
    if node is None or not isinstance(function, DEFINITIONS):
        return
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    for name, default in defaults(function).items():
        if name not in used or not _is_mutable(text, default):
            continue
        inner = "\t" if text.indent(function.body[0]).startswith("\t") else "    "
        lines = [f"if {name} is None:", f"{inner}{name} = {text.of(default)}"]
        changes: list[Change | None] = [
            _written(text, default, "None"),
            *_annotation(text, function, name),
            at_the_top(text, function, lines),
        ]
        yield from candidate(Kind.DEFAULT, f"Make the default of `{name}` in each call", changes)


def _is_mutable(text: Text, default: ast.expr) -> bool:
    """Whether a default is made of nothing but literals, and can be changed."""
    match default:
        case ast.Call(func=ast.Name(id=name)):
            made = name in _MAKERS
        case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)):
            made = module == text.numpy and name in _ARRAYS
        case _:
            made = isinstance(default, _MUTABLE)
    free = names_in(default) - _MAKERS - {text.numpy}
    comprehended = bound_in(default)
    return made and free <= comprehended | {"range"} and "\n" not in text.of(default)


def _written(text: Text, node: ast.AST, written: str) -> Change | None:
    start, end = text.range(node)
    return None if any(text.comments(start, end)) else Change(start, end, written)


def _annotation(text: Text, function: Definition, name: str) -> Iterator[Change]:
    """`| None` behind the annotation of a parameter."""
    annotation = next((p.annotation for p in parameters(function) if p.arg == name), None)
    if annotation is None or "None" in text.of(annotation) or "Optional" in text.of(annotation):
        return
    _, end = text.range(annotation)
    if isinstance(annotation, ast.Constant):
        end -= 1  # inside the quotes
    yield Change(end, end, " | None")


def bound_as_default(text: Text, finding: Finding) -> Iterator[Candidate]:
    """The variable of a loop, read in a function made in the loop, as a default of that function."""
    node = text.covering(finding.place.span)
    if not isinstance(node, ast.Name):
        return
    function = text.function(node)
    if function is None or node.id in bound_in(function) or not _is_of_a_loop(text, function, node.id):
        return
    change = with_parameter(text, function, f"{node.id}={node.id}")
    yield from candidate(Kind.CLOSURE, f"Bind `{node.id}` as a default", [change])


def _is_of_a_loop(text: Text, function: ast.AST, name: str) -> bool:
    """Whether a function is made in a loop that gives `name` its values."""
    for outer in text.file.ancestors(function):
        if isinstance(outer, (ast.For, ast.AsyncFor)):
            targets = [outer.target]
        elif isinstance(outer, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            targets = [g.target for g in outer.generators]
        elif isinstance(outer, (*DEFINITIONS, ast.Lambda, ast.ClassDef)):
            return False
        else:
            continue
        if any(isinstance(n, ast.Name) and n.id == name for t in targets for n in ast.walk(t)):
            return True
    return False


# ---- writes into arguments -------------------------------------------------------------------------

_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
_WHOLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant)


def copied_first(text: Text, finding: Finding) -> Iterator[Candidate]:
    """`x = x / 2` for `x /= 2`, where that gives the same; else a copy of the argument before anything is done."""
    node = text.covering(finding.place.span)
    statement = text.file.statement(node) if node is not None else None
    function = text.function(statement) if statement is not None else None
    if statement is None or not isinstance(function, DEFINITIONS) or not _gives_something(function):
        return
    absent = {n for n, d in defaults(function).items() if isinstance(d, ast.Constant)}
    given = {p.arg for p in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]} - absent
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value) if name in given:
            sign = _OPERATORS[type(operator)]
            right = text.of(value) if isinstance(value, _WHOLE) else f"({text.of(value)})"
            change = _written(text, statement, f"{name} = {name} {sign} {right}")
            yield from candidate(Kind.COPY, f"Write `{name} = {name} {sign} …`", [change])
    written = _array_written(function, statement, given)
    if written is not None:
        copied = at_the_top(text, function, [f"{written} = {written}.copy()"])
        yield from candidate(Kind.COPY, f"Copy `{written}` before it is written", [copied])


def _gives_something(function: Definition) -> bool:
    """Whether a function has a result: one that has none is there to write."""
    return any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))


def _array_written(function: Definition, statement: ast.stmt, given: set[str]) -> str | None:
    """The parameter whose array a statement writes, also through names for views of it."""
    names = list(dict.fromkeys(_targets(statement)))
    sources = {
        n.targets[0].id: root(n.value)
        for n in ast.walk(function)
        if isinstance(n, ast.Assign) and len(n.targets) == 1 and isinstance(n.targets[0], ast.Name)
    }
    loops = {
        n.target.id: root(n.iter)
        for n in ast.walk(function)
        if isinstance(n, ast.For) and isinstance(n.target, ast.Name)
    }
    for start in names:
        name: str | None = start
        for _ in range(len(sources) + len(loops) + 1):
            if name is None or name in given:
                break
            name = sources.get(name) or loops.get(name)
        if name in given:
            return name
    return None


def _targets(statement: ast.stmt) -> Iterator[str]:
    """The names at the root of what a statement may write into."""
    match statement:
        case ast.Assign(targets=targets):
            parts = [p for t in targets for p in (t.elts if isinstance(t, (ast.Tuple, ast.List)) else [t])]
        case ast.AugAssign(target=target):
            parts = [target]
        case _:
            parts = []
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    for call in calls:
        parts += [k.value for k in call.keywords if k.arg == "out"]
        parts += [call.func.value] if isinstance(call.func, ast.Attribute) else []
        parts += call.args[:1]
    for part in parts:
        name = root(part)
        if name is not None:
            yield name
