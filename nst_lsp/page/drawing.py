"""A moment of the session as one event of a page's stream.

Drawing takes tenths of a second for a graph of 20,000 nodes, so it is done in a thread, and the event is compressed
once for all pages: it is a run of whole blocks of a deflate stream, which may follow any others.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tracer.worker.wire import Span

from ..analysis.picture import Compared, Picture, picture, spans
from ..analysis.studied import studied_picture
from ..analysis.studies import Answer
from ..collector import held_back
from .desk import Moment
from .encoding import Link, encoded

GZIP = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
"""The head of a gzip stream without name and time (RFC 1952)."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a stream (`text/event-stream`), and the same as blocks of a gzip stream."""

    text: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture that can be sent, and what is asked about it afterwards."""

    moment: Moment
    picture: Picture
    event: Event
    spans: Mapping[str, Mapping[Span, tuple[str, ...]]]
    """The nodes that come from each span of each file."""
    against: Compared | None = None
    trouble: str = ""
    """Why it is not compared with what was asked for."""
    answer: Answer | None = None
    """What the tracer said whose graph it shows, where that is not ours."""

    def is_of(self, moment: Moment, against: Compared | None, trouble: str, answer: Answer | None = None) -> bool:
        """Whether a picture made of these would be the same, as far as that is told at a glance."""
        before, now = (one and one[1] for one in (self.against, against))
        same = before is now and self.trouble == trouble and self.answer is answer
        return same and self.moment.is_as(moment)


def draw(moment: Moment, link: Link, against: Compared | None = None, trouble: str = "") -> Drawn | None:
    """The picture of a moment, compared with another report; None where there is no graph."""
    with held_back():
        drawn = picture(moment.view, moment.function, moment.outcome, moment.around, against)
        return None if drawn is None else Drawn(moment, drawn, _graph(drawn, link), spans(drawn), against, trouble)


def draw_answer(moment: Moment, link: Link, answer: Answer, beside: Moment) -> Drawn:
    """The picture of what a tracer of PyTorch's said; `beside` is the moment with what is found beside it."""
    with held_back():
        stale = moment.view.stale(moment.outcome) or not moment.outcome.rests_on_the_same(answer.outcome)
        drawn = studied_picture(
            beside.view, beside.function, beside.outcome, beside.around, answer.studied, stale=stale
        )
        return Drawn(moment, drawn, _graph(drawn, link), spans(drawn), answer=answer)


def _graph(drawn: Picture, link: Link) -> Event:
    return event(['{"type": "graph", "picture": ', *encoded(drawn, link), "}"])


def message(kind: str, **members: Any) -> Event:
    """A message to a page."""
    return event([json.dumps({"type": kind, **members})])


def event(pieces: Iterable[str]) -> Event:
    """The event that carries a message, which has no line end as JSON writes it."""
    return raw(b"data: " + "".join(pieces).encode("ascii") + b"\n\n")


def raw(text: bytes) -> Event:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return Event(text, packer.compress(text) + packer.flush(zlib.Z_FULL_FLUSH))
