"""What happened during a trace besides array operations: the raw material of findings.

An event keeps the instruction it happened at (`Site`) and the traced values involved; what it means, and
whether anyone need hear of it, is judged when the trace is over (`findings`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .nodes import Node


class Instruction(NamedTuple):
    """A place in a program: resolved to a source range by `positions`, and only when asked."""

    code: CodeType
    lasti: int


@dataclass(frozen=True, slots=True)
class Site:
    """An instruction in user code and the calls in user code that led to it, innermost first."""

    at: Instruction
    callers: tuple[Instruction, ...] = ()


class Origin(Enum):
    """What a value came from, in the order in which a condition of several origins is named."""

    CONTENTS = "contents"
    SIZE = "size"
    ARGUMENT = "argument"
    HIDDEN = "hidden"
    TYPE = "type"
    RANDOM = "random"
    ENVIRONMENT = "environment"
    CACHE = "cache"


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """One origin of a value: an input, or the place where a hidden input was read.

    `label` names it as the user would (`settings['eps']`, `p`, `time.time()`); `holder` is the
    object it was read from, where there is one.
    """

    origin: Origin
    label: str
    site: Site | None = None
    holder: Any = None
    value: Any = None
    path: tuple[Any, ...] | None = None
    quiet: bool = False
    """Meant to decide things (`isinstance`): at most a hint."""


Origins = frozenset["Source | Node"]
"""Where a value came from: sources, and nodes whose own sources count."""


# Events -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """A traced value was turned into a truth value (or an order, or a membership)."""

    site: Site
    node: Node | None
    origins: Origins
    outcome: Any
    asserted: bool = False


@dataclass(frozen=True, slots=True)
class Iteration:
    """The number of iterations came from traced values; `node` is the number where it is one."""

    site: Site
    node: Node | None
    origins: Origins
    count: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A traced value became a plain one at `site`, through `how` (`__index__`, `__array__`, …)."""

    site: Site
    node: Node | None
    origins: Origins
    value: Any
    how: str


@dataclass(frozen=True, slots=True)
class Entered:
    """A plain number of known origin became an operand of `node`; `where` tells which argument."""

    site: Site
    node: Node
    where: tuple[int | str, ...]
    origins: Origins
    value: Any


@dataclass(frozen=True, slots=True)
class Read:
    """A hidden array was read; `node` is the constant that holds it."""

    source: Source
    node: Node

    @property
    def site(self) -> Site | None:
        return self.source.site


class Change(Enum):
    ATTRIBUTE = "attribute"
    ITEM = "item"
    METHOD = "method"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class News:
    """A change of state in words: before, after, whether a traced value is in it, and where it leads."""

    before: str
    after: str
    traced: bool = False
    later: str = "the graph does not change it"


@dataclass(frozen=True, slots=True)
class Stored:
    """A store into something that was there before the trace began; `memory` remembers its state."""

    site: Site
    holder: Any
    label: str
    change: Change
    key: Any
    argument: bool
    memory: Any
    traced: bool | None = None
    """Whether what was stored holds a traced value, where that is known."""
    news: list[News | None] = field(default_factory=list)
    """What it changed, told when the trace is over; None where nothing changed."""


@dataclass(frozen=True, slots=True)
class Written:
    """An array was written in place by `node`; `target` is the node of the array written."""

    site: Site
    node: Node
    target: Node
    by_library: bool = False
    """Whether a library's own code did it: a layer that keeps statistics."""


@dataclass(frozen=True, slots=True)
class Sized:
    """The shape of an array was read where the mode makes sizes constants."""

    node: Node
    shape: tuple[int, ...]
    site: Site


@dataclass(frozen=True, slots=True)
class Output:
    site: Site
    what: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A random draw that is an operation of the graph, `node`: it draws anew each time.

    `generator` is where the generator came from that it draws from, an argument or a hidden input, which the graph
    then shares with the function; None where it draws from the random state.
    """

    site: Site
    node: Node
    what: str
    generator: Origin | None = None


@dataclass(frozen=True, slots=True)
class RawMemory:
    site: Site
    what: str


@dataclass(frozen=True, slots=True)
class Cached:
    site: Site
    what: str


@dataclass(frozen=True, slots=True)
class Opaque:
    """A call of code that is not seen into; `node` is None where its result is an object that is baked in."""

    site: Site
    node: Node | None
    what: str


@dataclass(frozen=True, slots=True)
class Unsupported:
    site: Site
    what: str


@dataclass(frozen=True, slots=True)
class Effect:
    """Something was done to the outside, or tried and stopped; `code` is the rule that it falls under."""

    site: Site
    code: str
    message: str
    stopped: bool
    permitted: bool = False
    """Whether it was done, since the user allows it."""


Event = (
    Decision | Iteration | Lost | Entered | Read | Stored | Written | Output | RawMemory | Cached | Opaque
    | Unsupported | Effect | Drawn
)  # fmt: skip


def decisions(events: Iterable[Event]) -> dict[Spot, tuple[str, ...]]:
    """What each condition and loop came to, each time that it was met, in terms that mean the same in other traces."""
    found: dict[Spot, tuple[str, ...]] = {}
    for event in events:
        if isinstance(event, (Decision, Iteration)):
            spot = spot_of(event.site.at)
            came_to = event.outcome if isinstance(event, Decision) else event.count
            found[spot] = (*found.get(spot, ()), repr(came_to))
    return found


Spot = tuple[str, int, str, int]
"""An instruction by its file, the line and name of its function, and its place there: the same in all processes."""


def spot_of(at: Instruction) -> Spot:
    return at.code.co_filename, at.code.co_firstlineno, at.code.co_name, at.lasti
