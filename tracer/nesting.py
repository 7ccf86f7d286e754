"""How calls of the user's functions and iterations of loops lie in each other.

Calls are as they were recorded (`callstack`), iterations as they were found (`folding`); here each is a set of nodes.
A loop lies in the innermost call that all its nodes are in, its *owner*; a call lies in the innermost iteration, or
*turn*, that all its nodes are in, its *seat*.  Where an iteration has only a part of a call that its loop's owner
made, the two cross, as they do in a recursion, each turn of which makes the next.  Then the call counts and the loop
does not: the user wrote the call, while the loop was only found.  So what counts is a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeVar

from .callstack import Call, common
from .columns import Item, Loop
from .nodes import Node
from .spelling import Printer


@dataclass(slots=True, eq=False)
class Turn:
    """One iteration of one loop."""

    loop: Loop
    iteration: int
    parent: Turn | None
    first: int
    """The index of its first statement."""
    depth: int


_T = TypeVar("_T", Call, Turn)


def chain(inner: _T | None) -> Iterator[_T]:
    """What something is in, itself first."""
    while inner is not None:
        yield inner
        inner = inner.parent


@dataclass
class Nesting:
    """The calls and the turns of a graph."""

    statements: list[Node] = field(default_factory=list)
    turn_of: dict[Node, Turn | None] = field(default_factory=dict)
    turns: dict[tuple[Loop, int], Turn] = field(default_factory=dict)
    """Outer ones before those in them."""
    calls: dict[Call, None] = field(default_factory=dict)
    """In the order in which they were met, outer ones before those in them."""
    owners: dict[Loop, Call | None] = field(default_factory=dict)
    """The innermost call that all nodes of a loop are in."""
    seats: dict[Call, Turn | None] = field(default_factory=dict)
    """The innermost turn that all nodes of a call are in."""
    crossed: set[Loop] = field(default_factory=set)
    """The loops that do not count."""

    @classmethod
    def of(cls, printer: Printer) -> Nesting:
        made = cls()
        pairs: dict[tuple[Call | None, Turn | None], None] = {}
        for node, statement in printer.items[1].home.items():
            turn = made.turn_of[node] = made._turn(statement)
            made.statements.append(node)
            pairs[node.call, turn] = None
        for call, _ in pairs:
            made._meet(call)
        made._find_owners_and_seats(pairs)
        made._find_crossed(pairs)
        return made

    def kept(self, turn: Turn | None) -> Turn | None:
        """The innermost turn around (or itself) whose loop is a group."""
        return next((t for t in chain(turn) if t.loop not in self.crossed), None)

    def child(self, outer: Call | None, inner: Call) -> Call:
        """The call in `outer` that `inner` is in (itself, where it was made there)."""
        return next(call for call in chain(inner) if call.parent is outer)

    def _turn(self, item: Item) -> Turn | None:
        """The innermost turn that an item is in; `statements` are those before it."""
        loop = item.parent
        if loop is None:
            return None
        key = loop, item.at // len(loop.body)
        if key not in self.turns:
            around = self._turn(loop)
            depth = 1 if around is None else around.depth + 1
            self.turns[key] = Turn(loop, key[1], around, len(self.statements), depth)
        return self.turns[key]

    def _meet(self, call: Call | None) -> None:
        """Note a call and those that it is in."""
        unknown = list(takewhile(lambda outer: outer not in self.calls, chain(call)))
        self.calls.update(dict.fromkeys(reversed(unknown)))

    def _find_owners_and_seats(self, pairs: Mapping[tuple[Call | None, Turn | None], None]) -> None:
        """From what was done directly in each call and turn, outwards."""
        of_turns: dict[Turn, Call | None] = {}
        for call, turn in pairs:
            if turn is not None:
                of_turns[turn] = common(of_turns[turn], call) if turn in of_turns else call
            if call is not None:
                self.seats[call] = common(self.seats[call], turn) if call in self.seats else turn
        for turn in reversed(self.turns.values()):
            owner, around = of_turns[turn], turn.parent
            self.owners[turn.loop] = common(self.owners[turn.loop], owner) if turn.loop in self.owners else owner
            if around is not None:
                of_turns[around] = common(of_turns[around], owner) if around in of_turns else owner
        for inner in reversed(self.calls):
            if (outer := inner.parent) is not None:
                seat = self.seats[inner]
                self.seats[outer] = common(self.seats[outer], seat) if outer in self.seats else seat

    def _find_crossed(self, pairs: Mapping[tuple[Call | None, Turn | None], None]) -> None:
        """Look at each call that a loop's owner made in the loop: has one turn all of it?"""
        seen: set[tuple[Loop, Call]] = set()
        for innermost, turn in pairs:
            for around in chain(turn):
                loop, call = around.loop, innermost
                owner = self.owners[loop]
                while call is not owner:
                    assert call is not None
                    if (loop, call) in seen:
                        break
                    seen.add((loop, call))
                    if call.parent is owner and all(t.loop is not loop for t in chain(self.seats[call])):
                        self.crossed.add(loop)
                    call = call.parent
