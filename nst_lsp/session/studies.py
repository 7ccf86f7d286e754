"""What a person asks PyTorch's own tracers: each question once at a time, by the text that our trace speaks of.

An answer is kept with what our trace had told of the same text; as long as the example rests on the same, nothing is
asked again (`analysis/answers.py`).
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tracer.worker.wire import Study

from ..analysis.answers import is_stale
from ..analysis.studies import Answer, Question
from ..analysis.traced import Outcome
from .editor import Editor
from .knowledge import Knowledge
from .runs import Runs
from .workspace import Workspace

if TYPE_CHECKING:  # imported when it is asked for, not while the server starts
    from ..compilers.asking import Asked


class Studies:
    def __init__(self, editor: Editor, workspace: Workspace, knowledge: Knowledge, runs: Runs) -> None:
        self._editor = editor
        self._workspace = workspace
        self._knowledge = knowledge
        self._runs = runs
        self._tasks: dict[tuple[str, Question], asyncio.Task[Asked]] = {}

    async def answer(self, path: str, function: str, example: int, study: Study) -> Asked:
        """The answer that is known, or that which comes.

        Raises NotFoundError, and WorkerError where no worker can be started.
        """
        question = Question(function, example, study)
        known, view = self._knowledge.answer(path, question), self._knowledge.view(path)
        if known is not None and view is not None and not is_stale(view, question, known):
            return _asked(path, function, known)
        key = path, question
        if key not in self._tasks:
            task = self._tasks[key] = asyncio.create_task(self._ask(path, question))
            task.add_done_callback(lambda _: self._tasks.pop(key))
        return await self._tasks[key]

    def known(self, path: str, function: str, example: int, study: Study) -> Asked | None:
        """The latest answer, stale or not."""
        known = self._knowledge.answer(path, Question(function, example, study))
        return _asked(path, function, known) if known is not None else None

    def forget(self) -> None:
        """Another worker may have another PyTorch."""
        self._knowledge.answers.clear()

    async def _ask(self, path: str, question: Question) -> Asked:
        under_way = self._knowledge.asking.setdefault(path, set())
        under_way.add(question)
        self._editor.refresh()
        try:
            outcome = await self._traced(path, question)
            texts = {one: then.text.source for one, then in outcome.basis.items()} if outcome else None
            report = outcome.report if outcome else None
            asked = await self._runs.studied(path, question.function, question.example, question.study, texts, report)
            if outcome is not None:
                self._knowledge.keep(path, question, Answer(asked.studied, outcome))
            return asked
        finally:
            under_way.discard(question)
            self._editor.refresh()

    async def _traced(self, path: str, question: Question) -> Outcome | None:
        """What our trace tells of the example, as the text is now."""
        await self._runs.over(path)
        outcome, is_current = self._known(path, question)
        if not is_current and path in self._knowledge.documents and self._workspace.is_trusted(path):
            self._runs.start(path, asked=self._workspace.settings(path).trigger == "manual")
            await self._runs.over(path)
            outcome, _ = self._known(path, question)
        return outcome

    def _known(self, path: str, question: Question) -> tuple[Outcome | None, bool]:
        """The outcome of the example, and whether it speaks of the text of now."""
        view = self._knowledge.view(path)
        function = view.traced.function(question.function) if view else None
        known = (one for one in function.outcomes if one.report.index == question.example) if function else iter(())
        outcome = next(known, None)
        return outcome, view is not None and outcome is not None and not view.stale(outcome)


def _asked(path: str, function: str, known: Answer) -> Asked:
    from ..compilers.asking import Asked

    return Asked.of(path, function, known)
