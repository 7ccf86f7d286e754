"""The graph of one of PyTorch's own tracers as the graph page shows it, in the same form as our own trace.

What belongs to one expression of the user's stands in one group, forward and backward of a joint graph in a group each,
and so does each of the graphs that Dynamo made.  A place is always the forward expression, of nodes of a backward that
whose gradient they compute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from tracer.worker.wire import NodeInfo, Place, Remark, RemarkKind, Studied, Study, StudyGraph, StudyNode, Verdict

from .diagnostics import diagnostics
from .graphs import title
from .picture import (
    Around,
    At,
    Gradient,
    Group,
    Guard,
    Node,
    Picture,
    Said,
    Sources,
    Told,
    by_node,
    found,
    functions,
    shown_path,
)
from .studies import BESIDE, NAMES, is_everywhere
from .traced import Function, Outcome
from .view import View

_FEWEST = 2
"""Nodes in a row that come from one expression are a group of their own from so many on."""
_LINE = re.compile(r"  # line \d+: (?=.*$)")
"""The comment that says where a line of a graph's code comes from."""


def studied_picture(
    view: View, function: Function, outcome: Outcome, around: Around, studied: Studied, *, stale: bool
) -> Picture:
    """The picture of what a tracer said of an example.

    `outcome` has the findings that are told beside it, and the texts that it, and the answer, speak of.  Where there is
    no graph, the picture has no nodes, and says why.
    """
    sources = Sources(view, function, outcome.basis, around)
    whole = _Whole(sources)
    for graph in studied.graphs:
        whole.add(graph, many=len(studied.graphs) > 1, joint=studied.study is Study.JOINT)
    by_place: dict[Place, list[str]] = {}
    for name, place in whole.places:
        by_place.setdefault(place, []).append(name)
    remarks = tuple(found(view, outcome, around, by_place, sources))
    about = by_node(remarks)
    said = tuple(_said(one, sources) for one in studied.remarks)
    return Picture(
        uri=view.document.uri,
        path=shown_path(view.document.path, around.root),
        function=function.name,
        example=outcome.report.index,
        examples=tuple((one.report.index, one.report.source) for one in function.outcomes),
        functions=tuple(functions(view)),
        title=f"{title(function, outcome)} · {NAMES[studied.study]}",
        stale=stale,
        code="\n".join(whole.rows),
        operations=sum(graph.operations for graph in studied.graphs),
        valid_for="",
        verdict=Verdict.UNVERIFIED,
        verdict_text=studied.verdict,
        nodes=tuple(replace(node, remarks=about.get(node.info.name, ())) for node in whole.nodes),
        groups=tuple(whole.groups),
        outputs=tuple(whole.outputs),
        size=len(whole.nodes),
        guards=tuple(_guards(said)),
        remarks=remarks,
        studies=tuple(Study),
        study=Told(
            studied.study,
            NAMES[studied.study],
            studied.error,
            studied.torch,
            studied.verdict,
            studied.sound,
            studied.notes,
            said,
            tuple(Gradient(one, tuple(_said(cut, sources) for cut in one.cuts)) for one in studied.gradients),
        ),
        sources=sources.all,
    )


def beside(
    view: View, function: Function, outcome: Outcome, around: Around, studied: Studied
) -> tuple[Outcome, Around]:
    """What is told beside an answer, by the outcome of our trace of the same texts.

    Of a tracer that is set beside ours, what ours finds; of any other, what only that one shows.
    """
    if studied.study in BESIDE:
        return outcome, around
    own = replace(outcome, report=replace(outcome.report, findings=studied.findings))
    traced = replace(view.traced, functions=(replace(function, outcomes=(own,)),), findings=())
    told = {
        path: diagnostics(path, around.texts(path).source, [traced], view.places, view.settings, around.root)
        for path in sorted({finding.place.path for finding in studied.findings})
    }
    return own, replace(around, told=told)


def _said(remark: Remark, sources: Sources) -> Said:
    return Said(remark, sources.at(remark.place) if remark.place is not None else None)


def _guards(said: Iterable[Said]) -> Iterator[Guard]:
    for one in said:
        if one.remark.kind is RemarkKind.GUARD and not is_everywhere(one.remark):
            yield Guard(one.remark.condition, one.at)


@dataclass
class _Whole:
    """The graphs of an answer as one, in which no two nodes have the same name."""

    sources: Sources
    nodes: list[Node] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    """Of the code."""
    places: list[tuple[str, Place]] = field(default_factory=list)
    """Of what is computed, in the texts that the answer speaks of."""

    def add(self, graph: StudyGraph, *, many: bool, joint: bool) -> None:
        taken = {node.info.name for node in self.nodes}
        shown = list(_used(graph))
        names = {node.name: _unlike(node.name, taken) for node in shown}
        if self.rows:
            self.rows += ["", ""]
        if many:
            self.rows.append(f"# {graph.title}")
        first = len(self.rows)
        self.rows += graph.code.split("\n")
        around = self._group("part", graph.title, None, None) if many else None
        parts: dict[bool, int | None] = {False: around, True: around}
        if joint and any(node.backward for node in graph.nodes):
            parts = {
                back: self._group("part", name, around, None) for back, name in ((False, "forward"), (True, "backward"))
            }
        for (place, backward, is_made), alike in groupby(shown, _belongs):
            together = list(alike)
            inside = parts[backward]
            if is_made and place is not None and len(together) >= _FEWEST:
                inside = self._group("call", " ".join(together[0].text.split()), inside, self.sources.at(place))
            for node in together:
                self._node(node, names, first, inside)
        self.outputs += [names[name] for name in graph.outputs]

    def _group(self, kind: str, label: str, parent: int | None, at: At | None) -> int:
        self.groups.append(Group(kind, label, parent, at))
        return len(self.groups) - 1

    def _node(self, node: StudyNode, names: dict[str, str], first: int, group: int | None) -> None:
        at = self.sources.at(node.place) if node.place is not None else None
        line = None if node.line is None else first + node.line
        code = node.name
        if line is not None:
            code = _LINE.split(self.rows[line])[0].strip()
            if at is not None:  # the comment speaks of the text that was asked about
                self.rows[line] = _LINE.sub(f"  # line {at.span.line}: ", self.rows[line], count=1)
        name = names[node.name]
        if node.place is not None and node.operation != "input":
            self.places.append((name, node.place))
        info = NodeInfo(
            name, node.operation, code, tuple(names[one] for one in node.inputs), node.shape, None, node.place, line,
            group=group,
        )  # fmt: skip
        self.nodes.append(Node(info, at, backward=node.backward, saved=node.saved))


def _used(graph: StudyGraph) -> Iterator[StudyNode]:
    """The nodes of a graph without the sizes that it is given and does not read: Dynamo passes all that it knows."""
    read = {name for node in graph.nodes for name in node.inputs}.union(graph.outputs)
    return (node for node in graph.nodes if node.shape or node.operation != "input" or node.name in read)


def _belongs(node: StudyNode) -> tuple[Place | None, bool, bool]:
    return node.place, node.backward, node.operation not in ("input", "constant")


def _unlike(name: str, taken: Sequence[str] | set[str]) -> str:
    """A name that no node of an earlier graph has."""
    number, unlike = 2, name
    while unlike in taken:
        unlike, number = f"{name} ({number})", number + 1
    return unlike
