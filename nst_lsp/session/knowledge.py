"""The open documents and what is known of them, at one moment: questions that need no worker and no editor."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from tracer.worker.wire import ExampleReport, example_key

from ..analysis.diagnostics import Diagnostic, diagnostics
from ..analysis.document import Document
from ..analysis.moved import moved
from ..analysis.places import Places
from ..analysis.studies import Answer, Question
from ..analysis.text import Text
from ..analysis.traced import Basis, Outcome, Traced
from ..analysis.view import View
from ..sources import read_text
from .workspace import Workspace


class Knowledge:
    def __init__(self, workspace: Workspace) -> None:
        self.documents: dict[str, Document] = {}
        """The open documents by path."""
        self.traced: dict[str, Traced] = {}
        """What is known of each of them."""
        self.running: dict[str, Basis] = {}
        """The texts that the runs under way speak of, by the file that is run."""
        self.answers: dict[str, dict[Question, Answer]] = {}
        """What PyTorch's own tracers said, by the file that it is about."""
        self.asking: dict[str, set[Question]] = {}
        """What they are being asked."""
        self._chosen: dict[str, dict[str, int]] = {}
        self._workspace = workspace

    def add(self, document: Document) -> None:
        self.documents[document.path] = document
        self.traced[document.path] = Traced(document.path)

    def remove(self, path: str) -> Traced:
        """Forget a file; what was known of it."""
        self.documents.pop(path, None)
        self._chosen.pop(path, None)
        self.answers.pop(path, None)
        return self.traced.pop(path, Traced(path))

    def choose(self, path: str, function: str, example: int) -> None:
        """From now on a function shows another example."""
        self._chosen.setdefault(path, {})[function] = example

    def answer(self, path: str, question: Question) -> Answer | None:
        """The latest answer, stale or not."""
        return self.answers.get(path, {}).get(question)

    def keep(self, path: str, question: Question, answer: Answer) -> bool:
        """Keep an answer, if it is one and the file is still open; whether it was kept."""
        if answer.studied.error is not None or path not in self.documents:
            return False
        self.answers.setdefault(path, {})[question] = answer
        return True

    def text(self, path: str) -> Text:
        """The text of a file: as it is open, else as it is on the disk, else nothing."""
        if path in self.documents:
            return self.documents[path].text
        try:
            return Text(read_text(path))
        except OSError:
            return Text("")

    def path_of(self, uri: str) -> str | None:
        """The path of an open document by its own URI, or by that of a notebook's cell."""
        for path, document in self.documents.items():
            if document.uri == uri or (document.notebook is not None and document.notebook.holds(uri)):
                return path
        return None

    def view(self, path: str) -> View | None:
        """All that is known of an open file at this moment; None for a file that is not open."""
        document = self.documents.get(path)
        if document is None:
            return None
        chosen, places = self._chosen.get(path, {}), Places(self.documents)
        others = tuple(traced for traced in self.in_order() if traced.path != path)
        answers, asking = self.answers.get(path, {}), frozenset(self.asking.get(path, ()))
        settings = self._workspace.settings(path)
        return View(document, self.traced[path], places, chosen, settings, others, answers, asking)

    def diagnostics(self, path: str) -> list[Diagnostic]:
        """What is to be said about a file now."""
        settings, source, root = self._workspace.settings(path), self.text(path).source, self._workspace.root(path)
        return diagnostics(path, source, self.in_order(), Places(self.documents), settings, root)

    def in_order(self) -> list[Traced]:
        """In an order that does not depend on which file was opened first."""
        return [self.traced[path] for path in sorted(self.traced)]

    # ---- who depends on whom ---------------------------------------------------------------------------

    def imported(self) -> set[str]:
        """The files that are not open, and that open ones import."""
        found = {path for traced in self.traced.values() for path in traced.dependencies}
        return found - self.documents.keys()

    def dependents(self, changed: set[str]) -> list[str]:
        """The open files whose latest run imported one of the changed ones, or lacked an import, or may do either."""
        real = set(map(os.path.realpath, changed))
        return [
            path
            for path, traced in self.traced.items()
            if path not in changed
            and (real.intersection(traced.dependencies) or traced.import_failure is not None or self._is_loading(path))
        ]

    def _is_loading(self, path: str) -> bool:
        """Whether a run is under way that has not said yet what it imports, perhaps as it was before."""
        return path in self.running and not self.traced[path].loaded

    # ---- what need not be found out again --------------------------------------------------------------

    def reusable(self, path: str, worker: int) -> Reusable:
        """The results that a run by a worker need not find out again."""
        traced = self.traced[path]
        outcomes = {
            example_key(function.name, outcome.report.index): (function.name, outcome)
            for function in traced.functions
            for outcome in function.outcomes
            if outcome.fingerprint and traced.worker == worker
        }
        return Reusable(path, outcomes, Places(dict(self.documents)))

    def forget_edits(self) -> None:
        """Drop the edits before the oldest text that any result, or any run, speaks of."""
        bases = [basis for traced in self.traced.values() for basis in traced.bases()] + list(self.running.values())
        for path, document in self.documents.items():
            spoken_of = [basis[path].revision for basis in bases if path in basis]
            self.documents[path] = document.forgetting(min(spoken_of, default=document.revision))


class Reusable(Mapping[str, ExampleReport | None]):
    """Reports by `example_key`, in terms of the texts of this moment; None for one that cannot be told in these.

    They are worked out when they are asked for: that is when the worker is busy, not when it waits for the request.
    """

    def __init__(self, path: str, outcomes: dict[str, tuple[str, Outcome]], places: Places) -> None:
        self._path = path
        self._outcomes = outcomes
        self._places = places
        self.lost: set[str] = set()
        """Those that could not be told."""

    @property
    def fingerprints(self) -> dict[str, str]:
        return {key: outcome.fingerprint for key, (_, outcome) in self._outcomes.items()}

    def without(self, keys: AbstractSet[str]) -> Reusable:
        rest = {key: found for key, found in self._outcomes.items() if key not in keys}
        return Reusable(self._path, rest, self._places)

    def __getitem__(self, key: str) -> ExampleReport | None:
        function, outcome = self._outcomes[key]
        report = moved(outcome, function, self._path, self._places)
        if report is None:
            self.lost.add(key)
        return report

    def __iter__(self) -> Iterator[str]:
        return iter(self._outcomes)

    def __len__(self) -> int:
        return len(self._outcomes)


def paths_in(tracings: Iterable[Traced]) -> set[str]:
    """The files in which something was found."""
    return {finding.place.path for traced in tracings for finding, _ in traced.all_findings()}
