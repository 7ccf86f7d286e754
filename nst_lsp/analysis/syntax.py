"""What is wrong with our comments, as the text alone tells: nothing need run, so it is told while one types.

Examples that are no call or stand above nothing, comments that do not exist, names in `static(…)` that are no
parameters, and rules in `ignore[…]` that do not exist.  An example's faults are those that a trace would report, in
the same words (`tracer/examples.py`), so that the one can take the place of the other.
"""

from __future__ import annotations

import ast
import difflib
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tracer.rules import RULES, Severity
from tracer.worker.wire import Finding, Place, Span

from ..settings import known_rule
from .lexemes import comments_of
from .outline import Definition, definitions, parse
from .silence import STATIC, comments, static_names, tokens
from .text import Text

UNKNOWN_ARGUMENT = "unknown-argument"
UNKNOWN_RULE = "unknown-rule"
BAD_EXAMPLE = "NST502"

_OURS = re.compile(r"#\s*[nN][sS][tT]:")
_EXAMPLE = re.compile(r"#\s*nst:\s*example\s*(?=\()")
_MISTAKEN = re.compile(r"#\s*[nN][sS][tT]:\s*(\w+)\b")
_DIRECTIVES = frozenset({"example", "ignore", "static"})
_KNOWN = "there are example(…), ignore[…] and static(…)"
_NO_FUNCTION = (
    "this example has no function: it must stand right above a def, its decorators, "
    "or an assignment at the top of a module or class"
)
_NOT_PYTHON = "the example is not valid Python"
_NO_CALL = "an example is written as a call: # nst: example(arguments)"
_RULE_NAMES = tuple(rule.name for rule in RULES.values())
_OF_THE_TEXT = (_NO_FUNCTION, _NOT_PYTHON, _NO_CALL, "there is no comment `nst: ")
"""How the faults begin that the text alone tells of."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something in one of our comments that means nothing."""

    span: Span
    code: str
    message: str


@lru_cache(maxsize=8)
def bad_examples(source: str, path: str) -> tuple[Finding, ...]:
    """The faults of examples, as a trace would report them."""
    text = Text(source)
    return tuple(
        Finding(BAD_EXAMPLE, Severity.ERROR, one.message, "", 0, Place(path, one.span), text.at(one.span))
        for one in _examples(text)
    )


@lru_cache(maxsize=8)
def mistakes(source: str) -> tuple[Mistake, ...]:
    """What the other comments say that means nothing, in a text that is Python."""
    if not _OURS.search(source) or (known := definitions(source)) is None:
        return ()
    return (*_unknown_rules(Text(source)), *_unknown_arguments(Text(source), known))


def is_of_the_text(finding: Finding) -> bool:
    """Whether a trace reported what the text alone tells, of which the text of now knows better."""
    return finding.code == BAD_EXAMPLE and finding.message.startswith(_OF_THE_TEXT)


# ---- examples --------------------------------------------------------------------------------------


def _examples(text: Text) -> Iterator[Mistake]:
    tree = parse(text.source) if _OURS.search(text.source) else None
    below = {line for line, _ in targets(tree.module.body)} if tree else set()
    for comment in example_comments(text):
        problem = comment.problem
        if problem is None and tree is not None and comment.below not in below:
            problem = _NO_FUNCTION
        if problem is not None:
            yield Mistake(comment.span, BAD_EXAMPLE, problem)


@dataclass(frozen=True, slots=True)
class ExampleComment:
    """A comment that is meant as an example, or as something of ours that does not exist."""

    span: Span
    problem: str | None
    """Why it is none, whatever it stands above."""
    below: int
    """The first line of code below it."""


def example_comments(text: Text) -> Iterator[ExampleComment]:
    """The comments of a text, which need be no Python, that are meant as examples."""
    if not _OURS.search(text.source):
        return
    found = _comment_lines(text)
    for number, (column, comment) in sorted(found.items()):
        match = _EXAMPLE.match(comment)
        if match is None:
            mistaken = _MISTAKEN.match(comment)
            if mistaken and mistaken[1] not in _DIRECTIVES:
                span = Span(number, column, number, column + len(comment))
                yield ExampleComment(span, f"there is no comment `nst: {mistaken[1]}`: {_KNOWN}", 0)
            continue
        body, last = comment[match.end() :], number
        while not _is_complete(body) and last + 1 in found and not _EXAMPLE.match(found[last + 1][1]):
            last += 1
            body += "\n" + found[last][1].lstrip("#")
        span = Span(number, column, last, found[last][0] + len(found[last][1]))
        yield ExampleComment(span, _problem(body), _next_code(text, last))


def _comment_lines(text: Text) -> dict[int, tuple[int, str]]:
    """The comments that have their line for themselves: where each begins, and what it says."""
    found: dict[int, tuple[int, str]] = {}
    for comment in comments_of(text.source):
        line, column = text.position(comment.start())
        if not text.line(line)[: column - 1].strip():
            found[line] = column, comment[0]
    return found


@lru_cache(maxsize=256)
def _is_complete(body: str) -> bool:
    """Whether the parenthesis that opens `body` is closed in it."""
    depth = 0
    for token in tokens(body):
        if token.type == tokenize.OP:
            depth += (token.string in "([{") - (token.string in ")]}")
            if depth == 0:
                return True
    return False


@lru_cache(maxsize=256)
def _problem(body: str) -> str | None:
    try:
        call = ast.parse(f"example{body.strip()}", mode="eval").body
    except SyntaxError as error:
        return f"{_NOT_PYTHON}: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return _NOT_PYTHON
    return None if isinstance(call, ast.Call) else _NO_CALL


def _next_code(text: Text, line: int) -> int:
    """The first line below that is neither empty nor a comment."""
    line += 1
    while line < len(text.starts) and (not text.line(line).strip() or text.line(line).lstrip().startswith("#")):
        line += 1
    return line


def targets(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[int, str]]:
    """The lines below an example, and whose it is: of definitions, of their decorators, of assignments of one name."""
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, prefix + name
                yield min([node.lineno, *(one.lineno for one in node.decorator_list)]), prefix + name
            case ast.ClassDef(name=name):
                yield from targets(node.body, f"{prefix}{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield node.lineno, prefix + name
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                yield node.lineno, prefix + name
            case ast.If() | ast.Try() | ast.With():
                yield from targets(node.body, prefix)
                yield from targets(getattr(node, "orelse", []), prefix)


# ---- the other comments ----------------------------------------------------------------------------


def _unknown_rules(text: Text) -> Iterator[Mistake]:
    for ignore in comments(text.source):
        for rule in ignore.rules:
            if not known_rule(rule):
                yield Mistake(
                    _word(text, ignore.span, rule), UNKNOWN_RULE, f"there is no rule `{rule}`{_near(rule, _RULE_NAMES)}"
                )


def _unknown_arguments(text: Text, known: tuple[Definition, ...]) -> Iterator[Mistake]:
    if "static" not in text.source:
        return
    below = {definition.first_line: definition for definition in known}
    for number, (column, comment) in _comment_lines(text).items():
        match = STATIC.search(comment)
        if match is None:
            continue
        span = Span(number, column + match.start(), number, column + match.end())
        definition = below.get(_end_of_comments(text, number))
        if definition is None:
            message = "this comment has no function: it must stand right above a def or its decorators"
            yield Mistake(span, UNKNOWN_ARGUMENT, message)
            continue
        for name in static_names(comment):
            if name not in definition.parameters:
                message = f"{definition.name} has no parameter `{name}`{_near(name, definition.parameters)}"
                yield Mistake(_word(text, span, name), UNKNOWN_ARGUMENT, message)


def _near(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def _end_of_comments(text: Text, line: int) -> int:
    while line < len(text.starts) and text.line(line).lstrip().startswith("#"):
        line += 1
    return line


def _word(text: Text, span: Span, word: str) -> Span:
    """Where a word stands within a span of one line."""
    row = text.line(span.line)
    inside = row[span.column - 1 : span.end_column - 1]
    opening = max(inside.find("["), inside.find("("), 0)
    found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", inside[opening:])
    start = span.column + opening + (found.start() if found else 0)
    return Span(span.line, start, span.line, start + len(word))
