"""Hovers: a function's graph, an expression's node, a variable's value, a finding with its evidence."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath

from tracer.rules import RULES
from tracer.worker.wire import ExampleReport, Finding, NodeInfo, Place, Span, Verdict

from . import markdown
from .diagnostics import Diagnostic
from .graphs import title
from .outline import expressions_at, parameter_at, parse, sources_of
from .traced import Function, Outcome, Traced
from .view import View

PageLink = Callable[[str], str | None]
"""The address of a rule's page, by its code."""


@dataclass(frozen=True, slots=True)
class Hover:
    span: Span
    text: str
    """Markdown."""


def hover(view: View, line: int, column: int, reported: list[Diagnostic], link: PageLink) -> Hover | None:
    """What there is to say at a position of the document as it is now."""
    findings = [one for one in reported if one.finding and _covers(one.span, line, column)]
    below = _function(view, line, column) or _value(view, line, column)
    if not findings:
        return below
    sections = [_finding(one.finding, one.stale, link) for one in findings if one.finding]
    span = min((one.span for one in findings), key=_size)
    return Hover(span, "\n\n---\n\n".join([*sections, *([below.text] if below else [])]))


def _covers(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_column - span.column


# ---- a finding -------------------------------------------------------------------------------------


def _finding(finding: Finding, stale: bool, link: PageLink) -> str:
    rule = RULES.get(finding.code)
    name = f"{finding.code} {rule.name}" if rule else finding.code
    page = link(finding.code)
    head = f"[{name}]({page})" if page else name
    parts = [f"**{head}**" + (" *(stale)*" if stale else ""), markdown.prose(finding.message)]
    if finding.value:
        times = f", {finding.count} times" if finding.count > 1 else ""
        parts.append(f"value: {markdown.code(finding.value)}{times}")
    if finding.witness:
        given = [(markdown.code(name), value) for name, value in finding.witness.arguments.items()]
        gave = [("the function gives", finding.witness.function), ("the graph gives", finding.witness.graph)]
        parts.append(markdown.table([*given, *gave], ("witness", "")))
    return "\n\n".join(parts)


# ---- a function ------------------------------------------------------------------------------------


def _function(view: View, line: int, column: int) -> Hover | None:
    """At a function's name, and at the example it is traced with."""
    for function, span in view.names():
        if _covers(span, line, column) and (outcome := view.shown(function)):
            return Hover(span, _graph(view, function, outcome))
        for outcome in function.outcomes:
            place = view.places.span(outcome.report.place, outcome.basis)
            if place and outcome.report.place.path == view.document.path and _covers(place, line, column):
                return Hover(place, _graph(view, function, outcome))
    return None


def _graph(view: View, function: Function, outcome: Outcome) -> str:
    report = outcome.report
    head = f"**{markdown.prose(title(function, outcome))}**" + (" *(stale)*" if view.stale(outcome) else "")
    parts = [f"{head} · {markdown.code(report.source)}" if report.source else head]
    parts.append(markdown.fence(report.graph.code, "python") if report.graph else "There is no graph.")
    parts.append("  \n".join(_facts(report, view.traced)))
    output = report.output.strip()
    if output:
        parts += ["It wrote:", markdown.fence(output, "text", lines=12)]
    return "\n\n".join(parts)


def _facts(report: ExampleReport, traced: Traced) -> list[str]:
    facts = [f"valid for {markdown.code(report.valid_for)}"] if report.valid_for else []
    facts.append(_verdict(report))
    time = f"{report.milliseconds:.1f} ms"
    return [*facts, f"{time} · {markdown.prose(traced.interpreter)}" if traced.interpreter else time]


def _verdict(report: ExampleReport) -> str:
    tried = f": {markdown.prose(report.tried)}" if report.tried else ""
    match report.verdict:
        case Verdict.AGREES:
            return f"agrees with the function{tried}"
        case Verdict.DIFFERS:
            return f"differs from the function{tried}"
        case Verdict.UNVERIFIED:
            return f"not compared with the function{tried}"


# ---- a value ---------------------------------------------------------------------------------------


def _value(view: View, line: int, column: int) -> Hover | None:
    """The smallest expression around the position that has a node, or the value of the variable there.

    The tree is that of the text which was traced, so the answer is right while the text is being edited elsewhere.
    """
    found = view.function_at(line, column)
    candidates = [found[0]] if found else [function for function, _ in view.names()]
    for function in candidates:
        outcome = view.shown(function)
        if outcome and (answer := _node_at(view, outcome, line, column)):
            return answer
    for traced in view.others:
        for function in traced.functions:
            if function.outcomes and (answer := _node_at(view, function.outcomes[0], line, column)):
                return replace(answer, text=f"{answer.text}\n\n{_seen_from(function)}")
    return None


def _seen_from(function: Function) -> str:
    """For a helper: whose run the values are of."""
    return f"as called from {markdown.code(function.name)} in {markdown.code(PurePath(function.place.path).name)}"


def _node_at(view: View, outcome: Outcome, line: int, column: int) -> Hover | None:
    path, graph = view.document.path, outcome.report.graph
    shift = view.places.shift(path, outcome.basis)
    then = shift.then(line, column) if shift else (line, column)
    tree = parse((shift.before if shift else view.document.text).source)
    if graph is None or then is None or tree is None:
        return None
    nodes = _by_span(path, graph.nodes)

    def answer(span: Span, found: list[NodeInfo]) -> Hover | None:
        now = view.places.span(Place(path, span), outcome.basis)
        return Hover(now, _node(tree.text.at(span), found, view.stale(outcome))) if now else None

    parameter = parameter_at(tree, *then)
    if parameter is not None:
        found = _inputs(graph.nodes, parameter.arg)
        return answer(_name_of(tree.span(parameter), parameter), found) if found else None
    for expression in expressions_at(tree, *then):
        span = tree.span(expression)
        if span in nodes:
            return answer(span, nodes[span])
        if isinstance(expression, ast.Name):
            for source in sources_of(tree, expression):
                found = _inputs(graph.nodes, source.parameter) if source.parameter else nodes.get(source.span, [])
                if found:
                    return answer(span, found)
    return None


def _by_span(path: str, nodes: tuple[NodeInfo, ...]) -> dict[Span, list[NodeInfo]]:
    found: dict[Span, list[NodeInfo]] = {}
    for node in nodes:
        if node.place is not None and node.place.path == path:
            found.setdefault(node.place.span, []).append(node)
    return found


def _inputs(nodes: tuple[NodeInfo, ...], parameter: str) -> list[NodeInfo]:
    """The inputs that a parameter brought: itself, or its parts (`params["w"]`)."""
    return [node for node in nodes if node.operation == "input" and _belongs(node, parameter)]


def _belongs(node: NodeInfo, parameter: str) -> bool:
    return node.name == parameter or any(
        text.startswith((f"{parameter}[", f"{parameter}.")) for text in (node.name, node.code)
    )


def _name_of(span: Span, argument: ast.arg) -> Span:
    """The name of a parameter without its annotation."""
    return Span(span.line, span.column, span.line, span.column + len(argument.arg))


_SHOWN = 3
"""Nodes of one expression that are shown; a loop may have made thousands."""


def _node(text: str, nodes: list[NodeInfo], stale: bool) -> str:
    parts = [f"**{markdown.code(_short(text))}**" + (" *(stale)*" if stale else "")]
    for node in nodes[:_SHOWN]:
        parts.append(markdown.code(node.shape) + (f" shape {markdown.code(node.sizes)}" if node.sizes else ""))
        if node.values:
            parts.append(markdown.fence(node.values, "python", lines=12))
        if node.code:
            parts.append(f"graph: {markdown.code(node.code)}")
    if len(nodes) > _SHOWN:
        parts.append(f"… {len(nodes)} nodes come from this expression")
    return "\n\n".join(parts)


def _short(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
