"""Hovers: a function's graph, an expression's node, a variable's value, a finding with its evidence."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tracer.rules import RULES
from tracer.worker.wire import ExampleReport, Finding, GroupInfo, NodeInfo, Place, Span, Study, Verdict

from . import markdown
from .answers import remarked
from .captured import line as told_line
from .captured import readable
from .costs import graph_cost, nodes_cost
from .diagnostics import Diagnostic
from .graphs import title
from .markup import Markup
from .news import told_changes
from .nodes import Nodes, becomes, module_of, owner
from .outline import expressions_at, parameter_at, parse
from .studies import SHORT, can_be_asked
from .traced import Function, Outcome, Traced
from .values import sources
from .view import View

PageLink = Callable[[str], str | None]
"""The address of a rule's page, by its code."""
StudyLink = Callable[[str, int, Study], str]
"""The address that shows what a tracer of PyTorch's says of a function's example."""


@dataclass(frozen=True, slots=True)
class Hover:
    span: Span
    text: str


def hover(
    view: View,
    line: int,
    column: int,
    reported: list[Diagnostic],
    link: PageLink,
    to: Markup = markdown,
    *,
    beside_diagnostics: bool = False,
    study_link: StudyLink | None = None,
) -> Hover | None:
    """What there is to say at a position of the document as it is now, marked up by `to`.

    `beside_diagnostics` says that the client shows the diagnostics there, too: of a finding only the rest is said then.
    With a `study_link`, the graph of a function that uses PyTorch leads to those of PyTorch's own tracers.
    """
    findings = [(one, one.finding) for one in reported if one.finding and _covers(one.span, line, column)]
    below = _function(view, line, column, to, study_link) or _value(view, line, column, to)
    parts = [
        [*([] if beside_diagnostics else _message(finding, one.stale, link, to)), *_evidence(finding, to)]
        for one, finding in findings
    ]
    remarks = [one for one in remarked(view) if _covers(one[0], line, column)]
    said = [to.lines([to.prose(text) for _, text in remarks])] if remarks else []
    sections = [*("\n\n".join(each) for each in parts if each), *said]
    if not sections:
        return below
    span = min([*(one.span for one, _ in findings), *(one for one, _ in remarks)], key=_size)
    return Hover(span, f"\n\n{to.RULE}\n\n".join([*sections, *([below.text] if below else [])]))


def _covers(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


# ---- a finding -------------------------------------------------------------------------------------


def _message(finding: Finding, stale: bool, link: PageLink, to: Markup) -> Iterator[str]:
    """What its diagnostic tells as well."""
    rule = RULES.get(finding.code)
    name = f"{finding.code} {rule.name}" if rule else finding.code
    yield _head(to.link(name, link(finding.code)), stale, to)
    yield to.prose(finding.message)


def _evidence(finding: Finding, to: Markup) -> Iterator[str]:
    if finding.value:
        times = f", {finding.count} times" if finding.count > 1 else ""
        yield f"value: {to.code(finding.value)}{times}"
    if finding.witness:
        given = [(to.code(name), value) for name, value in finding.witness.arguments.items()]
        gave = [("the function gives", finding.witness.function), ("the graph gives", finding.witness.graph)]
        yield to.table([*given, *gave], ("witness", ""))


def _head(text: str, stale: bool, to: Markup) -> str:
    return to.strong(text) + (f" {to.faint('stale')}" if stale else "")


# ---- a function ------------------------------------------------------------------------------------


def _function(view: View, line: int, column: int, to: Markup, link: StudyLink | None) -> Hover | None:
    """At a function's name, and at the example it is traced with."""
    for function, span in view.names():
        if _covers(span, line, column) and (outcome := view.shown(function)):
            return Hover(span, _graph(view, function, outcome, to, link))
        for outcome in function.outcomes:
            place = view.places.span(outcome.report.place, outcome.basis)
            if place and outcome.report.place.path == view.document.path and _covers(place, line, column):
                return Hover(place, _graph(view, function, outcome, to, link))
    return None


def _graph(view: View, function: Function, outcome: Outcome, to: Markup, link: StudyLink | None) -> str:
    report = outcome.report
    head = _head(to.prose(title(function, outcome)), view.stale(outcome), to)
    parts = [f"{head} · {to.code(report.source)}" if report.source else head]
    parts.append(to.fence(readable(report.graph), "python") if report.graph else "There is no graph.")
    parts.append(to.lines(facts(report, view.traced, to)))
    if link is not None and report.graph is not None and can_be_asked(view.document.text.source, outcome):
        links = [to.link(SHORT[one], link(function.name, report.index, one)) for one in Study]
        parts.append(f"by PyTorch: {' · '.join(links)}")
    if changes := told_changes(view, outcome, to):
        parts.append(to.lines(changes))
    for what, written in (("It wrote:", report.output), ("While the file was loaded, it wrote:", view.traced.output)):
        if written.strip():
            parts += [what, to.fence(written.strip(), "text", lines=12)]
    return "\n\n".join(parts)


def facts(report: ExampleReport, traced: Traced, to: Markup) -> list[str]:
    """What the graph costs, where it holds, how it compares with the function, and what ran it."""
    found = [graph_cost(report.graph.cost, to)] if report.graph and report.graph.cost else []
    found += [f"valid for {to.code(report.valid_for)}"] if report.valid_for else []
    time = f"{report.milliseconds:.1f} ms"
    return [*found, verdict(report, to), f"{time} · {to.prose(traced.interpreter)}" if traced.interpreter else time]


def verdict(report: ExampleReport, to: Markup) -> str:
    """How the graph compares with the function, and what that rests on."""
    tried = f": {to.prose(report.tried)}" if report.tried else ""
    match report.verdict:
        case Verdict.AGREES:
            return f"agrees with the function{tried}"
        case Verdict.DIFFERS:
            return f"differs from the function{tried}"
        case Verdict.UNVERIFIED:
            return f"not compared with the function{tried}"


# ---- a value ---------------------------------------------------------------------------------------


def _value(view: View, line: int, column: int, to: Markup) -> Hover | None:
    """The smallest expression around the position that has a node, or the value of the variable there.

    The tree is that of the text which was traced, so the answer is right while the text is being edited elsewhere.
    """
    found = view.function_at(line, column)
    candidates = [found[0]] if found else [function for function, _ in view.names()]
    for function in candidates:
        outcome = view.shown(function)
        if outcome and (answer := _node_at(view, view.traced, function, outcome, line, column, to)):
            return answer
    for traced in view.others:
        for function in traced.functions:
            outcome = function.outcome(0)
            if outcome and (answer := _node_at(view, traced, function, outcome, line, column, to)):
                return replace(answer, text=f"{answer.text}\n\n{_seen_from(function, to)}")
    return None


def _seen_from(function: Function, to: Markup) -> str:
    """For a helper: whose run the values are of."""
    return f"as called from {to.code(function.name)} in {to.code(PurePath(function.place.path).name)}"


def _node_at(
    view: View, traced: Traced, function: Function, outcome: Outcome, line: int, column: int, to: Markup
) -> Hover | None:
    path, graph = view.document.path, outcome.report.graph
    shift = view.places.shift(path, outcome.basis)
    then = shift.then(line, column) if shift else (line, column)
    tree = parse((shift.before if shift else view.document.text).source)
    if graph is None or then is None or tree is None:
        return None
    nodes, name = Nodes(path, graph.nodes), owner(function, path, tree.text.source)

    def answer(span: Span, found: list[NodeInfo]) -> Hover | None:
        now = view.places.span(Place(path, span), outcome.basis)
        stale = view.stale(outcome, traced)
        return Hover(now, node_text(tree.text.at(span), found, stale, to, graph.groups)) if now else None

    parameter = parameter_at(tree, *then)
    if parameter is not None:
        argument, whose = parameter
        found = nodes.inputs(argument.arg) if name in (None, whose) else []
        return answer(_name_of(tree.span(argument), argument), found) if found else None
    for expression in expressions_at(tree, *then):
        found = nodes.of(sources(tree, expression), name)
        if found:
            return answer(tree.span(expression), found)
    return None


def _name_of(span: Span, argument: ast.arg) -> Span:
    """The name of a parameter without its annotation."""
    return Span(span.line, span.column, span.line, span.column + len(argument.arg))


_SHOWN = 3
"""Nodes of one expression that are shown; a loop may have made thousands."""
_NAMED = 8
"""Operations that a node becomes, and that are named."""


def node_text(
    text: str, nodes: list[NodeInfo], stale: bool, to: Markup = markdown, groups: Sequence[GroupInfo] = ()
) -> str:
    """An expression and the nodes that it made; `groups` are those of their graph."""
    parts = [_head(to.code(_short(text)), stale, to)]
    for node in nodes[:_SHOWN]:
        parts.append(to.code(node.shape) + (f" shape {to.code(node.sizes)}" if node.sizes else ""))
        if node.values:
            parts.append(to.fence(node.values, "python", lines=12))
        if node.code:
            parts.append(f"graph: {to.code(told_line(node))}")
        if module := module_of(node, groups) if groups else None:
            parts.append(f"in {to.code(module)}")
        if primitives := becomes(node):
            more = f", … {len(node.becomes)} operations" if len(primitives) > _NAMED else ""
            parts.append(f"becomes {', '.join(map(to.code, primitives[:_NAMED]))}{more}")
    if len(nodes) > _SHOWN:
        parts.append(f"… {len(nodes)} nodes come from this expression")
    cost = nodes_cost(nodes, to)
    if cost is not None:
        parts.append(cost)
    return "\n\n".join(parts)


def _short(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
