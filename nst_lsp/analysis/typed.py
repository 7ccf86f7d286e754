"""What is being typed inside one of our comments, and what the file alone says of it.

    # nst: |                      which comments there are
    # nst: example(np.on|         an expression: jedi knows more, for the text that `for_jedi` makes
    # nst: static(tr|             names of the function's parameters
    # nst: ignore[NST1|           codes of rules

Everything else is none of our business: other servers complete it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .heads import Head, head_below
from .lexemes import is_comment
from .text import Text

_OURS = re.compile(r"#\s*nst:")
_DIRECTIVE = re.compile(r"#\s*nst:\s*(\w*)$")
_EXAMPLE = re.compile(r"#\s*nst:\s*example\s*\(")
_STATIC = re.compile(r"#\s*nst:\s*static\s*\(([^)]*)$")
_IGNORE = re.compile(r"#\s*nst:\s*ignore\s*\[([^\]]*)$")
_MOST_ROWS = 40
"""Lines of one comment."""


@dataclass(frozen=True, slots=True)
class Directive:
    """The word after `nst:`."""

    prefix: str


@dataclass(frozen=True, slots=True)
class StaticName:
    prefix: str
    written: frozenset[str]
    """The names that are there already."""
    head: Head | None


@dataclass(frozen=True, slots=True)
class RuleCode:
    prefix: str
    written: frozenset[str]


@dataclass(frozen=True, slots=True)
class Argument:
    """An expression in the parentheses of an example."""

    prefix: str
    """The name that is being typed."""
    body: str
    """All from behind the opening parenthesis to the cursor, without the `#` of further lines."""
    head: Head | None
    own_call: bool
    """Whether the innermost call is the example's own."""
    begins: bool
    """Whether an argument of the example begins here, so that it may be a name and `=`."""
    index: int
    """How many arguments stand before, in the example's own call."""
    keyword: str | None
    """The argument's name, where it has one."""
    keywords: frozenset[str]
    """The names that are there already."""


Typed = Directive | StaticName | RuleCode | Argument


def typed_at(text: Text, line: int, column: int) -> Typed | None:
    """What is being typed before a position; None outside our comments."""
    before = text.line(line)[: column - 1]
    if "#" not in before:
        return None
    start = _first_row(text, line, before)
    if start is None or not _is_comment(text, start):
        return None
    if found := _DIRECTIVE.search(before):
        return Directive(found[1])
    if found := _STATIC.search(before):
        prefix, written = _listed(found[1])
        return StaticName(prefix, written, head_below(text, line))
    if found := _IGNORE.search(before):
        return RuleCode(*_listed(found[1]))
    return _argument(text, start, line, before)


def _first_row(text: Text, line: int, before: str) -> int | None:
    """The line on which the comment begins: an example may have several."""
    if _OURS.search(before):
        return line
    for number in range(line, max(line - _MOST_ROWS, 0), -1):
        row = text.line(number)
        if not row.lstrip().startswith("#"):
            return None
        if _EXAMPLE.search(row):
            return number
    return None


def _is_comment(text: Text, line: int) -> bool:
    """Whether the line's `#` begins a comment, and not something within a string."""
    return is_comment(text.source, text.starts[line - 1] + _last_mark(text.line(line)))


def _last_mark(row: str) -> int:
    return [found.start() for found in _OURS.finditer(row)][-1]


def _listed(inside: str) -> tuple[str, frozenset[str]]:
    """The name that is being typed, and those before it."""
    *written, prefix = re.split(r"[,\s]+", inside)
    return prefix, frozenset(written) - {""}


# ---- arguments -------------------------------------------------------------------------------------

_PARTS = re.compile(
    r'(?P<string>"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\')'
    r"|(?P<name>\w+)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<comma>,)|(?P<equal>=(?!=))|(?P<quote>[\"'])",
    re.DOTALL,
)


def _argument(text: Text, start: int, line: int, before: str) -> Argument | None:
    first = text.line(start) if start != line else before
    opening = _EXAMPLE.search(first)
    if opening is None:
        return None
    rows = [text.line(number) for number in range(start + 1, line)] + ([before] if start != line else [])
    body = "\n".join([first[opening.end() :], *(row.lstrip().lstrip("#") for row in rows)])
    scanned = _scan(body)
    if scanned is None:
        return None
    prefix = re.search(r"\w*$", body)
    assert prefix is not None
    last = line
    while last < len(text.starts) and text.line(last + 1).lstrip().startswith("#"):
        last += 1
    return Argument(prefix[0], body, head_below(text, last), *scanned)


def _scan(body: str) -> tuple[bool, bool, int, str | None, frozenset[str]] | None:
    """The last five members of an `Argument`; None where the parentheses are closed or a string is open."""
    calls = [True]
    """For each open bracket, whether it is that of a call."""
    index, keyword, keywords, argument_at, name = 0, None, set[str](), 0, ""
    for part in _PARTS.finditer(body):
        kind = part.lastgroup
        if kind == "quote":
            return None
        if kind == "open":
            calls.append(part[0] == "(" and bool(re.search(r"[\w)\]]\s*$", body[: part.start()])))
        elif kind == "close":
            calls.pop()
            if not calls:
                return None
        elif len(calls) == 1 and kind == "comma":
            index, keyword, argument_at = index + 1, None, part.end()
        elif len(calls) == 1 and kind == "equal" and body[argument_at : part.start()].strip() == name:
            keyword = name
            keywords.add(name)
        name = part[0]
    innermost = next(number for number, is_call in reversed(list(enumerate(calls))) if is_call)
    begins = len(calls) == 1 and re.fullmatch(r"\s*\w*", body[argument_at:]) is not None
    return innermost == 0, begins, index, keyword, frozenset(keywords)


# ---- what jedi is asked ----------------------------------------------------------------------------

_HEAD = '''\
import numpy as np
def spec(shape, dtype="float64", **sizes):
    """An array of which shape and dtype are known, and nothing else: `spec((3, 4), "float32")`, `spec("b 4", b=3)`."""
'''


@dataclass(frozen=True, slots=True)
class Question:
    """A text at whose end the expression stands that is being typed."""

    source: str
    line: int
    column: int
    """From 0, in characters."""


def for_jedi(text: Text, typed: Argument) -> Question:
    """The module with the example written as a call at its end; its own names win over ours."""
    called = typed.head.name if typed.head else "example"
    module = text.source.replace("\r\n", "\n").replace("\r", "\n")
    source = f"{_HEAD}{module}\n\n{called}({typed.body}"
    lines = source.split("\n")
    return Question(source, len(lines), len(lines[-1]))
