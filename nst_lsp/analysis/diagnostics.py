"""The diagnostics of one file: its findings as they stand now, after settings and comments have had their say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tracer.rules import RULES, Severity
from tracer.worker.wire import Finding, Place, Related, Span, Witness

from ..settings import Settings, matches
from .outline import definitions
from .places import Places
from .ranking import once
from .selection import selected
from .silence import Unused, silence
from .syntax import BAD_EXAMPLE, bad_examples, is_of_the_text, mistakes
from .traced import Basis, Traced
from .untaken import untaken

UNUSED_IGNORE = "unused-ignore"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    span: Span
    severity: Severity
    code: str
    message: str
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    """The text is not part of the graph, or has no effect: editors show it faded."""
    finding: Finding | None = None
    """The finding it tells of, with the positions of now."""
    stale: bool = False


def diagnostics(
    path: str, source: str, tracings: Iterable[Traced], places: Places, settings: Settings, root: str
) -> list[Diagnostic]:
    """All that is to be said about the file at `path`, whose text is now `source`.

    `tracings` are all traces at hand, as a function traced in one file may have its fault in another.
    """
    known = list(tracings)
    moved = [moved for traced in known for moved in _moved(path, traced, places)]
    own = any(traced.path == path for traced in known) and not matches(settings.exclude, path, root)
    moved = _with_the_text(moved, source, path) if own else moved
    stale = {(finding.code, finding.place.span) for finding, is_stale in moved if is_stale}
    kept, unused = silence(source, selected(once(finding for finding, _ in moved), settings, root))
    told = [_tell(finding, (finding.code, finding.place.span) in stale) for finding in kept]
    fading = untaken(path, (finding for finding, _ in moved), known, places)
    faded = [dead for finding in kept for dead in _dead(finding, fading)]
    complete = any(traced.path == path and _is_complete(traced, places) for traced in known)
    mistaken = (
        [Diagnostic(one.span, Severity.WARNING, one.code, one.message) for one in mistakes(source)] if own else []
    )
    left = [one for one in unused if complete and not any(_within(mistake.span, one.span) for mistake in mistaken)]
    return [*told, *_once_each(faded), *mistaken, *_unused(source, left, known, path)]


def _with_the_text(moved: list[tuple[Finding, bool]], source: str, path: str) -> list[tuple[Finding, bool]]:
    """With what the text alone tells of its examples, which is known before any trace and needs no other."""
    told = bad_examples(source, path)
    lines = {one.place.span.line for one in told}
    refuted = definitions(source) is not None
    kept = [
        (finding, stale)
        for finding, stale in moved
        if not (stale and refuted and is_of_the_text(finding) and finding.place.span.line not in lines)
    ]
    traced = {finding.place.span.line for finding, _ in kept if finding.code == BAD_EXAMPLE}
    return [*kept, *((one, False) for one in told if one.place.span.line not in traced)]


def _within(inner: Span, outer: Span) -> bool:
    return inner.line == outer.line and outer.column <= inner.column and inner.end_column <= outer.end_column


def _moved(path: str, traced: Traced, places: Places) -> Iterator[tuple[Finding, bool]]:
    """The findings that lie in a file, moved to where they stand now, and whether they are stale."""
    for finding, basis, outdated in _found(traced):
        if finding.place.path != path:
            continue
        span = places.span(finding.place, basis)
        if span is not None:
            related = tuple(one for one in (_related(one, basis, places) for one in finding.related) if one)
            dead = tuple(one for one in (places.span(Place(path, dead), basis) for dead in finding.dead) if one)
            place = Place(path, span)
            yield replace(finding, place=place, related=related, dead=dead), outdated or places.stale(path, basis)


def _found(traced: Traced) -> Iterator[tuple[Finding, Basis, bool]]:
    """Every finding with the texts it speaks of, and whether a later run should have renewed it."""
    for finding in traced.findings:
        yield finding, traced.findings_basis or {}, False
    for function in traced.functions:
        for outcome in function.outcomes:
            for finding in outcome.report.findings:
                yield finding, outcome.basis, traced.outdated(outcome)


def _related(related: Related, basis: Basis, places: Places) -> Related | None:
    span = places.span(related.place, basis)
    return Related(related.message, Place(related.place.path, span)) if span else None


def _tell(finding: Finding, stale: bool) -> Diagnostic:
    message = "\n".join([headline(finding) + (" (stale)" if stale else ""), *witness_lines(finding.witness)])
    return Diagnostic(
        finding.place.span, finding.severity, finding.code, message, finding.related, finding=finding, stale=stale
    )


def headline(finding: Finding) -> str:
    """What happened, with the rule's name, which many editors show nowhere else."""
    name = f"{RULES[finding.code].name}: " if finding.code in RULES else ""
    return name + finding.message + (f" (×{finding.count})" if finding.count > 1 else "")


def witness_lines(witness: Witness | None) -> list[str]:
    """The evidence in a line or two, for editors that show nothing but the message."""
    if witness is None:
        return []
    arguments = ", ".join(f"{name} = {value}" for name, value in witness.arguments.items())
    return [f"with {arguments}: the function gives {witness.function}, the graph {witness.graph}"]


def _dead(finding: Finding, fading: set[Span]) -> list[Diagnostic]:
    message = (
        f"not in the graph: `{finding.text}` was {finding.value} for the example"
        if finding.value
        else "not in the graph"
    )
    shown = [span for span in finding.dead if span in fading]
    return [Diagnostic(span, Severity.HINT, finding.code, message, unnecessary=True) for span in shown]


def _once_each(told: list[Diagnostic]) -> list[Diagnostic]:
    return list({diagnostic.span: diagnostic for diagnostic in told}.values())


# ---- comments that silence nothing -----------------------------------------------------------------


def _is_complete(traced: Traced, places: Places) -> bool:
    """Whether the trace came to its end and the file is still what it speaks of."""
    if not traced.done or not traced.loaded or traced.error is not None:
        return False
    return not any(places.stale(traced.path, function.basis) for function in traced.functions)


def _unused(source: str, unused: list[Unused], tracings: list[Traced], path: str) -> Iterator[Diagnostic]:
    """Only within functions that were traced: elsewhere nobody looked, so nobody knows."""
    traced = {
        function.place.span for one in tracings if one.path == path for function in one.functions if function.outcomes
    }
    bodies = [one.span for one in definitions(source) or () if one.name_span in traced]
    for one in unused:
        if any(body.line <= one.span.line <= body.end_line for body in bodies):
            yield Diagnostic(one.span, Severity.HINT, UNUSED_IGNORE, one.message, unnecessary=True)
