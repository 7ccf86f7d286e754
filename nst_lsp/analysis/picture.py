"""A function's graph as the graph page shows it: its nodes, what is found of them, and the sources they come from.

Everything is told of the texts of now: places have moved with the text, as diagnostics have, and where a place is gone
its node has none.  The sources are functions, not files: the traced one, and whatever else in the user's code
made nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from tracer.worker import wire
from tracer.worker.wire import ExampleReport, Finding, GraphCost, GroupInfo, NodeInfo, Place, Span, Study, Verdict

from . import plaintext
from .changes import Changes, compare
from .diagnostics import Diagnostic
from .graphs import operations, title
from .hovers import verdict
from .outline import definitions, parse
from .studies import can_be_asked
from .text import Text
from .traced import Basis, Function, Outcome
from .view import View

Texts = Callable[[str], Text]
"""The text of a file by its path, as it is now."""


@dataclass(frozen=True, slots=True)
class At:
    """A span of a file, in the source of the picture that shows it."""

    source: int
    span: Span


@dataclass(frozen=True, slots=True)
class Source:
    """A function, or a statement outside of functions, that nodes come from."""

    path: str
    """The absolute path of its file."""
    shown: str
    """The same as people read it: from the project's folder on."""
    label: str
    first: int
    """The number of its first line."""
    text: str


@dataclass(frozen=True, slots=True)
class Node:
    info: NodeInfo
    at: At | None
    remarks: tuple[int, ...] = ()
    """What is found of it, by index in `Picture.remarks`."""
    backward: bool = False
    """It belongs to the backward, and its place is that of what it differentiates."""
    saved: bool = False
    """The forward keeps its value for the backward."""


@dataclass(frozen=True, slots=True)
class Group:
    kind: str
    """As of a group of the graph (`call`, …), or `part` for what belongs together otherwise."""
    label: str
    parent: int | None
    at: At | None
    path: str = ""
    """Of a module, how the user reaches it."""


@dataclass(frozen=True, slots=True)
class Guard:
    text: str
    at: At | None


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding, with the severity that the settings give it, and the nodes that come from its range."""

    finding: Finding
    at: At | None
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """What the graph has, and has no more, beside another one."""

    against: str
    """The other one, in words."""
    changes: Changes
    reasons: tuple[tuple[str, At | None], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a tracer of PyTorch's remarks."""

    remark: wire.Remark
    at: At | None


@dataclass(frozen=True, slots=True)
class Gradient:
    info: wire.Gradient
    cuts: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What one of PyTorch's own tracers says beside its graph."""

    study: Study
    title: str
    """What was asked for, in words: `backward graph`."""
    error: str | None
    """Why it said nothing."""
    torch: str
    verdict: str
    sound: bool
    notes: tuple[str, ...]
    remarks: tuple[Said, ...]
    gradients: tuple[Gradient, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    uri: str
    path: str
    """Of the function's file, from the project's folder on."""
    function: str
    example: int
    examples: tuple[tuple[int, str], ...]
    """Number and arguments of each example of the function."""
    functions: tuple[tuple[str, int], ...]
    """The functions of the same file that have graphs, each with the example that it shows."""
    title: str
    stale: bool
    code: str
    operations: int
    valid_for: str
    verdict: Verdict
    verdict_text: str
    sources: tuple[Source, ...]
    nodes: tuple[Node, ...]
    groups: tuple[Group, ...]
    outputs: tuple[str, ...]
    size: int
    """How many nodes the graph has; of a very large one, not all are in `nodes`."""
    guards: tuple[Guard, ...]
    remarks: tuple[Remark, ...]
    cost: GraphCost | None = None
    difference: Difference | None = None
    studies: tuple[Study, ...] = ()
    """The tracers of PyTorch's that can be asked about the function."""
    study: Told | None = None
    """What the tracer said whose graph this is; None where it is our own trace."""


Compared = tuple[str, ExampleReport]
"""What a graph is compared with: in words, and its report."""


@dataclass(frozen=True, slots=True)
class Around:
    """What a picture needs beside the function's own results."""

    texts: Texts
    root: str
    """The folder of the project."""
    told: Mapping[str, Sequence[Diagnostic]] = field(default_factory=dict)
    """What is said of each file in which the function has a finding: what is silenced is not shown either."""


def picture(
    view: View, function: Function, outcome: Outcome, around: Around, against: Compared | None = None
) -> Picture | None:
    """The picture of one example of a function, beside another report of it; None where it has no graph."""
    report, info = outcome.report, outcome.report.graph
    if info is None:
        return None
    sources = Sources(view, function, outcome.basis, around)
    by_place: dict[Place, list[str]] = {}
    for node in info.nodes:
        if node.place is not None:
            by_place.setdefault(node.place, []).append(node.name)
    at = {place: sources.at(place) for place in by_place}
    remarks = tuple(found(view, outcome, around, by_place, sources))
    remarked = by_node(remarks)
    return Picture(
        uri=view.document.uri,
        path=shown_path(view.document.path, around.root),
        function=function.name,
        example=report.index,
        examples=tuple((one.report.index, one.report.source) for one in function.outcomes),
        functions=tuple(functions(view)),
        title=title(function, outcome),
        stale=view.stale(outcome),
        code=info.code,
        operations=operations(info),
        valid_for=report.valid_for,
        verdict=report.verdict,
        verdict_text=verdict(report, plaintext),
        nodes=tuple(
            Node(node, at[node.place] if node.place else None, remarked.get(node.name, ())) for node in info.nodes
        ),
        groups=tuple(_group(group, sources) for group in info.groups),
        outputs=info.outputs,
        size=info.size or len(info.nodes),
        guards=tuple(Guard(one.text, sources.at(one.place) if one.place else None) for one in report.guards),
        remarks=remarks,
        cost=info.cost,
        difference=_difference(outcome, against, sources) if against is not None else None,
        studies=tuple(Study) if can_be_asked(view.document.text.source, outcome) else (),
        sources=sources.all,
    )


def shown_path(path: str, root: str) -> str:
    """A path from the project's folder on; of a file elsewhere its name, as nobody else's folders are to be told."""
    inside = PurePath(path).is_relative_to(root)
    return PurePath(path).relative_to(root).as_posix() if inside else PurePath(path).name


def spans(drawn: Picture) -> dict[str, dict[Span, tuple[str, ...]]]:
    """The names of the nodes that come from each span of each file."""
    found: dict[str, dict[Span, list[str]]] = {}
    for node in drawn.nodes:
        if node.at is not None:
            file = found.setdefault(drawn.sources[node.at.source].path, {})
            file.setdefault(node.at.span, []).append(node.info.name)
    return {path: {span: tuple(names) for span, names in file.items()} for path, file in found.items()}


def nodes_at(file: Mapping[Span, tuple[str, ...]], line: int, column: int) -> tuple[str, ...]:
    """The nodes of the smallest expression of a file around a position that made any."""
    around = [span for span in file if _covers(span, Span(line, column, line, column))]
    return file[min(around, key=_size)] if around else ()


def _difference(outcome: Outcome, against: Compared, sources: Sources) -> Difference:
    words, report = against
    changes = compare(report, outcome.report)
    return Difference(
        words, changes, tuple((one.text, sources.at(one.place) if one.place else None) for one in changes.reasons)
    )


def _group(group: GroupInfo, sources: Sources) -> Group:
    at = sources.at(group.place) if group.place else None
    return Group(group.kind.value, group.label, group.parent, at, group.path)


def functions(view: View) -> Iterable[tuple[str, int]]:
    """The functions that have graphs, each with the example that it shows."""
    for function in view.traced.functions:
        shown = view.shown(function)
        if shown is not None and shown.report.graph is not None:
            yield function.name, shown.report.index


# ---- findings --------------------------------------------------------------------------------------


def found(
    view: View, outcome: Outcome, around: Around, by_place: Mapping[Place, Sequence[str]], sources: Sources
) -> Iterable[Remark]:
    """The findings of the example that are told, each with its nodes."""
    told = {(path, one.code, one.span): one for path, said in around.told.items() for one in said if one.finding}
    for finding in outcome.report.findings:
        span = view.places.span(finding.place, outcome.basis)
        known = told.get((finding.place.path, finding.code, span)) if span is not None else None
        if known is not None:
            nodes = _nodes_of(finding.place, by_place)
            yield Remark(_weighed(finding, known), sources.at(finding.place), nodes)


def by_node(remarks: Iterable[Remark]) -> dict[str, tuple[int, ...]]:
    """The numbers of the remarks about each node."""
    numbers: dict[str, tuple[int, ...]] = {}
    for index, remark in enumerate(remarks):
        for name in remark.nodes:
            numbers[name] = (*numbers.get(name, ()), index)
    return numbers


def _weighed(finding: Finding, told: Diagnostic) -> Finding:
    return finding if finding.severity is told.severity else replace(finding, severity=told.severity)


def _nodes_of(place: Place, by_place: Mapping[Place, Sequence[str]]) -> tuple[str, ...]:
    """The nodes that come from a finding's range; where it made none, those of the smallest expression around it."""
    here = [known for known in by_place if known.path == place.path]
    within = [known for known in here if _covers(place.span, known.span)]
    if not within:
        surrounding = [known for known in here if _covers(known.span, place.span)]
        smallest = min((_size(known.span) for known in surrounding), default=None)
        within = [known for known in surrounding if _size(known.span) == smallest]
    return tuple(name for known in within for name in by_place[known])


def _covers(outer: Span, inner: Span) -> bool:
    starts = (outer.line, outer.column) <= (inner.line, inner.column)
    return starts and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


# ---- sources ---------------------------------------------------------------------------------------


class Sources:
    """The sources of a picture in the order in which they are met; the traced function's own is the first."""

    def __init__(self, view: View, function: Function, basis: Basis, around: Around) -> None:
        self._view = view
        self._basis = basis
        self._around = around
        self._found: dict[tuple[str, int], Source] = {}
        """By the file and the number of the first line, as the text is now."""
        self._known: dict[tuple[str, int], int | None] = {}
        """The source of each line of the texts that were traced; None for one that is gone."""
        self._source(function.place, function.basis)

    @property
    def all(self) -> tuple[Source, ...]:
        return tuple(self._found.values())

    def at(self, place: Place) -> At | None:
        """Where a place stands now; None where it is gone."""
        span = self._view.places.span(place, self._basis)
        line = place.path, place.span.line
        if line not in self._known:
            self._known[line] = self._source(place, self._basis)
        source = self._known[line]
        return None if span is None or source is None else At(source, span)

    def _source(self, place: Place, basis: Basis) -> int | None:
        path = place.path
        then = basis[path].text if path in basis else self._around.texts(path)
        first, last, label = _region(then, place.span.line)
        region = Place(path, Span(first, 1, last, len(then.line(last)) + 1))
        span = self._view.places.span(region, basis)
        return None if span is None else self._number(path, span, label)

    def _number(self, path: str, span: Span, label: str) -> int:
        if (path, span.line) not in self._found:
            now, shown = self._around.texts(path), shown_path(path, self._around.root)
            lines = (now.line(number) for number in range(span.line, span.end_line + 1))
            self._found[path, span.line] = Source(path, shown, label or shown, span.line, "\n".join(lines))
        return list(self._found).index((path, span.line))


def _region(text: Text, line: int) -> tuple[int, int, str]:
    """First and last line and name of the outermost function around a line, or of the statement there."""
    for one in definitions(text.source) or ():  # the outer ones come before the inner
        if one.first_line <= line <= one.span.end_line:
            return _with_comments(text, one.first_line), one.span.end_line, one.name
    tree = parse(text.source)
    body: Sequence[ast.stmt] = tree.module.body if tree else ()
    while around := next((one for one in body if one.lineno <= line <= (one.end_lineno or one.lineno)), None):
        if not isinstance(around, ast.ClassDef):
            return around.lineno, around.end_lineno or around.lineno, ""
        body = around.body
    return line, line, ""


def _with_comments(text: Text, line: int) -> int:
    """The first line of the comments right above a line: examples stand there."""
    while text.line(line - 1).lstrip().startswith("#"):
        line -= 1
    return line
