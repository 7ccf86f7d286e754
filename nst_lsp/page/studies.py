"""What PyTorch's own tracers answer for the pages: asked beside everything else, once for all pages that want it.

An answer takes seconds.  So it is kept until what it rests on has changed, also while nobody looks at it; the old one
is shown until the new one is there, and one that no page wants any more is not waited for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tracer.worker.wire import Studied, Study

from ..analysis.studies import Answer
from ..analysis.traced import Outcome
from .desk import Desk, Moment, Subject

_LOG = logging.getLogger(__name__)
_MOST = 16
"""Answers that are kept."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a page wants to know of PyTorch."""

    subject: Subject
    example: int
    study: Study


@dataclass(frozen=True, slots=True)
class _Asking:
    outcome: Outcome
    """Of our trace, whose texts it is asked about."""
    task: asyncio.Task[None]


class Studies:
    def __init__(self, desk: Desk, news: Callable[[], None]) -> None:
        """`news` hears that there is another answer."""
        self._desk = desk
        self._news = news
        self._answers: dict[Wish, Answer] = {}
        """The latest that was looked at stands last."""
        self._asking: dict[Wish, _Asking] = {}

    def look(self, wish: Wish, moment: Moment) -> Answer | None:
        """The latest answer; one that there is not, or not any more as of this moment, is asked for."""
        answer = self._answers.pop(wish, None)
        if answer is None or not moment.outcome.rests_on_the_same(answer.outcome):
            answer = self._desk.answered(moment, wish.study) or answer
        if answer is not None:
            self._answers[wish] = answer
        if answer is None or not moment.outcome.rests_on_the_same(answer.outcome):
            self._ask(wish, moment)
        return answer

    def is_asking(self, wish: Wish | None) -> bool:
        return wish in self._asking

    def again(self, wish: Wish, moment: Moment) -> None:
        """The answer at hand is not good enough."""
        if wish not in self._asking:
            self._begin(wish, moment)

    def keep(self, wishes: AbstractSet[Wish]) -> None:
        """Nobody waits for any others."""
        for wish in self._asking.keys() - wishes:
            self._asking.pop(wish).task.cancel()

    def _ask(self, wish: Wish, moment: Moment) -> None:
        """Ask, unless that was done, or the run that the moment is in has more to tell."""
        before = self._asking.get(wish)
        if before is not None and moment.outcome.rests_on_the_same(before.outcome):
            return
        if wish in self._answers and not moment.is_settled:
            return
        if before is not None:
            before.task.cancel()
        self._begin(wish, moment)

    def _begin(self, wish: Wish, moment: Moment) -> None:
        self._asking[wish] = _Asking(moment.outcome, asyncio.create_task(self._answer(wish, moment)))

    async def _answer(self, wish: Wish, moment: Moment) -> None:
        try:
            answer = await self._desk.studied(moment, wish.study)
        except Exception as error:  # noqa: BLE001 - whatever it is, the page that waits hears of it
            _LOG.exception("PyTorch could not be asked about %s", wish.subject.function)
            trouble = f"PyTorch could not be asked, by a fault of nst: {error!r}"
            answer = Answer(Studied(0, wish.study, trouble), moment.outcome)
        del self._asking[wish]  # a task that was replaced was cancelled, and does not come here
        self._answers[wish] = answer
        for oldest in list(self._answers)[:-_MOST]:
            del self._answers[oldest]
        self._news()
