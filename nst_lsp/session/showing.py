"""When the editor is told what: diagnostics that differ from those it has, in time but not all the time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..analysis.diagnostics import Diagnostic
from ..analysis.traced import Traced
from .editor import Editor
from .knowledge import Knowledge, paths_in
from .pauses import Pauses

RESULTS_PAUSE = 0.1
"""Seconds between results that are shown; the first ones and the last are shown at once."""
SHIFT_PAUSE = 0.25
"""Seconds without a change after which diagnostics are sent where they stand now."""


@dataclass(frozen=True, slots=True)
class Published:
    version: int | None
    told: list[Diagnostic]


class Showing:
    def __init__(self, editor: Editor, knowledge: Knowledge, pauses: Pauses) -> None:
        self._editor = editor
        self._knowledge = knowledge
        self._pauses = pauses
        self._published: dict[str, Published] = {}

    def reported(self, path: str) -> list[Diagnostic]:
        """What was last said about a file: for whoever needs no positions, and asks with every keystroke."""
        published = self._published.get(path)
        return published.told if published else []

    def spoken_of(self) -> set[str]:
        """The files of which there is, or was, something to say."""
        return {*self._knowledge.documents, *self._published} | paths_in(self._knowledge.traced.values())

    def edited(self, path: str) -> None:
        """A text has changed: what stands in it is told again once nobody types any more."""
        self._pauses.after(SHIFT_PAUSE, "shift", path, lambda: self.publish([path]))

    async def typed(self, path: str) -> None:
        """Wait until nobody types in a file any more: what takes longer than a keystroke is done then."""
        await self._pauses.over("shift", path)

    def results(self, path: str, *, last: bool = False) -> None:
        """There are new results of a file: the first at once, those that follow closely together, the last at once."""
        if self._pauses.is_waiting("results", path) and not last:
            return
        self._pauses.cancel("shift", path)  # what comes now stands where it should
        self._pauses.cancel("results", path)
        if not last:
            self._pauses.after(RESULTS_PAUSE, "results", path, lambda: self._show(path))
        self._show(path, last=last)

    def nothing_any_more(self, gone: Traced) -> None:
        """What was known of a file is no longer to be said."""
        self.publish({gone.path} | paths_in([gone]))
        self._editor.refresh()

    def _show(self, path: str, *, last: bool = False) -> None:
        shown = {one for one, published in self._published.items() if published.told}
        self.publish({path} | paths_in([self._knowledge.traced[path]]) | shown, renewed=path if last else None)
        self._editor.refresh()

    def publish(self, paths: Iterable[str], renewed: str | None = None) -> None:
        """Send the diagnostics of files where they differ from those sent, and in any case of the one renewed."""
        for path in paths:
            document = self._knowledge.documents.get(path)
            now = Published(document.version if document else None, self._knowledge.diagnostics(path))
            before = self._published.get(path)
            if path != renewed and (now == before or (before is None and not now.told)):
                continue
            self._published[path] = now
            self._editor.publish(path, now.told)
            if document is None and not now.told:
                del self._published[path]
