"""Where the conditions stand that a graph holds under."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tracer.worker.wire import Place

from .view import View


def failed(view: View, name: str, guards: Iterable[str]) -> list[Place | None]:
    """The place, in the texts of now, of each guard of a function; None of one that no example has told of."""
    function = view.traced.function(name)
    known = {
        guard.text: (guard.place, outcome.basis)
        for outcome in (function.outcomes if function else ())
        for guard in outcome.report.guards
        if guard.place is not None
    }
    found = []
    for text in guards:
        place, basis = known.get(text, (None, {}))
        span = view.places.span(place, basis) if place else None
        found.append(replace(place, span=span) if place and span else None)
    return found
