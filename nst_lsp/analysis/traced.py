"""What is known of one file: the latest outcome of every example, whichever run it came from.

A run's messages are folded into a `Traced` one by one (`advance`), so that each result stands until its successor is
there.  Results of an earlier run are *kept* while a newer one is under way, and for good where the newer one could
not load the file (a syntax error, a failing import): nothing is cleared for want of something better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from tracer.worker.wire import (
    ExampleDone,
    ExampleReport,
    ExampleSettled,
    ExampleStarted,
    FileDone,
    Finding,
    FunctionReport,
    ModuleLoaded,
    Offer,
    Place,
    Status,
    example_key,
)

from .changes import Changes, compare
from .document import Snapshot

Basis = Mapping[str, Snapshot]
"""The open documents, by path, as they were when a run began: what its positions speak of."""


Known = Mapping[str, ExampleReport | None]
"""Reports that a run need not find out again, by `example_key`; None for one that cannot be told any more."""
NOTHING: Known = MappingProxyType({})


@dataclass(frozen=True)
class Outcome:
    """One example's report and the texts it speaks of."""

    report: ExampleReport
    basis: Basis
    kept: bool = False
    """From an earlier run than the latest."""
    fingerprint: str = ""
    """What the report rests on; empty where that is not known."""
    settled: bool = False
    """Nothing more comes of the run that gave the report."""
    before: ExampleReport | None = None
    """What was known before the text, or the graph, became another."""
    is_news: bool = False
    """It became so with the texts of `basis`, not with earlier ones."""

    def rests_on_the_same(self, other: Outcome) -> bool:
        """Whether function and example are what they were, with all that a run reads; not where nobody knows."""
        return self.basis is other.basis or self.fingerprint == other.fingerprint != ""

    @cached_property
    def has_torch(self) -> bool:
        """Whether an operation of PyTorch's is in the graph; looked at once, as lenses ask with every keystroke."""
        graph = self.report.graph
        return graph is not None and any(node.operation.startswith("torch.") for node in graph.nodes)

    @cached_property
    def changes(self) -> Changes:
        """What has changed since `before`; worked out when it is first asked for."""
        return compare(self.before, self.report) if self.before else Changes()


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    place: Place
    basis: Basis
    outcomes: tuple[Outcome, ...] = ()

    def outcome(self, index: int) -> Outcome | None:
        """The outcome of example `index`, or of the first one that there is."""
        chosen = (outcome for outcome in self.outcomes if outcome.report.index == index)
        return next(chosen, self.outcomes[0] if self.outcomes else None)


@dataclass(frozen=True, slots=True)
class Traced:
    path: str
    functions: tuple[Function, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Of the module as a whole: it could not be imported, an example could not be read."""
    findings_basis: Basis | None = None
    offers: tuple[Offer, ...] = ()
    """Examples that could be written, as of the last text that could be loaded."""
    dependencies: tuple[str, ...] = ()
    interpreter: str = ""
    """What ran the latest run, for people."""
    worker: int = 0
    """The process that ran it."""
    output: str = ""
    done: bool = False
    """The latest run came to its end."""
    loaded: bool = False
    """The latest run could load the file."""
    error: str | None = None
    """Why the latest run itself could not be done."""

    @property
    def import_failure(self) -> str | None:
        """Why the latest run could not load the file; another file may be the reason."""
        return None if self.loaded else next((one.message for one in self.findings if one.code == "NST503"), None)

    def function(self, name: str) -> Function | None:
        return next((function for function in self.functions if function.name == name), None)

    def outdated(self, outcome: Outcome) -> bool:
        """Whether a run came to its end without renewing an outcome that it should have: the file does not load now."""
        return self.done and outcome.kept

    def bases(self) -> list[Basis]:
        """Every set of texts that something here speaks of."""
        found = [self.findings_basis or {}]
        for function in self.functions:
            found += [function.basis, *(outcome.basis for outcome in function.outcomes)]
        return found

    def all_findings(self) -> Iterator[tuple[Finding, Basis]]:
        """Every finding with the texts it speaks of."""
        for finding in self.findings:
            yield finding, self.findings_basis or {}
        for function in self.functions:
            for outcome in function.outcomes:
                for finding in outcome.report.findings:
                    yield finding, outcome.basis


def begin(traced: Traced, interpreter: str, worker: int = 0) -> Traced:
    """A new run starts: everything known so far is kept from before."""
    functions = tuple(
        replace(function, outcomes=tuple(replace(outcome, kept=True) for outcome in function.outcomes))
        for function in traced.functions
    )
    return replace(
        traced, functions=functions, interpreter=interpreter, worker=worker, done=False, loaded=False, error=None
    )


News = ModuleLoaded | ExampleStarted | ExampleDone | ExampleSettled | FileDone


def advance(traced: Traced, message: News, basis: Basis, known: Known = NOTHING) -> Traced:
    """What is known after one more message of the run that began with `basis`.

    `known` are the reports, in terms of the texts of `basis`, that the run need not find out again.
    """
    match message:
        case ModuleLoaded():
            return _loaded(traced, message, basis)
        case ExampleStarted():
            return traced
        case ExampleDone():
            return _with_report(traced, message.function, message.report, basis)
        case ExampleSettled():
            return _settled(traced, message, basis, known)
        case FileDone():
            return _ended(traced, message.error)


def _loaded(traced: Traced, message: ModuleLoaded, basis: Basis) -> Traced:
    failed = not message.functions and any(finding.code in _NOT_LOADED for finding in message.findings)
    known = {function.name: function.outcomes for function in traced.functions}
    functions = tuple(_function(report, known.get(report.name, ()), basis) for report in message.functions)
    return replace(
        traced,
        functions=traced.functions if failed else functions,
        findings=message.findings,
        findings_basis=basis,
        offers=traced.offers if failed else message.offers,
        dependencies=tuple(sorted({*traced.dependencies, *message.dependencies})) if failed else message.dependencies,
        output=message.output,
        loaded=not failed,
    )


_NOT_LOADED = frozenset({"NST503", "NST504"})


def _function(report: FunctionReport, known: tuple[Outcome, ...], basis: Basis) -> Function:
    return Function(report.name, report.place, basis, known)


def _settled(traced: Traced, message: ExampleSettled, basis: Basis, known: Known) -> Traced:
    function = traced.function(message.function)
    outcome = function.outcome(message.example) if function else None
    if message.kept:
        report = known.get(example_key(message.function, message.example))
        if report is not None:
            outcome = _told_anew(outcome, report, basis)
        elif outcome is not None:  # it stands where it stood until it is found out again
            return _with_outcome(traced, message.function, replace(outcome, kept=False, fingerprint=""))
    if outcome is None or outcome.kept or outcome.report.index != message.example:
        return traced
    dependencies = tuple(sorted({*traced.dependencies, *message.dependencies}))
    settled = replace(outcome, fingerprint=message.fingerprint, settled=True)
    told = _with_outcome(traced, message.function, settled)
    return replace(told, dependencies=dependencies)


def _with_report(traced: Traced, name: str, report: ExampleReport, basis: Basis) -> Traced:
    function = traced.function(name)
    known = next((one for one in function.outcomes if one.report.index == report.index), None) if function else None
    return _with_outcome(traced, name, _succeeding(known, Outcome(report, basis)))


def _succeeding(old: Outcome | None, new: Outcome) -> Outcome:
    """A report with the one it is to be compared with: the last that came to its end, of another text or graph.

    A run over the same texts that gives the same graph, and the further reports of one run, are compared with what
    the first of them was compared with.
    """
    if old is None:
        return new
    if not old.kept or not old.settled or old.report.status is not Status.TRACED or _is_the_same(old, new):
        return replace(new, before=old.before, is_news=old.is_news)
    return replace(new, before=old.report, is_news=True)


def _told_anew(old: Outcome | None, report: ExampleReport, basis: Basis) -> Outcome:
    """A report that was not found out again, in terms of the texts of now: no news any more where these are others."""
    if old is None or old.report.index != report.index:
        return Outcome(report, basis)
    is_news = old.is_news and _are_the_same(old.basis, basis)
    return Outcome(report, basis, before=old.before, is_news=is_news)


def _is_the_same(old: Outcome, new: Outcome) -> bool:
    """Whether two runs were over the same texts, and gave the same graph."""
    one, other = old.report, new.report
    same = one.graph is not None and other.graph is not None and one.graph.code == other.graph.code
    return same and one.guards == other.guards and _are_the_same(old.basis, new.basis)


def _are_the_same(old: Basis, new: Basis) -> bool:
    """Whether the files that were open both times have the same texts."""
    return all(old[path].text == new[path].text for path in old.keys() & new.keys())


def _with_outcome(traced: Traced, name: str, outcome: Outcome) -> Traced:
    functions = tuple(
        replace(function, outcomes=_put(function.outcomes, outcome)) if function.name == name else function
        for function in traced.functions
    )
    return replace(traced, functions=functions)


def _put(outcomes: tuple[Outcome, ...], new: Outcome) -> tuple[Outcome, ...]:
    others = [outcome for outcome in outcomes if outcome.report.index != new.report.index]
    return tuple(sorted([*others, new], key=lambda outcome: outcome.report.index))


def _ended(traced: Traced, error: str | None) -> Traced:
    """The run is over: what it did not renew is gone from the file, unless it could not get there."""
    if error is not None or not traced.loaded:
        return replace(traced, done=True, error=error)
    functions = tuple(
        replace(function, outcomes=tuple(outcome for outcome in function.outcomes if not outcome.kept))
        for function in traced.functions
    )
    return replace(traced, functions=functions, done=True, error=None)
