"""What the graph pages ask of the session; it is asked only while a page is open."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import cache

from tracer.worker.wire import ExampleReport, Place, Studied, Study

from ..analysis.document import Document
from ..analysis.picture import Around, Compared, Texts
from ..analysis.places import Places
from ..analysis.studied import beside
from ..analysis.studies import Answer, Question
from ..analysis.text import Text
from ..git import GitError, repository_of
from ..graphs import NotFoundError, Target
from ..history import graph_at
from ..page.desk import Against, Comparison, Moment, Subject, UnableError
from ..pool import WorkerError
from ..sources import read_text
from ..trust import UNTRUSTED
from .editor import Editor
from .knowledge import Knowledge
from .runs import Runs
from .workspace import Workspace


class SessionDesk:
    def __init__(self, editor: Editor, workspace: Workspace, knowledge: Knowledge, runs: Runs) -> None:
        self._editor = editor
        self._workspace = workspace
        self._knowledge = knowledge
        self._runs = runs
        self._past: dict[tuple[str, Target, int], ExampleReport] = {}
        """The report that was last compared with, by commit, function and example."""

    def moment(self, subject: Subject) -> Moment | None:
        path = self._knowledge.path_of(subject.uri)
        view = self._knowledge.view(path) if path else None
        function = view.traced.function(subject.function) if view else None
        outcome = view.shown(function) if view and function else None
        if path is None or view is None or function is None or outcome is None or outcome.report.graph is None:
            return None
        documents = self._concerned(path)
        frozen = replace(view, places=Places(documents), chosen=dict(view.chosen), others=())
        files = {finding.place.path for finding in outcome.report.findings}
        told = {file: self._knowledge.diagnostics(file) for file in sorted(files)}
        around = Around(_texts(documents), self._workspace.root(path), told)
        return Moment(frozen, function, outcome, around)

    def _concerned(self, path: str) -> dict[str, Document]:
        """The open documents that a file's graphs may come from: itself, and what it imports."""
        imported = set(self._knowledge.traced[path].dependencies)
        documents = self._knowledge.documents.items()
        return {one: document for one, document in documents if one == path or os.path.realpath(one) in imported}

    def doing(self, subject: Subject) -> str:
        path = self._knowledge.path_of(subject.uri)
        if path is None:
            return "the file is not open in the editor"
        standing = self._runs.in_the_way(path)
        if standing:
            return standing
        function = self._knowledge.traced[path].function(subject.function)
        if function is None or not any(outcome.report.graph for outcome in function.outcomes):
            return f"there is no graph of {subject.function} now"
        return ""

    def choose(self, subject: Subject, example: int) -> None:
        path = self._knowledge.path_of(subject.uri)
        if path is not None:
            self._knowledge.choose(path, subject.function, example)
            self._editor.refresh()

    async def compared(self, moment: Moment, comparison: Comparison) -> Compared:
        match comparison.against:
            case Against.EXAMPLE:
                return _other_example(moment, comparison.example)
            case Against.COMMIT:
                return "the last commit", await self._at_the_last_commit(moment)
            case Against.SAVE | Against.NOTHING:
                if moment.outcome.before is None:
                    raise UnableError("no save has changed the graph yet")
                return "the save before", moment.outcome.before

    async def _at_the_last_commit(self, moment: Moment) -> ExampleReport:
        """Traced once for each commit.  Raises UnableError."""
        path, name, example = moment.view.document.path, moment.function.name, moment.outcome.report.index
        project = self._workspace.project(path)
        if not project.settings.trusted:
            raise UnableError(UNTRUSTED)
        target = Target(os.path.realpath(path), name)
        try:
            repository = await repository_of(target.path)
            commit = await repository.commit("HEAD", target.path)
            key = commit, target, example
            if key not in self._past:
                shown = await graph_at("HEAD", target, example, (), project, self._runs.workers)
                if shown.report is None:
                    raise UnableError(shown.error or f"{name} could not be traced as it was at the last commit")
                self._past = {key: shown.report}
            return self._past[key]
        except (GitError, NotFoundError, WorkerError) as error:
            raise UnableError(str(error)) from error

    async def studied(self, moment: Moment, study: Study) -> Answer:
        path, outcome = moment.view.document.path, moment.outcome
        concerned = self._concerned(path)
        texts = {one: then.text.source for one, then in outcome.basis.items() if one in concerned}
        function, example = moment.function.name, outcome.report.index
        try:
            asked = await self._runs.studied(path, function, example, study, texts, outcome.report)
        except (NotFoundError, WorkerError) as error:
            return Answer(Studied(0, study, str(error)), outcome)
        answer = Answer(asked.studied, outcome)
        if self._knowledge.keep(path, Question(function, example, study), answer):
            self._editor.refresh()  # lenses tell of it, too
        return answer

    def answered(self, moment: Moment, study: Study) -> Answer | None:
        question = Question(moment.function.name, moment.outcome.report.index, study)
        known = self._knowledge.answer(moment.view.document.path, question)
        return known if known is not None and moment.outcome.rests_on_the_same(known.outcome) else None

    def beside(self, moment: Moment, answer: Answer) -> Moment:
        outcome, around = beside(moment.view, moment.function, answer.outcome, moment.around, answer.studied)
        return replace(moment, outcome=outcome, around=around)

    def worded(self, moment: Moment, answer: Answer, style: str) -> str:
        from ..compilers.asking import Asked
        from ..compilers.payload import payload
        from ..compilers.telling import told

        asked = Asked.of(moment.view.document.path, moment.function.name, answer)
        return json.dumps(payload(asked), indent=2, ensure_ascii=False) if style == "json" else f"{told(asked)}\n"

    async def rendered(self, moment: Moment, style: str) -> str:
        report, path = moment.outcome.report, moment.view.document.path
        assert report.graph is not None
        if style == "code":
            return report.graph.code
        then = moment.outcome.basis.get(path)
        text = then.text if then is not None else moment.view.document.text
        found = await self._runs.rendered(path, text.source, moment.function.name, report.index, style)
        if found is None:
            raise UnableError(f"{moment.function.name} could not be traced again for it")
        return found

    async def reveal(self, place: Place) -> None:
        trouble = await self._editor.reveal(place)
        if trouble is not None:
            raise UnableError(trouble)


def _other_example(moment: Moment, number: int | None) -> tuple[str, ExampleReport]:
    for position, outcome in enumerate(moment.function.outcomes, 1):
        if outcome.report.index == number:
            return f"example {position}", outcome.report
    raise UnableError(f"{moment.function.name} has no such example")


def _texts(documents: dict[str, Document]) -> Texts:
    """The texts of one moment: as they are open, else as they are on the disk when first asked for."""

    @cache
    def text(path: str) -> Text:
        if path in documents:
            return documents[path].text
        try:
            return Text(read_text(path))
        except OSError:
            return Text("")

    return text
