"""Where places of a result stand now, in the open documents as they have become since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tracer.worker.wire import Place, Span

from .document import Document, Shift
from .traced import Basis


@dataclass(frozen=True, slots=True)
class Places:
    """Answers for one moment; each way from an earlier text to now is worked out once."""

    documents: Mapping[str, Document]
    """The open documents by path."""
    _ways: dict[tuple[str, int], Shift | None] = field(default_factory=dict)

    def shift(self, path: str, basis: Basis) -> Shift | None:
        """The way from a basis to now; None for a file that is not open, or was not then: it stands as it is."""
        key = path, id(basis)
        if key not in self._ways:
            document, snapshot = self.documents.get(path), basis.get(path)
            self._ways[key] = document.shift(snapshot) if document and snapshot else None
        return self._ways[key]

    def span(self, place: Place, basis: Basis) -> Span | None:
        """The span of now; None where it is gone."""
        shift = self.shift(place.path, basis)
        return place.span if shift is None else shift.now(place.span)

    def stale(self, path: str, basis: Basis) -> bool:
        """Whether the file changed since."""
        shift = self.shift(path, basis)
        return shift is not None and shift.stale
