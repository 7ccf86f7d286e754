"""What a run that was stopped says about itself: finding NST504 on the user's line.

The stack is text as `faulthandler` writes it.  The line is that of the innermost frame in the requested
file, else in another file of the workspace, else the place that the caller falls back to.
"""

from __future__ import annotations

import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path

from ..rules import Severity
from .frames import LOST_CHANNEL, Ending, Outcome
from .wire import Finding, ModuleLoaded, Place, Related, Request, Span, TraceFile, time_limit

_FRAME = re.compile(r'^  File "(.*)", line (\d+) in (.*)$', re.MULTILINE)
_EARLIER = "Timeout ("
"""How each dump of a watchdog begins."""
_ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")
_USERS_OWN = ("SystemExit", "KeyboardInterrupt", "MemoryError", "_ArrayMemoryError")
_OUR_FOLDER = str(Path(__file__).parent.parent) + os.sep


@dataclass(frozen=True, slots=True)
class _Frame:
    path: str
    line: int
    function: str


def reason(outcome: Outcome, limit: float) -> str:
    """How the run ended, in words."""
    if outcome.ending is Ending.TIMED_OUT:
        return f"still running after {limit:g} s (setting `timeout`)"
    if outcome.ending is Ending.RAISED:
        return _raised(outcome.stack)
    if outcome.ending is Ending.SIGNALLED:
        by_itself = bool(outcome.stack)
        return _signal_in_words(outcome.status, by_itself)
    if outcome.status == LOST_CHANNEL:
        return "it closed the descriptors through which its results are handed back"
    return f"the process exited with status {outcome.status}"


def _raised(stack: str) -> str:
    """What a run raised that reached its end: of ours it is a fault, and said to be one, with its place."""
    error = stack.partition("\n")[0]
    if error.startswith(_USERS_OWN):
        return error
    at = next((frame for frame in _frames(stack) if frame.path.startswith(_OUR_FOLDER)), None)
    place = f" (tracer/{Path(at.path).relative_to(_OUR_FOLDER).as_posix()}:{at.line})" if at is not None else ""
    return f"the tracer failed, which is a fault of nst's own: {error}{place}"


def finding(outcome: Outcome, request: Request, function: str, example: int, fallback: Place | None) -> Finding:
    """NST504 for a run that did not reach its end."""
    frames = _users_frames(outcome.stack, request)
    own = next((frame for frame in frames if _same(frame.path, request.path)), None)
    at = own or next(iter(frames), None)
    if at is not None:
        place, text = _line(at, request)
    else:
        place, text = fallback or _line(_Frame(request.path, 1, function), request)[0], ""
    related: tuple[Related, ...] = ()
    if own is not None and frames[0] is not own:
        related = (Related(f"it was in `{frames[0].function}`, called from here", _line(frames[0], request)[0]),)
    return Finding(
        code="NST504",
        severity=Severity.ERROR,
        message=f"the run was stopped here: {reason(outcome, request.options.timeout)}",
        function=function,
        example=example,
        place=place,
        text=text,
        related=related,
    )


def innermost(outcome: Outcome, request: Request) -> tuple[str, int] | None:
    """The file and line of the user's where the run was, if it left word."""
    frame = next(iter(_users_frames(outcome.stack, request)), None)
    return (frame.path, frame.line) if frame is not None else None


def unloaded(outcome: Outcome, request: TraceFile) -> ModuleLoaded:
    """The answer where importing the file did not come to an end."""
    return ModuleLoaded(request.id, (finding(outcome, request, "", 0, None),), output=outcome.output)


def summary(outcome: Outcome, request: Request) -> str:
    """How the run ended, and where of the user's code if it was in any, for where there is no example to report on."""
    ended, at = reason(outcome, time_limit(request)), innermost(outcome, request)
    return f"{ended} ({at[0]}:{at[1]})" if at is not None else ended


def _signal_in_words(number: int, by_itself: bool) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if name == "SIGKILL" and not by_itself:
        return f"the process was killed ({name}; it may have run out of memory)"
    described = signal.strsignal(number)
    return f"the process was ended by {name}" + (f" ({described.lower()})" if described else "")


def _users_frames(stack: str, request: Request) -> list[_Frame]:
    """The frames in the workspace, innermost first, of the last dump that has any."""
    for dump in reversed(stack.split(_EARLIER)):
        thread = dump.rpartition("(most recent call first):")[2]  # the main thread is the last one
        if users := [frame for frame in _frames(thread) if _in_workspace(frame.path, request)]:
            return users
    return []


def _frames(stack: str) -> list[_Frame]:
    return [_Frame(_ESCAPE.sub(_unescape, m[1]), int(m[2]), m[3]) for m in _FRAME.finditer(stack)]


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2] or match[3], 16))


def _in_workspace(path: str, request: Request) -> bool:
    if _same(path, request.path):
        return True
    if request.root is None or path.startswith(_OUR_FOLDER) or "site-packages" in path:
        return False
    return path.startswith(os.path.join(request.root, ""))


def _same(path: str, other: str) -> bool:
    return path == other or os.path.normcase(os.path.realpath(path)) == os.path.normcase(os.path.realpath(other))


def _line(frame: _Frame, request: Request) -> tuple[Place, str]:
    """The line without its indentation, as a place and as text."""
    lines = _text(frame.path, request).split("\n")
    line = lines[frame.line - 1] if frame.line <= len(lines) else ""
    text = line.strip()
    start = 1 + len(line) - len(line.lstrip()) if text else 1
    return Place(frame.path, Span(frame.line, start, frame.line, start + len(text))), text


def _text(path: str, request: Request) -> str:
    if request.text is not None and _same(path, request.path):
        return request.text
    if path in request.overlay:
        return request.overlay[path]
    try:
        return Path(path).read_text("utf-8", "replace")
    except OSError:
        return ""
