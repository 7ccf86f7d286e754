"""Comments that silence findings, and those that silence nothing.

`# nst: ignore[NST204]` at the end of a line silences the named rules on the expressions that touch the line, or that
belong to the statement whose last line it is; a bare `# nst: ignore` silences all.  `# nst: static(training)` above a
function accepts that it is specialised on those arguments.  Comments are found by `tokenize`, so a string that looks
like one is none; a text that does not tokenize keeps the comments up to where it breaks.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tracer.worker.wire import Finding, Span

from .outline import Definition, definitions
from .selection import named
from .text import Text

_IGNORE = re.compile(r"#\s*nst:\s*ignore\b(?:\s*\[([^\]]*)\])?")
STATIC = re.compile(r"#\s*nst:\s*static\s*\(([^)]*)\)")
_SPECIALISED = frozenset({"NST103", "NST106", "NST202"})
"""What `static` accepts: specialisation on a non-array argument."""


@dataclass(frozen=True, slots=True)
class Unused:
    """An `ignore` that silences nothing."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Ignore:
    span: Span
    """The comment, from its `#`."""
    rules: tuple[str, ...]
    """Empty for all rules."""
    first: int
    """The first line of the statement it ends."""
    ends: bool
    """Whether the statement's last line is the comment's; else only the comment's own line is meant."""

    def covers(self, span: Span) -> bool:
        line = self.span.line
        touches = span.line <= line <= span.end_line
        return touches or (self.ends and self.first <= span.line and span.end_line <= line)


def silence(source: str, findings: Iterable[Finding]) -> tuple[list[Finding], list[Unused]]:
    """The findings of one file that its comments leave, and the `ignore` comments that silenced none of them.

    `source` is the text that the findings' positions speak of.
    """
    ignores, used, kept = comments(source), set[Ignore](), list[Finding]()
    accepted = static_arguments(source)
    for finding in findings:
        hits = [ignore for ignore in ignores if ignore.covers(finding.place.span) and _means(ignore, finding.code)]
        used.update(hits)
        if not hits and not _is_accepted(finding, accepted, source):
            kept.append(finding)
    return kept, [_unused(ignore) for ignore in ignores if ignore not in used]


def _means(ignore: Ignore, code: str) -> bool:
    return not ignore.rules or named(code, ignore.rules)


def _unused(ignore: Ignore) -> Unused:
    what = f"of {', '.join(ignore.rules)} " if ignore.rules else ""
    return Unused(ignore.span, f"this comment silences nothing: no finding {what}is reported here")


# ---- comments --------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def comments(source: str) -> tuple[Ignore, ...]:
    """The `ignore` comments of a text, in order."""
    if not _IGNORE.search(source):  # most files have none, and this is a hundred times quicker than to tokenize
        return ()
    found: list[Ignore] = []
    first: int | None = None
    waiting: list[tuple[tokenize.TokenInfo, re.Match[str], int]] = []
    for token in tokens(source):
        if token.type == tokenize.COMMENT:
            match = _IGNORE.search(token.string)
            if match:
                waiting.append((token, match, first or token.start[0]))
        elif token.type in (tokenize.NEWLINE, tokenize.NL):
            last = token.type == tokenize.NEWLINE
            if last or first is None:
                found += [_ignore(*one, ends=last and one[0].start[0] == token.start[0]) for one in waiting]
                waiting.clear()
            first = None if last else first
        elif token.type not in (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING):
            first = first or token.start[0]
    return (*found, *(_ignore(*one, ends=False) for one in waiting))


def _ignore(token: tokenize.TokenInfo, match: re.Match[str], first: int, *, ends: bool) -> Ignore:
    line, column = token.start
    span = Span(line, column + match.start() + 1, line, column + match.end() + 1)
    rules = tuple(filter(None, re.split(r"[,\s]+", match[1] or "")))
    return Ignore(span, rules, first, ends)


def tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        return


# ---- static arguments ------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def static_arguments(source: str) -> dict[str, frozenset[str]]:
    """The arguments that each function accepts to be specialised on, by qualified name."""
    if "static" not in source or not (known := definitions(source)):
        return {}
    text, result = Text(source), {}
    for definition in known:
        names = frozenset(name for line in _comments_above(text, definition) for name in static_names(line))
        if names:
            result[definition.name] = names
    return result


def _comments_above(text: Text, definition: Definition) -> Iterator[str]:
    number = definition.first_line - 1
    while number >= 1 and text.line(number).lstrip().startswith("#"):
        yield text.line(number)
        number -= 1


def static_names(line: str) -> list[str]:
    match = STATIC.search(line)
    return re.findall(r"\w+", match[1]) if match else []


def _is_accepted(finding: Finding, accepted: dict[str, frozenset[str]], source: str) -> bool:
    """Whether every argument that a specialisation is about was declared static."""
    static = accepted.get(finding.function)
    if not static or finding.code not in _SPECIALISED:
        return False
    about = about_arguments(finding, source)
    return bool(about) and about <= static


def about_arguments(finding: Finding, source: str) -> set[str]:
    """The parameters that a finding speaks of: those among its related places, else the names in its expression."""
    definition = next((one for one in definitions(source) or () if one.name == finding.function), None)
    if definition is None:
        return set()
    text = Text(source)
    related = {text.at(related.place.span) for related in finding.related if related.place.path == finding.place.path}
    named_there = {match for place in related for match in re.findall(r"\w+", place)[:1]}
    return (named_there & definition.parameters) or (_names(finding.text) & definition.parameters)


def _names(expression: str) -> set[str]:
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return set(re.findall(r"[^\W\d]\w*", expression))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
