"""Changes of signatures and calls: one parameter more, one argument more."""

from __future__ import annotations

import ast
import re

from .text import DEFINITIONS, Change, Definition, Text, defaults


def with_parameter(text: Text, function: Definition | ast.Lambda, written: str) -> Change | None:
    """`written` (a name, perhaps with a default) as the last parameter that can be given by keyword.

    None where the signature is written so that its end cannot be told without guessing.
    """
    a = function.args
    optional = bool(defaults(function)) and "=" not in written
    if a.kwarg is not None:
        place = _stars(text, text.range(a.kwarg)[0])
        marker = "*, " if optional and not (a.vararg or a.kwonlyargs) else ""
        return Change(place, place, f"{marker}{written}, ")
    star = "" if a.vararg or a.kwonlyargs or not optional else "*, "
    parts = [*a.posonlyargs, *a.args, *([a.vararg] if a.vararg else []), *a.kwonlyargs, *a.defaults]
    parts += [d for d in a.kw_defaults if d is not None]
    if not parts:
        return _first(text, function, written)
    last = max(text.range(p)[1] for p in parts)
    end = _end(text, function, last)
    return None if end is None else after_last(text, last, end, f"{star}{written}")


def _first(text: Text, function: Definition | ast.Lambda, written: str) -> Change | None:
    if isinstance(function, ast.Lambda):
        place = text.range(function)[0] + len("lambda")
        return Change(place, place, f" {written}")
    start = text.source.index("(", text.source.index(function.name, _name_start(text, function)))
    return Change(start + 1, start + 1, written)


def _name_start(text: Text, function: Definition) -> int:
    return text.offsets(text.file.name_place(function).span)[0]


def _stars(text: Text, place: int) -> int:
    """The place of the `**` before a name."""
    return text.source.rindex("**", 0, place)


def _end(text: Text, function: Definition | ast.Lambda, last: int) -> int | None:
    """The end of the parameters: the closing bracket, or a lambda's colon; None where a comment stands before it."""
    match = _SIGNATURE_END.match(text.source, last)
    if match is None:
        return None
    return match.end() if isinstance(function, ast.Lambda) else text.source.rindex(")", last, match.end())


_SIGNATURE_END = re.compile(r"[\s\\,/)]*")
"""What may stand between the last parameter and the colon or arrow."""


def after_last(text: Text, last: int, limit: int, written: str) -> Change | None:
    """`written` after what ends at `last`, before the end of the list at `limit`; after its comma, if it has one.

    None where a comment stands there.
    """
    place, comma = last, False
    for offset in range(last, limit):
        letter = text.source[offset]
        if letter == "#":
            return None
        if letter in ",)/":  # a bracket around the last one, or the end of what is positional only
            place, comma = offset + 1, letter == ","
    if comma and text.newline in text.source[place:limit]:  # one a line, the last with a comma, too
        row = text.source[text.source.rindex(text.newline, 0, place) + len(text.newline) : place]
        indent = row[: len(row) - len(row.lstrip())]
        return Change(place, place, f"{text.newline}{indent}{written},")
    return Change(place, place, f" {written}" if comma else f", {written}")


def with_argument(text: Text, call: ast.Call, written: str) -> Change | None:
    """`written` as the last argument of a call; None where `*` or `**` leave open what it is given."""
    given = [*call.args, *(k.value for k in call.keywords)]
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    end = text.range(call)[1] - 1
    if not given:
        start = text.range(call.func)[1]
        inside = text.source.index("(", start) + 1
        return None if text.source[inside:end].strip() else Change(inside, inside, written)
    return after_last(text, max(text.range(g)[1] for g in given), end, written)


def with_example_argument(text: Text, start: int, end: int, written: str) -> Change | None:
    """`written` as the last argument of an example in the comment from `start` to `end`."""
    closing = text.source.rfind(")", start, end)
    if closing < 0:
        return None
    place = closing
    while text.source[place - 1].isspace() or text.source[place - 1] == "#":
        place -= 1
    before = text.source[place - 1]
    lead = "" if before == "(" else " " if before == "," else ", "
    return Change(place, place, f"{lead}{written}")


def at_the_top(text: Text, function: Definition, lines: list[str]) -> Change:
    """Lines as the first statements of a function, after its docstring; a body on the `def`'s line gets its own."""
    body = function.body
    documented = ast.get_docstring(function, clean=False) is not None
    first = body[1] if documented and len(body) > 1 else body[0]
    inner = _block_indent(text, function)
    if documented and len(body) == 1:
        end = text.range(first)[1]
        return Change(end, end, "".join(f"{text.newline}{inner}{line}" for line in lines))
    start = text.starts[_first_line(first) - 1]
    lead = text.source[start : _start(text, first)]
    if lead.strip():  # the body stands behind the colon, or behind a semicolon
        place = _start(text, first)
        before = len(text.source[:place].rstrip(" \t"))
        return Change(before, place, "".join(f"{text.newline}{inner}{x}" for x in lines) + f"{text.newline}{inner}")
    return Change(start, start, "".join(f"{lead}{line}{text.newline}" for line in lines))


def _start(text: Text, statement: ast.stmt) -> int:
    if isinstance(statement, (*DEFINITIONS, ast.ClassDef)) and statement.decorator_list:
        first = min(text.range(d)[0] for d in statement.decorator_list)
        return text.source.rindex("@", 0, first)
    return text.range(statement)[0]


def _first_line(statement: ast.stmt) -> int:
    lines: list[int] = [d.lineno for d in getattr(statement, "decorator_list", [])]
    return min([statement.lineno, *lines])


def _block_indent(text: Text, function: Definition) -> str:
    """The white space before a function's statements."""
    outer = text.indent(function)
    first = function.body[0]
    if first.lineno > function.lineno and not text.source[text.starts[first.lineno - 1] : _start(text, first)].strip():
        return text.indent(first)
    return outer + ("\t" if "\t" in outer else "    ")
