"""What a page says, parsed at the edge: whatever else comes is refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tracer.worker.wire import Span, Study

from ..analysis.picture import At
from ..analysis.studies import BY_NAME
from .desk import Against, Comparison

FORMATS = {"code": "py", "dot": "dot", "mermaid": "mmd", "json": "json", "model-explorer": "json", "html": "html"}
"""What a graph can be exported as, and how the names of such files end."""

STUDIES: Mapping[str, Study | None] = {"": None, **BY_NAME}
"""What a page can show: our own trace, or what a tracer of PyTorch's says."""


class MalformedError(Exception):
    """No message of a page; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The page wants the newest picture."""


@dataclass(frozen=True, slots=True)
class Reveal:
    at: At


@dataclass(frozen=True, slots=True)
class Choose:
    function: str
    example: int | None


@dataclass(frozen=True, slots=True)
class Compare:
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Export:
    style: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Show what a tracer of PyTorch's says from now on; our own trace where none is named."""

    study: Study | None
    again: bool
    """The answer at hand is not good enough."""


Message = Ready | Reveal | Choose | Compare | Export | Ask


def parse(given: Any) -> Message:
    """Raises MalformedError."""
    match given:
        case {"type": "ready"}:
            return Ready()
        case {"type": "reveal", "place": {"source": int(source), "span": [int(), int(), int(), int()] as span}}:
            return Reveal(At(source, Span(*span)))
        case {"type": "choose", "function": str(function)}:
            return Choose(function, _number(given))
        case {"type": "compare", "against": str(against)} if against in {one.value for one in Against}:
            return Compare(Comparison(Against(against), _number(given)))
        case {"type": "study", "study": str(study)} if study in STUDIES:
            return Ask(STUDIES[study], given.get("again") is True)
        case {"type": "export", "format": str(style)} if style in FORMATS:
            return Export(style)
        case {"type": str(kind)}:
            raise MalformedError(f"no message {kind!r} is known with these members")
    raise MalformedError("a message is an object with a type")


def _number(given: Mapping[str, Any]) -> int | None:
    number = given.get("example")
    if number is None or (isinstance(number, int) and number >= 0):
        return number
    raise MalformedError("an example is named by its number, from 0")
