"""All that analysis may look at when an editor asks about one file, at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from tracer.worker.wire import Span

from ..settings import Settings
from .document import Document
from .outline import definitions
from .places import Places
from .studies import Answer, Question
from .traced import Function, Outcome, Traced


@dataclass(frozen=True, slots=True)
class View:
    document: Document
    traced: Traced
    """The file's own trace; empty where there is none yet."""
    places: Places
    chosen: Mapping[str, int] = field(default_factory=dict)
    """The example that each function shows, where it is not the first."""
    settings: Settings = field(default_factory=Settings)
    others: tuple[Traced, ...] = ()
    """The traces of other files: this one may be a helper of theirs."""
    answers: Mapping[Question, Answer] = field(default_factory=dict)
    """What PyTorch's own tracers said of examples of the file."""
    asking: AbstractSet[Question] = frozenset()
    """What they are being asked."""

    def shown(self, function: Function) -> Outcome | None:
        """The outcome that lenses and hovers speak of."""
        return function.outcome(self.chosen.get(function.name, 0))

    def stale(self, outcome: Outcome, traced: Traced | None = None) -> bool:
        """Whether an outcome, of this file unless another's trace is given, may not be what a run would give now."""
        outdated = (traced or self.traced).outdated(outcome)
        return outdated or self.places.stale(self.document.path, outcome.basis)

    def names(self) -> Iterator[tuple[Function, Span]]:
        """Each traced function with the place of its name now; of its line, while the name is being changed."""
        for function in self.traced.functions:
            line = replace(function.place, span=_line_start(function.place.span))
            spans = (self.places.span(place, function.basis) for place in (function.place, line))
            span = next(filter(None, spans), None)
            if span is not None and function.place.path == self.document.path:
                yield function, span

    def function_at(self, line: int, column: int) -> tuple[Function, Span] | None:
        """The innermost traced function around a position: at its name, in its body, or at its examples."""
        found = [
            (size, function, span)
            for function, span in self.names()
            if (size := self._reach(function, span, line)) is not None
        ]
        return min(found, key=lambda one: one[0])[1:] if found else None

    def _reach(self, function: Function, name: Span, line: int) -> int | None:
        """How many lines a function takes, where `line` is one of them."""
        lines = {
            name.line,
            *(number for span in self.example_spans(function) for number in range(span.line, span.end_line + 1)),
        }
        body = next((one.span for one in definitions(self.document.text.source) or () if one.name_span == name), None)
        if body is not None and body.line <= line <= body.end_line:
            return body.end_line - body.line
        return 0 if line in lines else None

    def example_spans(self, function: Function) -> list[Span]:
        spans = (self.places.span(outcome.report.place, outcome.basis) for outcome in function.outcomes)
        return [span for span in spans if span is not None]


def _line_start(span: Span) -> Span:
    return Span(span.line, 1, span.line, 2)
