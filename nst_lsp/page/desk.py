"""What the pages need of whatever has the graphs: a session with an editor, or the command line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # handlers know this module, and need nothing of what a picture is made of before there is one
    from tracer.worker.wire import ExampleReport, Place, Study

    from ..analysis.picture import Around
    from ..analysis.studies import Answer
    from ..analysis.traced import Function, Outcome
    from ..analysis.view import View


class UnableError(Exception):
    """What a page asked for cannot be done; the message says why, to be read there."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page is about: a function by its file's URI and its qualified name."""

    uri: str
    function: str


class Against(StrEnum):
    """What a graph is compared with."""

    NOTHING = ""
    SAVE = "save"
    COMMIT = "commit"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Comparison:
    against: Against = Against.NOTHING
    example: int | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """All that a picture is made of, frozen, so that it can be drawn while the session goes on."""

    view: View
    function: Function
    outcome: Outcome
    around: Around

    def is_as(self, other: Moment) -> bool:
        """Whether a picture of the other moment would be the same, as far as that is told at a glance."""
        return self._glance() == other._glance()

    @property
    def is_settled(self) -> bool:
        """Whether the run that the outcome is of has told all of it."""
        return self.view.traced.done or (self.outcome.settled and not self.outcome.kept)

    def _glance(self) -> tuple[object, ...]:
        """Outcomes are told by their identity: comparing graphs takes long, and both moments hold on to theirs."""
        functions = self.view.traced.functions
        return (
            id(self.outcome),
            [(one.name, one.place, [id(outcome) for outcome in one.outcomes]) for one in functions],
            self.view.stale(self.outcome),
            dict(self.view.chosen),
            self.around.told,
            {path: document.text for path, document in self.view.places.documents.items()},
        )


class Desk(Protocol):
    def moment(self, subject: Subject) -> Moment | None:
        """What is known now; None where there is no graph to show."""

    def doing(self, subject: Subject) -> str:
        """What goes on with the subject, or why there is nothing, in a few words; empty when all is quiet."""

    def choose(self, subject: Subject, example: int) -> None:
        """Show another example of the function, everywhere."""

    async def compared(self, moment: Moment, comparison: Comparison) -> tuple[str, ExampleReport]:
        """What a comparison is against, in words, and its report.  Raises UnableError."""

    async def studied(self, moment: Moment, study: Study) -> Answer:
        """What a tracer of PyTorch's says of the function, by the texts that were traced; it takes seconds."""

    def answered(self, moment: Moment, study: Study) -> Answer | None:
        """What is known of that already, as somebody else asked."""

    def beside(self, moment: Moment, answer: Answer) -> Moment:
        """A moment with what is found beside an answer, in the place of what our trace finds."""

    def worded(self, moment: Moment, answer: Answer, style: str) -> str:
        """An answer as `nst graph` prints it, in the style `code` or `json`."""

    async def rendered(self, moment: Moment, style: str) -> str:
        """The graph in one of the tracer's forms (`dot`, …).  Raises UnableError."""

    async def reveal(self, place: Place) -> None:
        """Show a place of now in the editor.  Raises UnableError."""
