"""What speaks against a fix, in the order of what it costs to find out.

The changed file does not load, or the function does not give bit for bit what it gave: on the example, on the
arguments of the witnesses, on the other examples of functions that the change touches; without floating-point errors
that were not there before.  The finding is still there, or one as severe has come.  The new graph does not give on the
finding's witness what the function gives.  Random draws are compared with a generator that draws as the function did.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from ..copies import copy_tree
from ..examples import BadExample, Example, collect, evaluate
from ..perturb import standing_in
from ..positions import FILES
from ..report import compare_results, run_plainly, same
from ..rules import Severity
from ..tracing import Trace, trace_call, verified
from ..trials import Outcome, Trial, Trials, replaced
from ..worker.wire import Finding
from .candidate import Candidate, Given, Kind
from .running import Before, Bench, Call, Watched, key_of, loaded, on_others, run, touched, tried
from .text import Text, applied, moved

_SEARCH = 0.3
"""Seconds for the search for witnesses against the changed function."""
_WEAKER = {"NST201": 0, "NST404": 0, "NST101": 1, "NST106": 2, "NST102": 3}
"""By how much of the input a finding freezes: contents, a number of iterations, a condition on a size."""
_SEVERITIES = [Severity.HINT, Severity.INFORMATION, Severity.WARNING, Severity.ERROR]


@dataclass(frozen=True, slots=True)
class _Changed:
    """The function of the changed text, with the example's arguments, and what it gave."""

    module: ModuleType
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    plan: Sequence[Trial | None]
    outcomes: Sequence[Outcome]
    """Of each trial of the plan: the example, the witnesses, variations."""


def objections(
    bench: Bench, findings: Sequence[Finding], candidate: Candidate, before: Before, until: float
) -> list[str | None]:
    """Why a fix is none for each of the findings, or None; to be asked in a copy of the process, which it changes."""
    if not before.outcomes[0].known or before.outcomes[0].error is not None:
        return ["the function gives nothing to compare"] * len(findings)
    old = Text(FILES[bench.path])
    try:
        changed = _run(bench, candidate, until)
    except BadExample as error:
        return [str(error)] * len(findings)
    except Exception as error:  # noqa: BLE001  # what does not load is no fix
        return [f"the changed file does not load: {type(error).__name__}: {error}"] * len(findings)
    objected = _of_results(bench, candidate, before, changed) or _of_others(
        bench, candidate, before, changed, old, until
    )
    if objected is not None:
        return [objected] * len(findings)
    found = trace_call(changed.function, changed.args, changed.kwargs, bench.mode)
    compared = _Compared(bench, candidate, old, Text(FILES[bench.path]))
    if any(f.severity is not Severity.HINT for f in compared.news(found, findings)):
        with Trials(changed.function, changed.args, changed.kwargs, bench.mode) as trials:
            found = verified(found, trials, {}, _SEARCH)  # how severe what has come is
    graph = _of_graph(bench, findings, candidate, found, changed)
    return [
        compared.objection(found, finding) or graph or _of_witness(bench, finding, candidate, found, changed)
        for finding in findings
    ]


def _run(bench: Bench, candidate: Candidate, until: float) -> _Changed:
    """Load the changed text and run the function as it was run before.  Raises BadExample, and what the text raises."""
    module = loaded(bench, applied(bench.text, candidate.changes), draws=candidate.draws)
    function, args, kwargs = evaluate(_same_example(bench), module)
    drawn = _drawing(candidate, module)
    plan = tried(bench, module, function, args, kwargs, candidate.parameter)
    plan = [t and replace(t, leaves={**t.leaves, **drawn}) for t in plan]
    watched = Call(Watched(function, candidate.draws), args, kwargs, bench.mode)
    outcomes = run(watched, plan, until, apart=bench.has_state or candidate.draws)
    return _Changed(module, function, args, kwargs, plan, outcomes)


def _same_example(bench: Bench) -> Example:
    """The example in the changed file; one that annotations made is what it was."""
    if bench.example.origin == "annotation":
        return bench.example
    for example in collect(FILES[bench.path])[0]:
        if key_of(example) == key_of(bench.example) and example.origin == bench.example.origin:
            return example
    raise BadExample("the example is gone")


# ---- results ---------------------------------------------------------------------------------------


def _of_results(bench: Bench, candidate: Candidate, before: Before, changed: _Changed) -> str | None:
    """Results that are others than before."""
    variations = 1 + len(bench.witnesses)
    for number, (trial, was, now) in enumerate(zip(changed.plan, before.outcomes, changed.outcomes, strict=False)):
        if trial is None or not was.known or (candidate.kind is Kind.CLOSURE and trial.nudge is not None):
            continue  # what a witness varies is no input any more where it became a default
        if number >= variations and was.error is not None:
            continue  # arguments that the function does not take
        if not _agree(was, now, arguments=candidate.kind is not Kind.COPY):
            return f"{dict(trial.leaves) or 'the example'} gives {now.shown}, not {was.shown}"
    return None


def _agree(old: Outcome, new: Outcome, *, arguments: bool) -> bool:
    """Whether a changed function did what it did: the same value and no new floating-point error, or the same raise.

    With `arguments`, these are the same after the call, too.
    """
    if not old.known or not new.known:
        return False
    if old.error is not None or new.error is not None:
        return old.error == new.error
    before, after = old.value, new.value
    kept = not arguments or all(same(tree, after.arguments.get(name)) for name, tree in before.arguments.items())
    return kept and same(before.value, after.value) and after.met <= before.met


def _of_others(
    bench: Bench, candidate: Candidate, before: Before, changed: _Changed, old: Text, until: float
) -> str | None:
    wanted = before.others.keys() & touched(old, candidate.changes)
    results = on_others(bench, changed.module, until, wanted)
    for key, value in results.items():
        if not same(value, before.others[key]):
            return f"another example, of {key[0]}, gives something else"
    return None


# ---- random draws ----------------------------------------------------------------------------------


class _Drawing:
    """Stands in for a generator, and draws from the global ones as the function did before."""

    def __init__(self, names: dict[str, str], module: str) -> None:
        self._names = names
        self._module = module

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        source: Any = np.random if self._module == "numpy" else random
        return getattr(source, self._names.get(name, name))


_AS_NUMPY = {"random": "random_sample", "integers": "randint"}
_AS_PYTHON = {"normal": "gauss"}


def _drawing(candidate: Candidate, module: ModuleType) -> dict[tuple[str], Any]:
    """What a new parameter for draws gets, so that they are the ones of before."""
    parameter = candidate.parameter
    if parameter is None or not candidate.draws:
        return {}
    match parameter.given:
        case Given.NUMPY:
            drawn: Any = _Drawing(_AS_NUMPY, "numpy")
        case Given.PYTHON:
            drawn = _Drawing(_AS_PYTHON, "random")
        case _:
            own = vars(module).get(parameter.name)
            drawn = copy.deepcopy(own) if own is not None else np.random.default_rng(0)
    return {(parameter.name,): drawn}


# ---- findings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Compared:
    """The findings before and after a change."""

    bench: Bench
    candidate: Candidate
    old: Text
    new: Text

    def objection(self, found: Trace, finding: Finding) -> str | None:
        """The finding, where it is still there, or a new one that is as severe."""
        if found.error is not None:
            return f"it cannot be traced: {found.error}"
        for each in found.findings:
            less = self.candidate.draws and not _is_as_severe(each, finding)
            if self._is_same(each, finding) and not less:
                return "the finding is still there"
        for new in self.news(found, [finding]):
            weaker = self._is_at(new, finding) and _WEAKER.get(new.code, -1) > _WEAKER.get(finding.code, 9)
            if _is_as_severe(new, finding) and not weaker:
                return f"{new.code} has come at {new.text}"
        return None

    def news(self, found: Trace, mended: Sequence[Finding]) -> list[Finding]:
        """The findings that were not there before, besides what is left of those that are mended."""
        return [f for f in found.findings if not any(self._is_same(f, old) for old in (*self.bench.findings, *mended))]

    def _is_same(self, new: Finding, old: Finding) -> bool:
        return new.code == old.code and self._is_at(new, old)

    def _is_at(self, new: Finding, old: Finding) -> bool:
        """Whether a finding is where one was before the change."""
        if new.place.path != self.bench.path or old.place.path != self.bench.path:
            return new.place == old.place
        first, last = moved(self.old.offsets(old.place.span), self.candidate.changes)
        start, end = self.new.offsets(new.place.span)
        return start < last and first < end


def _is_as_severe(new: Finding, old: Finding) -> bool:
    return _SEVERITIES.index(new.severity) >= _SEVERITIES.index(old.severity)


# ---- the graph -------------------------------------------------------------------------------------


def _of_graph(
    bench: Bench, mended: Sequence[Finding], candidate: Candidate, found: Trace, changed: _Changed
) -> str | None:
    """Arguments for which function and graph differ, though no guard fails and no other finding has such."""
    if found.error is not None or candidate.draws or any(f.witness and f not in mended for f in bench.findings):
        return None
    for trial, outcome in zip(changed.plan, changed.outcomes, strict=True):
        if trial is None or trial.nudge is not None or not outcome.known or outcome.error is not None:
            continue
        args, kwargs = _arguments(trial, changed)
        graph = run_plainly(found.graph.replay, args, kwargs)
        if not same(graph.value, outcome.value.value) and not found.graph.failed_guards(*args, **kwargs):
            return f"for {dict(trial.leaves)} function and graph differ now"
    return None


def _of_witness(bench: Bench, finding: Finding, candidate: Candidate, found: Trace, changed: _Changed) -> str | None:
    """The finding's witness, where it could not be run or function and graph still differ on it."""
    if finding.witness is None or candidate.draws:
        return None
    if finding.witness not in bench.witnesses:
        return "its witness was not run"
    number = 1 + bench.witnesses.index(finding.witness)
    trial, outcome = changed.plan[number], changed.outcomes[number]
    hidden = trial is not None and trial.nudge is not None and candidate.kind not in (Kind.CLOSURE, Kind.BUFFER)
    if trial is None or not outcome.known or hidden:
        return "its witness cannot be run"
    args, kwargs = _arguments(trial, changed)
    graph = run_plainly(found.graph.replay, args, kwargs)
    plain = run_plainly(changed.function, args, kwargs)
    if not compare_results(plain, graph):
        return f"on its witness function and graph differ: {plain.text}, {graph.text}"
    return None


def _arguments(trial: Trial, changed: _Changed) -> tuple[tuple[Any, ...], dict[str, Any]]:
    given = standing_in(copy_tree((list(changed.args), changed.kwargs)))
    args, named = replaced(given[0], given[1], changed.function, trial.leaves)
    return tuple(args), named
