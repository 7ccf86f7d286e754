"""What speaks against a fix, in the order of what it costs to find out.

The changed file does not load, or the function does not give bit for bit what it gave: on the example, on the
arguments of the witnesses, on the other examples of functions that the change touches; without floating-point errors
that were not there before.  The finding is still there, or one as severe has come.  The new graph does not give on the
finding's witness what the function gives.  Random draws are compared with a generator that draws as the function did.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from ..examples import BadExample, Example, collect, evaluate
from ..positions import FILES
from ..report import compare_results, run_plainly, same
from ..rules import Severity
from ..tracing import Trace, trace_call, verified
from ..trials import Outcome, Trials, replaced
from ..worker.wire import Finding, Verdict
from .candidate import Candidate, Given, Kind
from .running import Before, Bench, Key, Watched, key_of, loaded, on_others, run, tried, witness_trial
from .text import DEFINITIONS, Change, Text, applied, moved, names_in

_SEARCH = 0.3
"""Seconds for the search for witnesses against the changed function."""
_WEAKER = {"NST201": 0, "NST404": 0, "NST101": 1, "NST106": 2, "NST102": 3}
"""By how much of the input a finding freezes: contents, a number of iterations, a condition on a size."""
_SEVERITIES = [Severity.HINT, Severity.INFORMATION, Severity.WARNING, Severity.ERROR]


@dataclass(frozen=True, slots=True)
class _Changed:
    """The function of the changed text, with the example's arguments."""

    module: ModuleType
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def call(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        return self.function, self.args, self.kwargs


def objections(
    bench: Bench, findings: Sequence[Finding], candidate: Candidate, before: Before, until: float
) -> list[str | None]:
    """Why a fix is none for each of the findings, or None; to be asked in a copy of the process, which it changes."""
    old = Text(FILES[bench.path])
    try:
        module = loaded(bench, applied(bench.text, candidate.changes), draws=candidate.draws)
        function, args, kwargs = evaluate(_same_example(bench), module)
    except BadExample as error:
        return [str(error)] * len(findings)
    except Exception as error:  # noqa: BLE001  # what does not load is no fix
        return [f"the changed file does not load: {type(error).__name__}: {error}"] * len(findings)
    changed = _Changed(module, function, args, kwargs)
    objected = _of_results(bench, candidate, before, changed, until)
    if objected is not None:
        return [objected] * len(findings)
    with Trials(function, args, kwargs, bench.mode) as trials:
        found = verified(trace_call(function, args, kwargs, bench.mode), trials, {}, _SEARCH)
    return [
        _of_findings(bench, finding, candidate, found, old)
        or _of_graph(bench, finding, candidate, before, found, changed)
        for finding in findings
    ]


def _same_example(bench: Bench) -> Example:
    """The example in the changed file; one that annotations made is what it was."""
    if bench.example.origin == "annotation":
        return bench.example
    for example in collect(FILES[bench.path])[0]:
        if key_of(example) == key_of(bench.example) and example.origin == bench.example.origin:
            return example
    raise BadExample("the example is gone")


# ---- results ---------------------------------------------------------------------------------------


def _of_results(bench: Bench, candidate: Candidate, before: Before, changed: _Changed, until: float) -> str | None:
    """Results that are others than before."""
    if not before.outcomes[0].known or before.outcomes[0].error is not None:
        return "the function gives nothing to compare"
    drawn = _drawing(candidate, changed)
    plan = tried(bench, changed.module, *changed.call, candidate.parameter)
    plan = [t and replace(t, leaves={**t.leaves, **drawn}) for t in plan]
    with Trials(Watched(changed.function, candidate.draws), changed.args, changed.kwargs, bench.mode) as trials:
        outcomes = run(trials, plan, until, apart=bench.has_state or candidate.draws)
    variations = 1 + len(bench.witnesses)
    for number, (trial, was, now) in enumerate(zip(plan, before.outcomes, outcomes, strict=False)):
        if trial is None or not was.known or (candidate.kind is Kind.CLOSURE and trial.nudge is not None):
            continue  # what a witness varies is no input any more where it became a default
        if number >= variations and was.error is not None:
            continue  # arguments that the function does not take
        if not _agree(was, now):
            return f"{dict(trial.leaves) or 'the example'} gives {now.shown}, not {was.shown}"
    return _of_others(bench, candidate, before, changed, until)


def _agree(old: Outcome, new: Outcome) -> bool:
    """Whether a changed function did what it did: the same value and no new floating-point error, or the same raise."""
    if not old.known or not new.known:
        return False
    if old.error is not None or new.error is not None:
        return old.error == new.error
    (before, met), (after, meets) = old.value, new.value
    return same(before, after) and set(meets) <= set(met)


def _of_others(bench: Bench, candidate: Candidate, before: Before, changed: _Changed, until: float) -> str | None:
    wanted = before.others.keys() & _touched(Text(FILES[bench.path]), candidate.changes)
    results = on_others(bench, changed.module, until, wanted) if wanted else {}
    for key, value in results.items():
        if not same(value, before.others[key]):
            return f"another example, of {key[0]}, gives something else"
    return None


def _touched(text: Text, changes: Sequence[Change]) -> set[Key]:
    """The examples of functions in which something was changed, or that speak of such."""
    functions = [n for n in ast.walk(text.file.tree) if isinstance(n, DEFINITIONS)]
    places = [moved((c.start, c.end), changes) for c in changes]
    within = {f.name for f in functions for first, last in [text.range(f)] if any(first <= p[0] < last for p in places)}
    names = {f.name for f in functions if f.name in within or names_in(f) & within}
    return {key_of(e) for e in collect(text.file)[0] if e.function.rpartition(".")[2] in names}


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


def _drawing(candidate: Candidate, changed: _Changed) -> dict[tuple[str], Any]:
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
            own = vars(changed.module).get(parameter.name)
            drawn = copy.deepcopy(own) if own is not None else np.random.default_rng(0)
    return {(parameter.name,): drawn}


# ---- findings --------------------------------------------------------------------------------------


def _of_findings(bench: Bench, finding: Finding, candidate: Candidate, found: Trace, old: Text) -> str | None:
    """The finding, where it is still there, and new ones that are as severe."""
    if found.error is not None:
        return f"it cannot be traced: {found.error}"
    text = Text(FILES[bench.path])
    place = moved(old.offsets(finding.place.span), candidate.changes)
    known = [
        (f.code, moved(old.offsets(f.place.span), candidate.changes))
        for f in bench.findings
        if f != finding and f.place.path == bench.path
    ]
    elsewhere = [(f.code, f.place) for f in bench.findings if f.place.path != bench.path]
    for new in found.findings:
        if new.place.path != bench.path:
            if (new.code, new.place) not in elsewhere and _is_as_severe(new, finding):
                return f"{new.code} has come at {new.text}"
            continue
        at = text.offsets(new.place.span)
        here = _overlap(at, place)
        weaker = here and _WEAKER.get(new.code, -1) > _WEAKER.get(finding.code, 9)
        if new.code == finding.code and here:
            if not candidate.draws or _is_as_severe(new, finding):
                return "the finding is still there"
        elif (
            not weaker and _is_as_severe(new, finding) and not any(c == new.code and _overlap(at, p) for c, p in known)
        ):
            return f"{new.code} has come at {new.text}"
    if bench.verdict is not Verdict.DIFFERS and found.verdict is Verdict.DIFFERS:
        return "function and graph differ now"
    return None


def _is_as_severe(new: Finding, old: Finding) -> bool:
    return _SEVERITIES.index(new.severity) >= _SEVERITIES.index(old.severity)


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


# ---- the graph -------------------------------------------------------------------------------------


def _of_graph(
    bench: Bench, finding: Finding, candidate: Candidate, before: Before, found: Trace, changed: _Changed
) -> str | None:
    """The finding's witness, where it could not be run or function and graph still differ on it."""
    if finding.witness is None or candidate.draws:
        return None
    if finding.witness not in bench.witnesses or not before.outcomes[1 + bench.witnesses.index(finding.witness)].known:
        return "its witness cannot be run"
    trial = witness_trial(finding.witness, changed.function, changed.module, bench.path, candidate.parameter)
    if trial is None or (trial.nudge is not None and candidate.kind is not Kind.CLOSURE):
        return "its witness cannot be run"
    given = copy.deepcopy((list(changed.args), changed.kwargs))
    args, kwargs = replaced(*given, changed.function, trial.leaves)
    plain = run_plainly(changed.function, tuple(args), kwargs)
    graph = run_plainly(found.graph.replay, tuple(args), kwargs)
    if not compare_results(plain, graph):
        return f"on its witness function and graph differ: {plain.text}, {graph.text}"
    return None
