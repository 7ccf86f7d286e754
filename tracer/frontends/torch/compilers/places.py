"""Where something stands in the user's source: from frames that run, and from what torch says of frames that ran."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any

from .... import events
from ....events import Instruction
from ....narrow import defined
from ....positions import FILES, Located, SourceFile, locate, range_of
from ....worker.wire import Place, Remark

_OURS = os.path.dirname(os.path.realpath(events.__file__)) + os.sep
_PRINTED = re.compile(r'File "(.*?)", line (\d+)')


def of_frame(frame: FrameType | None) -> Located | None:
    """The expression that the innermost user frame from `frame` outwards is at."""
    while frame is not None and frame.f_code.co_filename not in FILES:
        frame = frame.f_back
    return locate(Instruction(frame.f_code, frame.f_lasti)) if frame is not None else None


def of_error(error: BaseException) -> Located | None:
    """The expression in the user's source that raised: that of the innermost user frame."""
    found = None
    for at in _passed(error):
        if at.tb_frame.f_code.co_filename in FILES:
            found = at
    return locate(Instruction(found.tb_frame.f_code, found.tb_lasti)) if found is not None else None


def is_ours(error: BaseException) -> bool:
    """Whether it is this tracer's own code that raised, and nothing that it called."""
    passed = [at.tb_frame.f_code.co_filename for at in _passed(error)]
    return bool(passed) and passed[-1].startswith(_OURS) and FILES.keys().isdisjoint(passed)


def _passed(error: BaseException) -> Iterator[TracebackType]:
    """Where an error passed on its way, from the outermost frame."""
    at = error.__traceback__
    while at is not None:
        yield at
        at = at.tb_next


def of_stack(stack: Any) -> Located | None:
    """The innermost user frame of a `traceback.StackSummary`; without columns, the statement in its line."""
    for frame in reversed(list(stack or ())):
        file = FILES.get(frame.filename)
        if file is None or frame.lineno is None:
            continue
        start, end = getattr(frame, "colno", None), getattr(frame, "end_colno", None)
        if start is None or end is None:
            return of_line(file, frame.lineno)
        where = (frame.lineno, start, getattr(frame, "end_lineno", None) or frame.lineno, end)
        nodes = file.by_range.get(where)
        return Located(file, nodes[-1], where) if nodes else of_line(file, frame.lineno)
    return None


def of_line(file: SourceFile, line: int) -> Located | None:
    """What a line is about: the condition of its `if`, `while` or `assert`, else its statement's own text."""
    if not 0 < line <= len(file.lines):
        return None
    for node in file.nodes:
        asked = about(node)
        if asked is not None and getattr(node, "lineno", 0) == line:
            return Located(file, asked, range_of(asked))
    row = file.lines[line - 1].encode().rstrip()
    return Located(file, None, (line, len(row) - len(row.lstrip()), line, len(row)))


def of_text(stack: str | None) -> Located | None:
    """The innermost user line of a stack as Python prints it."""
    for path, line in reversed(_PRINTED.findall(stack or "")):
        if path in FILES:
            return of_line(FILES[path], int(line))
    return None


def condition(at: Located | None) -> Located | None:
    """The condition of a statement that is about one: its instruction may have the range of all of it."""
    found = about(at.node) if at is not None else None
    return at if at is None or found is None else at.at(found)


def about(node: ast.AST | None) -> ast.expr | None:
    """What a statement asks of values: the condition of an `if`, the iterable of a `for`."""
    if isinstance(node, (ast.If, ast.While, ast.Assert)):
        return node.test
    return node.iter if isinstance(node, (ast.For, ast.AsyncFor)) else None


def narrowed(at: Located, words: str) -> Located:
    """The expression that is written as `words` in the range of `at`, or in its statement; else `at`."""
    if at.node is not None:
        around = [at.node, at.file.statement(at.node)]
    else:
        around = [node for node in at.file.nodes if isinstance(node, ast.stmt) and node.lineno == at.where[0]]
    for outer in around:
        for node in ast.walk(outer):
            if isinstance(node, ast.expr) and _written(node) == words:
                return at.at(node)
    return at


def written(function: Callable[..., Any], words: str) -> Located | None:
    """Where a function's own text first says `words`."""
    known = defined(getattr(getattr(function, "__func__", function), "__code__", None))
    if known is None or isinstance(known[1], ast.Lambda):
        return None
    file, node = known
    read = (one for one in ast.walk(node) if isinstance(one, ast.expr) and _written(one) == words)
    found = min(read, key=range_of, default=None)
    return None if found is None else Located(file, found, range_of(found))


def _written(node: ast.expr) -> str:
    return ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else ""


def told(at: Located | None) -> tuple[Place | None, str]:
    """A place and its text, as the wire has them."""
    return (at.place, at.text) if at is not None else (None, "")


def in_order(remark: Remark) -> tuple[bool, int, int, str]:
    """As the source has them, whatever order a tracer keeps them in."""
    span = remark.place.span if remark.place is not None else None
    return span is None, span.line if span else 0, span.column if span else 0, remark.condition
