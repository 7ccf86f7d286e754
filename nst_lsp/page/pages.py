"""The pages that are open, and what each of them is told.

A page has a name of its own, by which it is known through all the connections that it makes: each begins with the
newest picture, and then carries only what changed.  A slow connection misses pictures in between, never the last one.
Nothing is drawn while no page is connected.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from tracer.worker.wire import Place, Study

from ..analysis.picture import At, nodes_at
from ..analysis.studies import Answer
from . import forms, messages, single
from .desk import Against, Comparison, Desk, Moment, Subject, UnableError
from .drawing import Drawn, Event, draw, draw_answer, message, raw
from .encoding import Link
from .messages import FORMATS, Message
from .studies import Studies, Wish

P = ParamSpec("P")
T = TypeVar("T")

_LOG = logging.getLogger(__name__)
HEARTBEAT_SECONDS = 15.0
_HEARTBEAT = raw(b": still here\n\n")
_COMMIT_SECONDS = 3.0
"""Until a page that compares with the last commit looks whether there is another: nobody tells of that."""
_GREETING = raw(b"retry: 1000\n\n")
"""Milliseconds after which a page connects again."""
_MOST = 64
"""Pages that are known at a time."""
_REST = 9
"""After drawing, a page waits this many times as long before it is drawn again: large graphs are not drawn all day."""


class TooManyError(Exception):
    """No more pages can be open."""


class Stream:
    """What one connection is still to be sent."""

    def __init__(self) -> None:
        self.waiting: deque[Event] = deque()
        self.outdated = True
        """The picture may be another than the one that was sent."""
        self.ended = False
        self._news = asyncio.Event()

    def say(self, event: Event) -> None:
        self.waiting.append(event)
        self._news.set()

    def look(self) -> None:
        """Something may be otherwise than it was told."""
        self._news.set()

    def redraw(self) -> None:
        self.outdated = True
        self._news.set()

    def end(self) -> None:
        self.ended = True
        self._news.set()

    async def news(self, seconds: float) -> bool:
        """Wait until there is something to do, or for so many seconds; whether there is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        came = self._news.is_set()
        self._news.clear()
        return came


@dataclass
class Page:
    subject: Subject
    study: Study | None = None
    """The tracer of PyTorch's whose answer it shows; None for our own trace."""
    wish: Wish | None = None
    """What it waits for of that, or shows."""
    comparison: Comparison = field(default_factory=Comparison)
    shown: Drawn | None = None
    """What it was last sent; what it says of places speaks of this."""
    stream: Stream | None = None

    def say(self, event: Event) -> None:
        if self.stream is not None:
            self.stream.say(event)

    def redraw(self) -> None:
        if self.stream is not None:
            self.stream.redraw()


@dataclass
class _Told:
    """What a connection knows."""

    picture: Event | None = None
    trouble: str = ""
    status: str = ""
    nodes: tuple[str, ...] = ()
    study: tuple[str, int | None, bool] = ("", None, False)


@dataclass
class _Drawing:
    """One picture for all pages that show it."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    latest: Drawn | None = None


class Pages:
    def __init__(self, desk: Desk, link: Link) -> None:
        self._desk = desk
        self._link = link
        self._pages: dict[str, Page] = {}
        self._studies = Studies(desk, self.results)
        self._drawings: dict[tuple[Subject, Comparison | Wish], _Drawing] = {}
        self._cursor: tuple[str, int, int] | None = None
        self._ended = False

    # ---- what the session says -------------------------------------------------------------------------

    def results(self) -> None:
        """There may be other results, texts or choices."""
        for page in self._pages.values():
            page.redraw()

    def activity(self) -> None:
        """Something began or ended."""
        for stream in self._streams():
            stream.look()

    def cursor(self, path: str, line: int, column: int) -> None:
        """The editor's cursor stands there now."""
        self._cursor = path, line, column
        self.activity()

    def end(self) -> None:
        self._ended = True
        self._studies.keep(frozenset())
        for stream in self._streams():
            stream.end()

    @property
    def connected(self) -> int:
        return len(self._streams())

    def _streams(self) -> list[Stream]:
        return [page.stream for page in self._pages.values() if page.stream is not None]

    # ---- what a page is told ---------------------------------------------------------------------------

    async def events(self, name: str, subject: Subject, study: Study | None = None) -> AsyncGenerator[Event]:
        """What a page is to know, from now on; `subject` and `study` are what it shows unless it chose others since.

        Raises TooManyError.
        """
        page = self._enter(name, subject, study)
        if page.stream is not None:
            page.stream.end()  # the page has come again before its older connection was found dead
        stream = page.stream = Stream()
        told, rests_until = _Told(), 0.0
        clock = asyncio.get_running_loop().time
        try:
            yield _GREETING
            while not (stream.ended or self._ended):
                for event in self._small_talk(page, told):
                    yield event
                if stream.outdated and clock() >= rests_until:
                    stream.outdated = False
                    began = clock()
                    try:
                        drawn = await self._draw(page)
                    except UnableError as error:
                        yield message("failed", text=str(error))
                    else:
                        for event in self._picture(page, drawn, told):
                            yield event
                    rests_until = clock() + _REST * (clock() - began)
                    continue
                while stream.waiting:
                    yield stream.waiting.popleft()
                follows_commits = page.study is None and page.comparison.against is Against.COMMIT
                quiet = _COMMIT_SECONDS if follows_commits else HEARTBEAT_SECONDS
                pause = min(quiet, rests_until - clock()) if stream.outdated else quiet
                if not await stream.news(max(pause, 0.0)) and not stream.outdated:
                    yield _HEARTBEAT
                    stream.outdated = follows_commits
        finally:
            if page.stream is stream:
                page.stream = None
                self._forget_studies()

    def _enter(self, name: str, subject: Subject, study: Study | None) -> Page:
        page = self._pages.pop(name, None) or Page(subject, study)
        gone = [one for one, page in self._pages.items() if page.stream is None]
        while len(self._pages) >= _MOST:
            if not gone:
                raise TooManyError
            del self._pages[gone.pop(0)]
        self._pages[name] = page  # the latest comes last
        return page

    def _small_talk(self, page: Page, told: _Told) -> list[Event]:
        """Status, cursor and what is being asked, where they are news."""
        said = []
        wish = page.wish
        asking = self._studies.is_asking(wish)
        study = page.study.value if page.study else "", wish.example if wish else None, asking
        if study != told.study:
            told.study = study
            said.append(message("study", study=study[0], example=study[1], asking=asking))
        status, nodes = self._desk.doing(page.subject), self._nodes(page)
        if status != told.status:
            said.append(message("status", text=status))
        if nodes != told.nodes:
            said.append(message("cursor", nodes=nodes))
        told.status, told.nodes = status, nodes
        return said

    def _nodes(self, page: Page) -> tuple[str, ...]:
        if page.shown is None or self._cursor is None:
            return ()
        path, line, column = self._cursor
        return nodes_at(page.shown.spans.get(path, {}), line, column)

    def _picture(self, page: Page, drawn: Drawn | None, told: _Told) -> list[Event]:
        """The picture, where the connection has another one, and why it lacks the comparison that was asked for."""
        if drawn is None:
            return []
        said = []
        page.shown = drawn
        if drawn.event is not told.picture:
            told.picture, told.nodes = drawn.event, ()
            said.append(drawn.event)
        if drawn.trouble and drawn.trouble != told.trouble:
            said.append(message("failed", text=drawn.trouble))
        told.trouble = drawn.trouble
        return said

    async def _draw(self, page: Page) -> Drawn | None:
        """The picture that a page shows now; where there is none any more, the last one that there was.

        Until a tracer of PyTorch's has answered, a page goes on with what it has.
        """
        if page.study is not None and (moment := self._desk.moment(page.subject)) is not None:
            page.wish = Wish(page.subject, moment.outcome.report.index, page.study)
            answer = self._studies.look(page.wish, moment)
            self._forget_studies()
            if answer is not None:
                return await self._draw_answer(page.wish, moment, answer)
            if page.shown is not None:
                return page.shown
        return await self._draw_trace(page)

    async def _draw_answer(self, wish: Wish, moment: Moment, answer: Answer) -> Drawn:
        drawing = self._drawings.setdefault((wish.subject, wish), _Drawing())
        async with drawing.lock:
            latest = drawing.latest
            if latest is not None and latest.is_of(moment, None, "", answer):
                return latest
            beside = self._desk.beside(moment, answer)
            drawn = await _in_thread(draw_answer, moment, self._link, answer, beside)
            drawing.latest = drawn = _as_before(drawn, latest)
        self._forget_drawings()
        return drawn

    async def _draw_trace(self, page: Page) -> Drawn | None:
        subject, comparison = key = page.subject, page.comparison
        drawing = self._drawings.setdefault(key, _Drawing())
        async with drawing.lock:
            moment, latest = self._desk.moment(subject), drawing.latest
            if moment is None:
                return latest or page.shown
            against, trouble = None, ""
            if comparison.against is not Against.NOTHING:
                try:
                    against = await self._desk.compared(moment, comparison)
                except UnableError as error:
                    trouble = str(error)
            if latest is not None and latest.is_of(moment, against, trouble):
                return latest
            drawn = await _in_thread(draw, moment, self._link, against, trouble)
            drawing.latest = (_as_before(drawn, latest) if drawn is not None else None) or latest
        self._forget_drawings()
        return drawing.latest

    def _forget_studies(self) -> None:
        """What no page that is connected waits for is not asked any more."""
        self._studies.keep({page.wish for page in self._pages.values() if page.stream is not None and page.wish})

    def _forget_drawings(self) -> None:
        shown = {(page.subject, key) for page in self._pages.values() for key in (page.comparison, page.wish)}
        for key in self._drawings.keys() - shown:
            del self._drawings[key]

    # ---- what a page asks for --------------------------------------------------------------------------

    async def take(self, name: str, asked: Message) -> None:
        """Do what a page asks for; what cannot be done it is told.  Raises KeyError for a page that is not known."""
        if isinstance(asked, messages.Ready) and name not in self._pages:
            return  # it is on its way: its stream begins with the newest picture
        page = self._pages[name]
        try:
            await self._do(page, asked)
        except UnableError as error:
            page.say(message("failed", text=str(error)))

    async def _do(self, page: Page, asked: Message) -> None:
        match asked:
            case messages.Ready():
                page.redraw()
            case messages.Reveal(at):
                await self._desk.reveal(_place(page, at))
            case messages.Choose(function, example):
                if function != page.subject.function:  # of another function nobody has asked anything
                    self._wish(page, None)
                page.subject = Subject(page.subject.uri, function)
                if example is not None:
                    self._desk.choose(page.subject, example)
                page.redraw()
            case messages.Compare(comparison):
                page.comparison = comparison
                page.redraw()
            case messages.Ask(study, again):
                moment = self._desk.moment(page.subject)
                if again and page.wish is not None and moment is not None:
                    self._studies.again(page.wish, moment)
                self._wish(page, study)
                page.redraw()
            case messages.Export(style):
                page.say(await self._exported(page, style))

    def _wish(self, page: Page, study: Study | None) -> None:
        page.study = study
        if study is None or (page.wish is not None and page.wish.study is not study):
            page.wish = None
            self._forget_studies()

    async def _exported(self, page: Page, style: str) -> Event:
        drawn = page.shown
        if drawn is None:
            raise UnableError("there is no graph to export yet")
        of = f".{drawn.answer.studied.study.value}" if drawn.answer is not None else ""
        name = f"{drawn.picture.function}-{drawn.picture.example + 1}{of}.{FORMATS[style]}"
        if style == "html":
            text = await asyncio.to_thread(single.single, drawn.picture)
        elif drawn.answer is not None:
            known = forms.FORMS.get(style)
            text = known(drawn.picture) if known is not None else self._desk.worded(drawn.moment, drawn.answer, style)
        else:
            text = await self._desk.rendered(drawn.moment, style)
        return await asyncio.to_thread(message, "exported", format=style, name=name, text=text)


async def _in_thread(draw: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Raises UnableError."""
    try:
        return await asyncio.to_thread(draw, *args, **kwargs)
    except Exception as error:
        _LOG.exception("a graph could not be drawn")
        raise UnableError(f"the graph could not be drawn, by a fault of nst: {error!r}") from error


def _as_before(drawn: Drawn, latest: Drawn | None) -> Drawn:
    """A picture, with the very event of the one before where that says the same."""
    same = latest is not None and drawn.event.text == latest.event.text
    return replace(drawn, event=latest.event) if latest is not None and same else drawn


def _place(page: Page, at: At) -> Place:
    sources = page.shown.picture.sources if page.shown is not None else ()
    if not 0 <= at.source < len(sources):
        raise UnableError("the picture has changed: there is no such source any more")
    return Place(sources[at.source].path, at.span)
