"""An open document: its text, and how it moved away from earlier texts that results speak of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tracer.worker.wire import Span

from . import edits
from .edits import Edit
from .text import Text

if TYPE_CHECKING:
    from ..notebooks import Notebook


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document's text at the moment a run began; `opening` and `revision` find the edits that came after."""

    text: Text
    opening: int
    revision: int


@dataclass(frozen=True, slots=True)
class Change:
    """One content change: the new text of a span, or of the whole document where `span` is None."""

    span: Span | None
    text: str

    def edits(self, before: Text) -> tuple[Edit, ...]:
        start, end = (0, len(before.source)) if self.span is None else before.offsets(self.span)
        return edits.replacements(before.source[start:end], self.text, start)

    def applied(self, before: Text) -> Text:
        if self.span is None:
            return Text(self.text)
        start, end = before.offsets(self.span)
        return Text(before.source[:start] + self.text + before.source[end:])


@dataclass(frozen=True, slots=True)
class Shift:
    """The way from a text that results speak of to the text of now."""

    before: Text
    after: Text
    edits: tuple[Edit, ...] = ()

    @property
    def stale(self) -> bool:
        """Whether the texts differ; typing something and taking it back does not count."""
        return bool(self.edits) and self.before != self.after

    def now(self, span: Span) -> Span | None:
        """Where a span of the text before stands now; None where it is gone."""
        if not self.edits:
            return span
        found = edits.forward(self.edits, *self.before.offsets(span))
        return self.after.span(*found) if found else None

    def then(self, line: int, column: int) -> tuple[int, int] | None:
        """Where a position of now stood in the text before; None where the text there is new."""
        offset = edits.backward(self.edits, self.after.offset(line, column))
        return self.before.position(offset) if offset is not None else None


_REMEMBERED = 500
"""Edits that a document remembers at most; from an older text than they reach, the way is found by comparing."""


@dataclass(frozen=True, slots=True)
class Document:
    """What the editor shows; every change makes a new value, so a handler never sees half a change."""

    uri: str
    path: str
    version: int
    text: Text
    saved: Text
    """The text as last opened or saved, taken to be that of the disk."""
    opening: int = 0
    """Tells this opening of the file from earlier ones, whose edits are forgotten."""
    history: tuple[Edit, ...] = ()
    revision: int = 0
    """How many edits were ever made; the last `len(history)` of them are remembered."""
    notebook: Notebook | None = None
    """Of a notebook, whose module the text is, its cells."""

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.text, self.opening, self.revision)

    def changed(self, version: int, changes: Iterable[Change]) -> Document:
        """The document after the editor's changes, each speaking of the text the one before it left."""
        text, made = self.text, list[Edit]()
        for change in changes:
            made += change.edits(text)
            text = change.applied(text)
        history = (*self.history, *made)[-_REMEMBERED:]
        return replace(self, version=version, text=text, history=history, revision=self.revision + len(made))

    def forgetting(self, revision: int) -> Document:
        """The same document without the edits before `revision`, of which no result speaks any more."""
        keep = min(self.revision - revision, len(self.history))
        return replace(self, history=self.history[len(self.history) - keep :] if keep > 0 else ())

    def shift(self, snapshot: Snapshot) -> Shift:
        """The way from a snapshot of this file to now."""
        count = self.revision - snapshot.revision
        if snapshot.opening != self.opening or count > len(self.history):
            return Shift(snapshot.text, self.text, edits.replacements(snapshot.text.source, self.text.source))
        return Shift(snapshot.text, self.text, edits.merged(self.history[-count:]) if count else ())
