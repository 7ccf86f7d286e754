"""Finds the examples that are written in a module: in comments, in `@example(…)` decorators, in doctest lines.

    # nst: example(np.ones((3, 4)), y=3.14)      on its own lines right above a def, its decorators,
                                                 or an assignment that binds a callable
    @tracer.example(np.ones(3))
    >>> f(np.ones(3))                            in f's docstring; earlier lines are its set-up

Arguments are kept as text and evaluated in the module's own names, with `np` and `spec` at hand.  For functions without
any, `annotated` makes examples of their annotations.
"""

from __future__ import annotations

import ast
import doctest
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from .callables import signature_of
from .positions import SourceFile, range_of
from .specs import OpenSpec, spec
from .standing import resolved
from .trees import leaves
from .worker.wire import Place, Span

_COMMENT = re.compile(r"#\s*nst:\s*example\s*(?=\()")
_MISTAKEN = re.compile(r"#\s*[nN][sS][tT]:\s*(\w+)\b")
_DIRECTIVES = frozenset({"example", "ignore", "static"})
_KNOWN = "there are example(…), ignore[…] and static(…)"
_NO_FUNCTION = (
    "this example has no function: it must stand right above a def, its decorators, "
    "or an assignment at the top of a module or class"
)
_Definition = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Example:
    """One example of one function."""

    function: str
    """The qualified name."""
    index: int
    source: str
    """The arguments as written."""
    origin: str
    """`comment`, `decorator`, `doctest` or `annotation`."""
    place: Place
    name_place: Place
    """The function's name in its definition."""
    setup: str = ""
    """Statements that run before the arguments are evaluated."""
    others: tuple[str, ...] = ()
    """Other arguments that the annotations allow, for a function that raises for the first."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """An example that belongs to nothing, or whose text is no call."""

    message: str
    place: Place
    text: str


class BadExample(Exception):  # noqa: N818  # the user's mistake, not an error of ours
    """An example that cannot be evaluated; the message says why."""


def collect(file: SourceFile) -> tuple[list[Example], list[Misplaced]]:
    """All examples of a file in source order, numbered per function, and those that belong to nothing."""
    found: list[Example] = []
    misplaced: list[Misplaced] = []
    below = {line: (node, name) for node, name in targets(file.tree) for line in (node.lineno, _first_line(node))}
    for comment in _comments(file):
        target = below.get(comment.next_line)
        if comment.problem or target is None:
            message = comment.problem or _NO_FUNCTION
            misplaced.append(Misplaced(message, comment.place, comment.text))
            continue
        node, name = target
        found.append(Example(name, 0, comment.arguments, "comment", comment.place, _name_place(file, node)))
    for node, name in targets(file.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found += _decorators(file, node, name)
            found += _doctests(file, node, name)
    found.sort(key=lambda e: (e.place.span.line, e.place.span.column))
    counts: dict[str, int] = {}
    numbered = []
    for each in found:
        index = counts[each.function] = counts.get(each.function, -1) + 1
        numbered.append(replace(each, index=index))
    return numbered, misplaced


def evaluate(example: Example, module: ModuleType) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
    """The function and the arguments of an example.  Raises BadExample where that cannot be done."""
    function = resolve(module, example.function)
    ours = _OURS if example.origin == "annotation" else {}
    args, kwargs = resolved(function, *arguments(example.source, module, example.setup, ours))
    return function, args, kwargs


def resolve(module: ModuleType, name: str) -> Callable[..., Any]:
    """The callable of a qualified name.  Raises BadExample where it is not there or cannot be called."""
    found: Any = module
    for step in name.split("."):
        try:
            found = getattr(found, step)
        except AttributeError:
            raise BadExample(f"{name} is not in the module once it is loaded") from None
    if not callable(found):
        raise BadExample(f"{name} is {type(found).__name__}, which cannot be called")
    return found  # type: ignore[no-any-return]


_OURS: Mapping[str, Any] = {"np": np, "spec": spec}


def arguments(
    source: str,
    module: ModuleType,
    setup: str = "",
    first: Mapping[str, Any] = MappingProxyType({}),
    what: str = "the example",
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Evaluate the text of arguments among a module's names; those in `first` win over them.

    Raises BadExample with the reason, which says `what` they are.
    """
    space = {**_OURS, **vars(module), **first}
    space["__nst_arguments__"] = lambda *args, **kwargs: (args, kwargs)
    try:
        if setup:
            exec(compile(setup, "<example>", "exec"), space)
        made: tuple[tuple[Any, ...], dict[str, Any]] = eval(
            compile(f"__nst_arguments__({source}\n)", "<example>", "eval"), space
        )
    except SyntaxError as error:
        raise BadExample(f"{what} is not valid Python: {error.msg}") from error
    except Exception as error:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BadExample(f"{what} cannot be evaluated: {text}") from error
    unsized = next((leaf for leaf, _ in leaves([*made[0], *made[1].values()]) if isinstance(leaf, OpenSpec)), None)
    if unsized is not None:
        raise BadExample(f"{what} cannot be evaluated: {unsized.problem}")
    return made


def written_arguments(example: Example, function: Callable[..., Any]) -> dict[str, str]:
    """The text of each argument as it is written in an example, by parameter."""
    call = ast.parse(f"f({example.source}\n)", mode="eval").body
    assert isinstance(call, ast.Call)
    known = signature_of(function).parameters.values()
    names = [p.name for p in known if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    written = {k.arg: ast.unparse(k.value) for k in call.keywords if k.arg}
    for name, argument in zip(names, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        written[name] = ast.unparse(argument)
    return written


# ---- comments --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Comment:
    arguments: str
    place: Place
    text: str
    next_line: int
    problem: str | None


def _comments(file: SourceFile) -> Iterator[_Comment]:
    """Example comments, joined over their lines, with the line of the code that follows."""
    lines = _comment_lines(file)
    if not lines:
        return
    statements = [n for n in file.nodes if isinstance(n, ast.stmt)]
    code_lines = sorted({line for n in statements for line in (n.lineno, _first_line(n))})
    for number, (column, text) in sorted(lines.items()):
        match = _COMMENT.match(text)
        mistaken = None if match else _MISTAKEN.match(text)
        if mistaken and mistaken[1] not in _DIRECTIVES:
            place = Place(file.path, Span(number, column + 1, number, column + len(text) + 1))
            yield _Comment("", place, text, 0, f"there is no comment `nst: {mistaken[1]}`: {_KNOWN}")
        if match is None:
            continue
        body, last = text[match.end() :], number
        while not _is_complete(body) and last + 1 in lines and not _COMMENT.match(lines[last + 1][1]):
            last += 1
            body += "\n" + lines[last][1].lstrip("#")
        end = lines[last][0] + len(lines[last][1])
        place = Place(file.path, Span(number, column + 1, last, end + 1))
        source, problem = _split(body)
        following = next((n for n in code_lines if n > last), 0)
        gap = [file.lines[i - 1].strip() for i in range(last + 1, following)] if following else []
        reachable = following if all(not row or row.startswith("#") for row in gap) else 0
        whole = "\n".join(lines[i][1] for i in range(number, last + 1))
        yield _Comment(source, place, whole, reachable, problem)


def _comment_lines(file: SourceFile) -> dict[int, tuple[int, str]]:
    """Line number to (column, text) of every comment on a line of its own, where any is meant for us."""
    if not _MEANT.search(file.text):
        return {}
    texts = {
        line
        for node in file.nodes
        if isinstance(node, (ast.JoinedStr, ast.Constant)) and node.end_lineno != node.lineno
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }
    return {
        number: (len(row) - len(row.lstrip()), row.strip())
        for number, row in enumerate(file.lines, 1)
        if row.lstrip().startswith("#") and number not in texts
    }


_MEANT = re.compile(r"#\s*nst:", re.IGNORECASE)


def _is_complete(body: str) -> bool:
    """Whether the parenthesis that opens `body` is closed in it."""
    depth = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(body).readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                if depth == 0:
                    return True
    except (tokenize.TokenError, SyntaxError):
        return False
    return False


def _split(body: str) -> tuple[str, str | None]:
    """The arguments inside the parentheses, or the reason why they are none."""
    try:
        call = ast.parse(f"example{body.strip()}", mode="eval").body
    except SyntaxError as error:
        return "", f"the example is not valid Python: {error.msg}"
    if not isinstance(call, ast.Call):
        return "", "an example is written as a call: # nst: example(arguments)"
    inside = body.strip()[1:]
    return inside[: inside.rindex(")")].strip(), None


# ---- decorators and doctests -----------------------------------------------------------------------


def _decorators(file: SourceFile, node: _Definition, name: str) -> Iterator[Example]:
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Call):
            continue
        callee = decorator.func
        if (isinstance(callee, ast.Name) and callee.id == "example") or (
            isinstance(callee, ast.Attribute) and callee.attr == "example"
        ):
            where = range_of(decorator)
            source = ", ".join(file.segment(range_of(a)) for a in decorator.args)
            named = ", ".join(
                f"{k.arg}={file.segment(range_of(k.value))}" if k.arg else f"**{file.segment(range_of(k.value))}"
                for k in decorator.keywords
            )
            yield Example(
                name,
                0,
                ", ".join(part for part in (source, named) if part),
                "decorator",
                file.place(where),
                _name_place(file, node),
            )


def _doctests(file: SourceFile, node: _Definition, name: str) -> Iterator[Example]:
    """The calls of a function in its own docstring."""
    first = node.body[0]
    text = ast.get_docstring(node, clean=False)
    if text is None or ">>>" not in text or not isinstance(first, ast.Expr):
        return
    try:
        parts = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    setup: list[str] = []
    for part in parts:
        source = _call_arguments(part.source, node.name)
        if source is None:
            setup.append(part.source)
            continue
        line = first.lineno + part.lineno
        row = file.lines[line - 1].rstrip()
        start = row.index(">>>") if ">>>" in row else 0
        place = Place(file.path, Span(line, start + 1, line, len(row) + 1))
        yield Example(name, 0, source, "doctest", place, _name_place(file, node), "".join(setup))


def _call_arguments(statement: str, name: str) -> str | None:
    """The arguments of `name(…)` where a doctest line is that call, or prints or keeps its result."""
    try:
        body = ast.parse(statement).body
    except SyntaxError:
        return None
    if len(body) != 1 or not isinstance(body[0], (ast.Expr, ast.Assign)):
        return None
    call = body[0].value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == name):
        return None
    text = ast.get_source_segment(statement, call)
    return text[text.index("(") + 1 : text.rindex(")")] if text else None


# ---- functions -------------------------------------------------------------------------------------


def targets(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """What an example may stand above, with its qualified name: definitions and assignments of a module or class."""

    def inside(body: list[ast.stmt], prefix: str) -> Iterator[tuple[ast.stmt, str]]:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield node, prefix + node.name
            elif isinstance(node, ast.ClassDef):
                yield from inside(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                yield node, prefix + node.targets[0].id
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                yield node, prefix + node.target.id
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                yield from inside(node.body, prefix)
                yield from inside(getattr(node, "orelse", []), prefix)

    yield from inside(tree.body, "")


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    lines: list[int] = [node.lineno, *(d.lineno for d in decorators)]
    return min(lines)


def _name_place(file: SourceFile, node: ast.stmt) -> Place:
    """The name in a `def`, or the target of an assignment."""
    if isinstance(node, ast.Assign):
        return file.place(range_of(node.targets[0]))
    if isinstance(node, ast.AnnAssign):
        return file.place(range_of(node.target))
    assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    return file.name_place(node)


__all__ = ["BadExample", "Example", "Misplaced", "arguments", "collect", "evaluate", "resolve", "targets"]
