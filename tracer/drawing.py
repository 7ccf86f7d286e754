"""What a picture of a graph shows: nodes in their groups, and edges; in a large graph, alike iterations once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from .callstack import Call
from .columns import Path
from .folded import Folded, folded
from .graph import Graph
from .groups import call_in_words, groups_of
from .loops import Block, Carry, Entry, Expression, Line, Program, Use, Value
from .naming import names_of
from .nesting import Nesting, chain
from .nodes import Kind, Node
from .spelling import Printer

_T = TypeVar("_T")

_LARGE = 1000
"""A graph of more nodes than this is drawn folded: no layout, and no reader, copes with more."""


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that belong together, or stand for those of many iterations."""

    label: str
    entries: list[Node | Group]


@dataclass(frozen=True, slots=True)
class Drawing:
    printer: Printer
    names: dict[Node, str]
    entries: list[Node | Group]
    edges: list[tuple[Node, Node]]
    ends: list[Node]
    """The nodes that the result is made of."""


def drawing(graph: Graph) -> Drawing:
    printer = Printer(graph)
    nodes = shown(printer)
    loops = folded(printer) if len(nodes) > _LARGE else None
    if loops is not None:
        return _folded(loops, Nesting.of(printer))
    named = {printer.names[n]: n for n in reversed(nodes)}
    edges = [(named[printer.names[o]], n) for n in nodes for o in printer.dependencies.of(n)]
    ends = ends_of(printer)
    entries = _grouped(printer, nodes)
    return Drawing(printer, printer.names, entries, _once(edges), _once(named[printer.names[n]] for n in ends))


def ends_of(printer: Printer) -> tuple[Node, ...]:
    """The nodes that the result is made of, as it is at the end."""
    return printer.dependencies.now(printer.results)


def walked(entries: list[Node | Group]) -> Iterator[tuple[int, Node | Group | None]]:
    """All entries, those of a group behind it, and None at its end; with each, the number of groups around it."""
    open_ = [iter(entries)]
    while open_:
        entry = next(open_[-1], None)
        if entry is None:
            open_.pop()
        if entry is not None or open_:
            yield len(open_) - 1, entry
        if isinstance(entry, Group):
            open_.append(iter(entry.entries))


def _grouped(printer: Printer, nodes: list[Node]) -> list[Node | Group]:
    """The nodes in their groups, each of which stands where its first node does."""
    groups = groups_of(printer, nodes)
    top: list[Node | Group] = []
    made: dict[int | None, list[Node | Group]] = {None: top}
    for node in nodes:
        group = innermost = groups.of.get(node)
        missing: list[int] = []
        while group is not None and group not in made:
            missing.append(group)
            group = groups.listed[group].parent
        for inner in reversed(missing):
            entry = Group(groups.listed[inner].label, [])
            made[groups.listed[inner].parent].append(entry)
            made[inner] = entry.entries
        made[innermost].append(node)
    return top


def shown(printer: Printer) -> list[Node]:
    """The nodes that have names of their own, each name once."""
    seen: set[str] = set()
    nodes = []
    for node in printer.graph.nodes:
        if node not in printer.inlined and printer.names[node] not in seen:
            seen.add(printer.names[node])
            nodes.append(node)
    return nodes


def _once(values: Iterable[_T]) -> list[_T]:
    return list(dict.fromkeys(values))


def _folded(printer: Folded, nesting: Nesting) -> Drawing:
    program = printer.program
    entries: list[Node | Group] = []
    edges: list[tuple[Node, Node]] = []
    _collect(program, nesting, program.lines, None, entries, edges)
    ends = _once(n for e in program.results.values() for n in _sources(program, e))
    made = set(_nodes(entries))
    outside = _once(n for n in (*[a for a, _ in edges], *ends) if n not in made)
    entries = [*sorted(outside, key=lambda n: n.kind is not Kind.INPUT), *entries]
    names = names_of(list(_nodes(entries)), printer.graph.signature, printer.reserved)
    return Drawing(printer, names, entries, _once(edges), ends)


def _nodes(entries: Iterable[Node | Group]) -> Iterator[Node]:
    for entry in entries:
        if isinstance(entry, Node):
            yield entry
        else:
            yield from _nodes(entry.entries)


def _collect(
    program: Program,
    nesting: Nesting,
    lines: Iterable[Line | Block],
    around: Call | None,
    entries: list[Node | Group],
    edges: list[tuple[Node, Node]],
) -> None:
    """The entries and edges of some lines, which are in the call `around`; what is in calls of its is in groups."""
    made: dict[Call | None, list[Node | Group]] = {around: entries}
    for line in lines:
        call = line.statement.node.call if isinstance(line, Line) else nesting.owners[line.loop]
        inside = _entries_of(call, made)
        if isinstance(line, Line):
            node = line.statement.node
            inside.append(node)
            edges += [(source, node) for hole in line.holes for source in _sources(program, hole)]
        else:
            count = "" if line.count.terms else f"{line.count.constant:,} "
            group = Group(f"{count}alike iterations", [])
            inside.append(group)
            _collect(program, nesting, line.body, call, group.entries, edges)


def _entries_of(call: Call | None, made: dict[Call | None, list[Node | Group]]) -> list[Node | Group]:
    """The entries of a call's group, which is made where it is not there yet."""
    missing: list[Call] = []
    for outer in chain(call):
        if outer in made:
            break
        missing.append(outer)
    for inner in reversed(missing):
        group = Group(call_in_words(inner)[0], [])
        made[inner.parent].append(group)
        made[inner] = group.entries
    return made[call]


def _sources(program: Program, expression: Expression) -> Iterator[Node]:
    """The nodes that an expression's values come from, in any of the iterations."""
    pending, seen = [expression], set[int]()
    while pending:
        use = pending.pop()
        if not isinstance(use, Use) or id(use.of) in seen:
            continue
        seen.add(id(use.of))
        if isinstance(use.of, Value):
            yield use.of.statement.node
        elif isinstance(use.of, Node):
            yield use.of
        elif isinstance(use.of, Path):
            yield program.places.nodes[use.of, tuple(i.constant for i in use.index)]
        elif isinstance(use.of, Carry):
            pending += [use.of.after, use.of.before]
        else:
            assert isinstance(use.of, Entry)
            pending += use.of.values
