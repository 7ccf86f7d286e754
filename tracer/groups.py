"""Which nodes of a graph belong together: those of one call of a function or module, those of a loop's iterations.

The groups are a tree (`nesting` says what lies in what), told in the order in which one meets them from top to bottom.
A captured array is in the innermost group that has all of its readers, but in no loop without being in one of its
iterations.  A parameter lies with its module, where all of its readers do, too; other inputs are in no group.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import CO_GENERATOR, CO_NESTED
from itertools import islice

from .callstack import Call, Part
from .columns import Loop
from .events import Instruction
from .nesting import Nesting, Turn, chain
from .nodes import Kind, Node
from .positions import Located, locate, range_of
from .spelling import Printer
from .trees import spell
from .userloops import UserLoop, asked, loops_around
from .worker.wire import GroupInfo, GroupKind, Place

_WIDE = 60
"""A label of more characters than this is cut short."""


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of a graph: each before those that are in it, and these before the next."""

    listed: tuple[GroupInfo, ...]
    of: Mapping[Node, int]
    """The innermost group of each node that is in one, by its index."""


def groups_of(printer: Printer, nodes: Sequence[Node]) -> Groups:
    """The groups that some of a graph's nodes are in."""
    tree = _Tree(Nesting.of(printer))
    for node in nodes:
        tree.add(node)
    _add_given(tree, printer, nodes)
    return tree.told()


# ---- the tree --------------------------------------------------------------------------------------

_Key = Call | Loop | Turn


@dataclass
class _Tree:
    """The groups of the nodes that were added, in the order in which they were met."""

    nesting: Nesting
    keys: list[_Key] = field(default_factory=list)
    parents: list[int | None] = field(default_factory=list)
    made: dict[_Key, int] = field(default_factory=dict)
    of: dict[Node, int] = field(default_factory=dict)
    _innermost: dict[tuple[Call | None, Turn | None], int | None] = field(default_factory=dict)

    def add(self, node: Node) -> None:
        """Find the group of a node, which is in none where it is no operation with a line of its own."""
        if node in self.nesting.turn_of:
            pair = node.call, self.nesting.turn_of[node]
            if pair not in self._innermost:
                self._innermost[pair] = self._group(*pair)
            if (group := self._innermost[pair]) is not None:
                self.of[node] = group

    def _group(self, call: Call | None, turn: Turn | None) -> int | None:
        """The innermost group of what was done in a call and in a turn; those around it are made where need be."""
        missing: list[_Key] = []
        found: int | None = None
        turn = self.nesting.kept(turn)
        while call is not None or turn is not None:
            key: _Key
            if turn is not None and self.nesting.owners[turn.loop] is call:
                key, turn = turn, self.nesting.kept(turn.parent)
            else:
                assert call is not None
                key, call = call, call.parent
            if key in self.made:
                found = self.made[key]
                break
            missing.append(key)
        for key in reversed(missing):
            if isinstance(key, Turn):
                found = self.made[key.loop] if key.loop in self.made else self._make(key.loop, found)
            found = self._make(key, found)
        return found

    def _make(self, key: _Key, parent: int | None) -> int:
        index = self.made[key] = len(self.keys)
        self.keys.append(key)
        self.parents.append(parent)
        return index

    def common(self, a: int | None, b: int | None) -> int | None:
        """The innermost group that two are in; a group was made after those that it is in."""
        while a != b:
            if a is None or b is None:
                return None
            if a > b:
                a = self.parents[a]
            else:
                b = self.parents[b]
        return a

    def outside_loops(self, group: int | None) -> int | None:
        """A group, or where it is a loop, the one around it: what is in a loop is in one of its iterations."""
        return self.parents[group] if group is not None and isinstance(self.keys[group], Loop) else group

    def owning(self, parameter: str, group: int | None) -> int | None:
        """The innermost group around (or itself) of the module that a parameter belongs to."""
        while group is not None:
            key = self.keys[group]
            if isinstance(key, Call) and key.part is not None and parameter.startswith(f"{key.part.path}."):
                break
            group = self.parents[group]
        return group

    def told(self) -> Groups:
        """The groups in words: each before what is in it, and that before the next."""
        children: dict[int | None, list[int]] = {}
        for group, parent in enumerate(self.parents):
            children.setdefault(parent, []).append(group)
        index: dict[int, int] = {}
        listed: list[GroupInfo] = []
        words = _Words(self.nesting)
        pending = children.get(None, [])[::-1]
        while pending:
            group = pending.pop()
            index[group] = len(listed)
            parent = self.parents[group]
            listed.append(words.info(self.keys[group], None if parent is None else index[parent]))
            pending += children.get(group, [])[::-1]
        return Groups(tuple(listed), {node: index[group] for node, group in self.of.items()})


def _add_given(tree: _Tree, printer: Printer, nodes: Sequence[Node]) -> None:
    """Put what is no operation into the innermost group that has all of its readers, an input with its module alone."""
    given = [node for node in nodes if node.kind is not Kind.CALL]
    readers: dict[int, int | None] = {id(node.args[0]): None for node in printer.results if node.kind is not Kind.CALL}
    for node in nodes:
        if node.kind is Kind.CALL:
            group = tree.of.get(node)
            for operand in printer.visible_operands(node):
                if operand.kind is not Kind.CALL:
                    key = id(operand.args[0])
                    readers[key] = tree.common(readers[key], group) if key in readers else group
    for node in given:
        found = readers.get(id(node.args[0]))
        found = tree.outside_loops(found) if node.kind is Kind.CONSTANT else tree.owning(spell(node.args[0]), found)
        if found is not None:
            tree.of[node] = found


# ---- in words --------------------------------------------------------------------------------------


@dataclass
class _Words:
    """Labels and places; alike groups share them."""

    nesting: Nesting
    _calls: dict[tuple[int, int, int, Part | None], tuple[str, Place | None]] = field(default_factory=dict)
    _loops: dict[tuple[int, int, int], tuple[Located, UserLoop] | None] = field(default_factory=dict)

    def info(self, key: _Key, parent: int | None) -> GroupInfo:
        if isinstance(key, Turn):
            return GroupInfo(GroupKind.ITERATION, f"iteration {key.iteration + 1:,}", parent, None)
        if isinstance(key, Loop):
            loop = self._source(key)
            place = loop[0].at(loop[1].over).place if loop is not None and loop[1].over is not None else None
            return GroupInfo(GroupKind.LOOP, f"{key.count:,} alike iterations", parent, place)
        same = id(key.code), id(key.caller), key.lasti, key.part
        if same not in self._calls:
            self._calls[same] = call_in_words(key)
        kind, path = (GroupKind.CALL, "") if key.part is None else (GroupKind.MODULE, key.part.path)
        return GroupInfo(kind, self._calls[same][0], parent, self._calls[same][1], path)

    def _source(self, loop: Loop) -> tuple[Located, UserLoop] | None:
        """The loop of the source whose iterations a loop's are, and an expression in it."""
        first, second = self.nesting.turns[loop, 0], self.nesting.turns[loop, 1]
        at = next(self._sites(first), None)
        if at is None:
            return None
        key = loop.shape, id(at[0].code), at[0].lasti
        if key not in self._loops:
            again = set(self._sites(second))
            self._loops[key] = self._around([site for site in dict.fromkeys(self._sites(first)) if site in again], loop)
        return self._loops[key]

    def _sites(self, turn: Turn) -> Iterator[tuple[Instruction, bool]]:
        """Where in the function that a loop is in the statements of a turn were made.

        With each comes whether a generator was asked for its next value there.
        """
        owner = self.nesting.owners[turn.loop]
        for node in islice(self.nesting.statements, turn.first, None):
            if turn not in chain(self.nesting.turn_of[node]):
                return
            call, code, lasti, resumed = node.call, node.code, node.lasti, False
            if call is not None and call is not owner:
                call = self.nesting.child(owner, call)
                code, lasti, resumed = call.caller, call.lasti, bool(call.code.co_flags & CO_GENERATOR)
            if code is not None:
                yield Instruction(code, lasti), resumed

    def _around(self, sites: list[tuple[Instruction, bool]], loop: Loop) -> tuple[Located, UserLoop] | None:
        """The innermost loop around all of these places that is not one of the loops inside `loop`."""
        owners = self.nesting.owners
        inner = [item for item in loop.body if isinstance(item, Loop) and owners[item] is owners[loop]]
        taken = [found[1].over for item in inner if (found := self._source(item)) is not None]
        located = [(at, resumed) for site, resumed in sites if (at := locate(site)) is not None]
        around = [(at, [u for u in loops_around(at, resumed) if u.over not in taken]) for at, resumed in located]
        around = [(at, found) for at, found in around if found]  # what has none is repeated by a loop of a library's
        for candidate in around[0][1] if around else ():
            if all(any(found.over is candidate.over for found in others) for _, others in around):
                return around[0][0], candidate
        return None


def call_in_words(call: Call) -> tuple[str, Place | None]:
    """The text of a call, behind the name of the function where the text does not tell it, and its place.

    A module is called by the way to it from the module around it, and by what it is: `.layers[0]: Linear(8, 16)`.
    """
    if call.part is not None:
        return _part_in_words(call, call.part), _place_of(call)
    at = locate(Instruction(call.caller, call.lasti)) if call.caller is not None else None
    if at is None:
        return f"{call.code.co_name}(…)", None
    if call.code.co_flags & CO_GENERATOR:
        at = asked(at)
    at = _entered(at)
    text = " ".join(at.text.split())
    return _short(text if _is_told(call, at.node, text) else f"{call.code.co_name}: {text}"), at.place


def _part_in_words(call: Call, part: Part) -> str:
    """What a part of the model is called, from the part around it on."""
    around = next((outer.part.path for outer in chain(call.parent) if outer.part is not None), "")
    path = part.path.removeprefix(around) if part.path.startswith((f"{around}.", f"{around}[")) else part.path
    return f"{path}: {part.kind}" if path else part.kind


def _place_of(call: Call) -> Place | None:
    """The expression of the user's that called a part, or the part around it that the user called."""
    user = next((outer for outer in chain(call) if outer.caller is not None), None)
    at = locate(Instruction(user.caller, user.lasti)) if user is not None and user.caller is not None else None
    return at.place if at is not None else None


def _entered(at: Located) -> Located:
    """The context manager that a `with` enters, or all of several: CPython 3.11 puts that at the whole block."""
    if not isinstance(at.node, (ast.With, ast.AsyncWith)):
        return at
    managers = [item.context_expr for item in at.node.items]
    if len(managers) == 1:
        return at.at(managers[0])
    return Located(at.file, at.node, (*range_of(managers[0])[:2], *range_of(managers[-1])[2:]))


def _is_told(call: Call, expression: ast.AST | None, text: str) -> bool:
    """Whether the text of a call says which function it calls.

    A decorated function is called by its own name, though the code that runs is its decorator's; what a variable
    holds is anyone's guess.
    """
    name = call.code.co_name
    if re.search(rf"\b{re.escape(name)}\b", text) or name == "<lambda>" or name.startswith("__"):
        return True
    callee = expression.func if isinstance(expression, ast.Call) else None
    caller = call.caller
    if caller is not None and isinstance(callee, ast.Name) and callee.id in (*caller.co_varnames, *caller.co_freevars):
        return False
    return bool(call.code.co_flags & CO_NESTED)


def _short(text: str) -> str:
    return text if len(text) <= _WIDE else text[: _WIDE - 1] + "…"


__all__ = ["Groups", "call_in_words", "groups_of"]
