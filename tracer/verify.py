"""Looks for arguments on which function and graph differ, and tells what it tried.

The graph is run on many candidates, which is cheap; the function only on those that a guard, an argument, a
hidden input or a rule of thumb makes promising, each time in a fresh copy of the process (`trials`).  Arguments
for which they differ are a witness: of the findings whose condition they break, or whose origin they vary; and
of NST601, where no finding says why.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any

import numpy as np

from . import libraries, perturb
from .capture import Capture
from .copies import copy_tree
from .events import Instruction, Origin, Source, Stored, decisions
from .findings import Judged
from .graph import Graph
from .narrow import definition
from .outside import RANDOM_STATE
from .perturb import Perturbation, argument_texts
from .positions import locate
from .printing import Printer
from .randomness import steady
from .report import run_plainly, same
from .rules import Severity
from .trees import put
from .trials import UNKNOWN, Nudge, Outcome, Trial, Trials
from .unset import reads_unset_memory
from .worker.wire import Finding, Place, Verdict, Witness

_DECIDED = frozenset({"NST101", "NST102", "NST103", "NST104", "NST105", "NST106", "NST107"})
_BAKED = {
    "values": frozenset({"NST201", "NST209", "NST401"}),
    "sizes": frozenset({"NST201", "NST203", "NST209"}),
    "values and sizes": frozenset({"NST201", "NST203", "NST209", "NST401"}),
    "dtype": frozenset({"NST201", "NST208", "NST209", "NST211", "NST401"}),
    "aliasing": frozenset({"NST303", "NST105"}),
}
_FROZEN = frozenset({"NST206", "NST207"})
_ARRAYS = frozenset({Origin.CONTENTS, Origin.SIZE, Origin.TYPE})
_UNSTEADY = frozenset({
    "NST206", "NST207", "NST209", "NST302", "NST304", "NST305", "NST401", "NST402", "NST403", "NST405", "NST505",
})  # fmt: skip
"""What explains a difference on any arguments, the example's own included."""


def _is_unsteady(judged: Judged) -> bool:
    """Whether a finding explains a difference on any arguments; a draw that the graph repeats does not."""
    return judged.finding.code in _UNSTEADY and judged.finding.severity is not Severity.HINT


@dataclass(frozen=True, slots=True)
class Verified:
    """The findings with their witnesses, and what the verdict rests on."""

    findings: tuple[Finding, ...]
    verdict: Verdict
    retraces: int
    tried: str
    cut_short: bool


@dataclass(slots=True)
class _Search:
    """One search under way."""

    captured: Capture
    graph: Graph
    trials: Trials
    written: Mapping[str, str]
    seconds: float
    until: float
    judged: list[Judged]
    kinds: dict[str, int]
    differs: bool = False
    ended_early: bool = False


def verify(
    captured: Capture,
    graph: Graph,
    judged: Sequence[Judged],
    trials: Trials,
    written: Mapping[str, str],
    seconds: float,
) -> Verified:
    """Search for witnesses for at most `seconds`; `written` is the text of the example's arguments by parameter."""
    until = time.monotonic() + seconds
    search = _Search(captured, graph, trials, written, seconds / 4, until - seconds / 4, list(judged), {})
    with warnings.catch_warnings(), np.errstate(all="ignore"), steady():
        warnings.simplefilter("ignore")  # what odd arguments make NumPy warn of is not the user's concern
        unexplained = _search_witnesses(search)
        search.until = until  # so much is left for hidden inputs, however long the rest took
        _nudge_hidden(search)
    findings = [j.finding for j in search.judged]
    if unexplained is not None:
        findings.append(unexplained)
    frozen = any(f.code in _FROZEN and f.severity is Severity.WARNING for f in findings)
    verdict = Verdict.DIFFERS if search.differs or frozen else Verdict.AGREES
    return Verified(tuple(findings), verdict, sum(search.kinds.values()), _tried(search), search.ended_early)


def _search_witnesses(search: _Search) -> Finding | None:
    """Try the example again and all candidates; the first difference that no finding explains."""
    plan = [Perturbation("the example again"), *_candidates(search)]
    wanted = [Trial(look=True), *(Trial(c.leaves) for c in plan[1:]), Trial(retrace=True)]
    *outcomes, again = _padded(_run(search, wanted), len(wanted))
    search.ended_early |= not again.known
    unexplained: Finding | None = _steadiness(search, again) or _unseen_change(search, outcomes[0])
    for candidate, outcome in zip(plan, outcomes, strict=False):
        unexplained = unexplained or _judge(search, candidate, outcome)
    return unexplained


def _tried(search: _Search) -> str:
    count = sum(search.kinds.values())
    kinds = ", ".join(k for k in search.kinds)
    what = "agree" if not search.differs else "were tried, some differ"
    early = "; the time for searching ran out" if search.ended_early else ""
    return f"{count} re-traces {what} ({kinds}){early}" if count else f"nothing was tried{early}"


def _padded(outcomes: list[Outcome], count: int) -> list[Outcome]:
    return [*outcomes, *[UNKNOWN] * (count - len(outcomes))]


_EXPLAINS = {True: frozenset({"NST206"}), False: frozenset({"NST206", "NST209", "NST304", "NST305"})}


def _unseen_change(search: _Search, outcome: Outcome) -> Finding | None:
    """State that a call changed though no store was seen: NST304, or NST206 for random states."""
    seen = {e.label.split(".")[0].split("[")[0] for e in search.captured.events if isinstance(e, Stored)}
    codes = {j.finding.code for j in search.judged}
    place = _name(search)
    for label in outcome.changes:
        drawn = label == RANDOM_STATE
        if place is None or label in seen or codes & _EXPLAINS[drawn]:
            continue
        graph = search.graph
        message = f"{label if drawn else f'`{label}`'} is different after a call; where it is changed was not seen"
        return Finding("NST206" if drawn else "NST304", Severity.WARNING, message, graph.name, 0, place, graph.name)
    return None


def _run(search: _Search, trials: list[Trial]) -> list[Outcome]:
    """Trials in one process where the trace saw no state change, else each in its own."""
    writes = bool(search.graph.given) and any(j.finding.code == "NST303" for j in search.judged)
    if not writes and not any(map(_is_unsteady, search.judged)):
        return search.trials.run(trials, search.seconds, search.until)
    outcomes: list[Outcome] = []
    for trial in trials:
        if time.monotonic() > search.until:
            break
        outcomes += search.trials.run([trial], search.seconds, search.until)
    return outcomes


# ---- the example itself ----------------------------------------------------------------------------


def _steadiness(search: _Search, again: Outcome) -> Finding | None:
    """What a second trace of the same example shows: frozen values that were the same, or a graph that is not."""
    mine = search.graph.code
    if not again.known or again.error is not None:
        return None
    if again.value == mine:
        return None
    if any(map(_is_unsteady, search.judged)):
        return None
    search.differs = True
    lines = zip(mine.splitlines(), again.value.splitlines(), strict=False)
    first = next((i for i, (a, b) in enumerate(lines) if a != b), 0)
    return _not_deterministic(search, mine.splitlines()[first])


def _not_deterministic(search: _Search, line: str) -> Finding | None:
    """NST505 at the first expression whose line of graph code differs between two traces."""
    graph = search.graph
    printer = Printer(graph)
    text = line.split("  #", maxsplit=1)[0].strip()
    node = next((n for n in graph.nodes if n not in printer.inlined and printer.statement(n) == text), None)
    at = locate(Instruction(node.code, node.lasti)) if node is not None and node.code is not None else None
    place = at.place if at else _name(search)
    message = "two traces of the same example differ here, and no other finding says why"
    return (
        Finding("NST505", Severity.WARNING, message, graph.name, 0, place, at.text if at else graph.name)
        if place
        else None
    )


def _name(search: _Search) -> Place | None:
    return definition(search.captured.function)


# ---- candidates ------------------------------------------------------------------------------------


def _candidates(search: _Search) -> Iterator[Perturbation]:
    """First what breaks a guard, then a few of each kind."""
    example = search.captured.example
    pool = [
        *perturb.contents(example),
        *perturb.thresholds(example, _compared_numbers(search)),
        *perturb.smaller(example),
        *perturb.sizes(example),
        *perturb.limits(example, _compared_numbers(search)),
        *perturb.dtypes(example),
    ]
    pool += [*perturb.arguments(example), *perturb.aliased(example), *perturb.odd_ones(example)]
    pool += perturb.magnitudes(example)
    broken: dict[int, list[tuple[int, Perturbation]]] = {}
    half = (time.monotonic() + search.until) / 2
    for candidate in pool if search.graph.guards else ():
        if time.monotonic() > half:
            search.ended_early = True
            break
        failed = _failed_guards(search, candidate)
        weight = _weight(candidate, search) if failed else 0
        for guard in failed:
            broken.setdefault(guard, []).append((weight, candidate))
    chosen = list({id(c): c for breaking in broken.values() for c in _promising(breaking)}.values())
    for kind, count in _SAMPLE.items():
        chosen += [c for c in pool if c.kind == kind and c not in chosen][:count]
    yield from chosen


def _compared_numbers(search: _Search) -> Iterator[float]:
    """The literal numbers in conditions on contents."""
    for guard in search.graph.guards:
        node = guard.node
        if node is not None:
            yield from (float(a) for a in node.args if type(a) in (int, float) and abs(a) < 1e6)


_SAMPLE = {"values": 3, "values and sizes": 2, "sizes": 3, "dtype": 1, "arguments": 6, "aliasing": 1}


def _weight(candidate: Perturbation, search: _Search) -> int:
    """How little a candidate says: the elements to read, more where the graph only raises or has no elements."""
    sizes: list[int] = [math.prod(v.shape) for v in candidate.leaves.values() if libraries.is_array(v)]
    args, kwargs = _arguments(search, candidate)
    raises = run_plainly(search.graph.replay, tuple(args), kwargs).error is not None
    return sum(sizes) + 50 * raises + 1000 * sizes.count(0)


def _promising(breaking: list[tuple[int, Perturbation]]) -> list[Perturbation]:
    """Of what breaks one guard the two smallest, and the smallest that is telling: one alone may agree by chance."""
    lightest = [candidate for _, candidate in sorted(breaking, key=itemgetter(0))]
    return lightest[:2] + list(filter(_is_telling, lightest))[:1]


def _is_telling(candidate: Perturbation) -> bool:
    """Whether no axis has size 0 or 1, which broadcasts and hides differences."""
    return all(size > 1 for v in candidate.leaves.values() if libraries.is_array(v) for size in v.shape)


def _failed_guards(search: _Search, candidate: Perturbation) -> list[int]:
    graph = search.graph
    try:
        args, kwargs = _arguments(search, candidate)
        failed = graph.failed_guards(*args, **kwargs)
    except Exception:  # noqa: BLE001  # candidates need not fit the graph
        return []
    return [i for i, g in enumerate(graph.guards) if g in failed]


def _arguments(search: _Search, candidate: Perturbation) -> tuple[list[Any], dict[str, Any]]:
    """The example's arguments with a candidate's leaves in them, copied."""
    bound = search.captured.signature.bind_partial()
    example = dict(search.captured.example)
    for path, value in candidate.leaves.items():
        example[path[0]] = put(example[path[0]], path[1:], value)
    bound.arguments.update(copy_tree(example))
    return list(bound.args), dict(bound.kwargs)


# ---- one trial -------------------------------------------------------------------------------------


def _judge(search: _Search, candidate: Perturbation, outcome: Outcome) -> Finding | None:
    """Compare function and graph on a candidate; a finding if they differ and none that was made says why."""
    if not outcome.known:
        return None
    args, kwargs = _arguments(search, candidate)
    failed = {search.graph.guards[i].text for i in _failed_guards(search, candidate)}
    graph = run_plainly(search.graph.replay, tuple(args), kwargs)
    if outcome.error is not None and not failed:
        return None  # arguments that the function does not take say nothing
    search.kinds[candidate.kind] = search.kinds.get(candidate.kind, 0) + 1
    if _agree(outcome, graph.value, graph.error) or _by_chance(search, candidate):
        return None
    texts = argument_texts(search.captured.example, candidate.leaves, search.written)
    witness = Witness(texts, _cut(outcome.shown), _cut(graph.text))
    explained = _blame(search, candidate, failed, witness)
    search.differs = True
    return None if explained or failed or outcome.error is not None else _graph_differs(search, witness, candidate)


def _by_chance(search: _Search, candidate: Perturbation) -> bool:
    """Whether a difference may come from memory that was never set."""
    args, kwargs = _arguments(search, candidate)
    bound = search.graph.signature.bind(*args, **kwargs)
    bound.apply_defaults()
    return reads_unset_memory(search.graph, bound.arguments)


def _agree(outcome: Outcome, value: Any, error: BaseException | None) -> bool:
    """Whether function and graph give the same; where both raise, whatever they say, there is no result to differ.

    A check that a graph lost is no harm where what follows refuses the same arguments: nothing is shown by it.
    """
    if outcome.error is not None or error is not None:
        return outcome.error is not None and error is not None
    return same(outcome.value, value)


def _blame(search: _Search, candidate: Perturbation, failed: set[str], witness: Witness) -> bool:
    """Give a witness to the findings it is one of; whether there was any, or any that explains it."""
    explained = False
    for i, judged in enumerate(search.judged):
        code = judged.finding.code
        if candidate.path is not None:
            hit = any(s.path == candidate.path for s in judged.sources)
            hit = hit and _decides_otherwise(search, judged, Trial(candidate.leaves))
        elif code in _DECIDED and judged.conditions:
            hit = bool(failed & judged.conditions)
        elif code in _DECIDED:
            hit = not failed and candidate.kind in _BAKED and any(s.origin in _ARRAYS for s in judged.sources)
        elif failed:
            hit = False
        else:
            hit = code in _BAKED.get(candidate.kind, frozenset())
        if hit:
            explained = True
            search.judged[i] = judged.with_witness(witness, by_arguments=candidate.kind == "arguments")
        explained |= _is_unsteady(judged)
    return explained


def _decides_otherwise(search: _Search, judged: Judged, trial: Trial) -> bool:
    """Whether the condition or loop of a finding comes to something else in a trial; true of all other findings.

    What an argument or a hidden input does besides deciding is no effect of the condition.  An assert that fails ends
    the run, and is seen.
    """
    mine = decisions(search.captured.events)
    met = [spot for spot in judged.spots if spot in mine]
    if judged.finding.code not in _DECIDED - {"NST107"} or not met:
        return True
    (outcome,) = _padded(search.trials.run([replace(trial, decide=True)], search.seconds, search.until), 1)
    theirs = outcome.value if outcome.known and outcome.error is None else {}
    return any(spot in theirs and theirs[spot] != mine[spot] for spot in met)


# ---- hidden inputs ---------------------------------------------------------------------------------


def _nudge_hidden(search: _Search) -> None:
    """Give each hidden input another value and run the function on the example."""
    for i, judged in enumerate(search.judged):
        for source in judged.sources:
            if source.origin is not Origin.HIDDEN or judged.finding.witness is not None:
                continue
            if judged.finding.severity is Severity.HINT:
                continue  # written to be constant, and nothing changes it
            if source.site is None and source.path is None:
                continue
            if time.monotonic() > search.until:
                search.ended_early = True
                return
            witness = _hidden_witness(search, judged, source)
            if witness is not None:
                search.judged[i] = judged.with_witness(witness, by_arguments=True)
                search.differs = True


def _hidden_witness(search: _Search, judged: Judged, source: Source) -> Witness | None:
    enough = 2 if judged.finding.code in _DECIDED else 1  # the first need not make a condition decide otherwise
    for other in perturb.other_values(source.value)[:enough]:
        trial = _hidden_trial(source, other)
        outcomes = search.trials.run([trial], search.seconds, search.until)
        outcome = outcomes[0] if outcomes else UNKNOWN
        if not outcome.known or outcome.error is not None:
            continue
        search.kinds["hidden inputs"] = search.kinds.get("hidden inputs", 0) + 1
        args, kwargs = _arguments(search, Perturbation("hidden inputs"))
        graph = run_plainly(search.graph.replay, tuple(args), kwargs)
        if not _agree(outcome, graph.value, graph.error) and _decides_otherwise(search, judged, trial):
            texts = argument_texts(search.captured.example, {}, search.written)
            name = source.label if source.path is None else ""  # a default has a name in the signature only
            text = perturb.changed_text(name, source.value, other)
            return Witness({**texts, source.label: text}, _cut(outcome.shown), _cut(graph.text))
    return None


def _hidden_trial(source: Source, other: Any) -> Trial:
    """A default that was not given is given; all else is set where the function will read it."""
    if source.path is not None:
        return Trial({source.path: other})
    assert source.site is not None
    return Trial(nudge=Nudge(source.label, source.site.at.code.co_filename, other))


def _graph_differs(search: _Search, witness: Witness, candidate: Perturbation) -> Finding | None:
    """A difference that nothing explains: NST403 where the program asked for a class, else NST601."""
    graph = search.graph
    if not candidate.leaves:
        asked = next(
            (j.finding for j in search.judged if any(s.quiet and s.origin is Origin.TYPE for s in j.sources)), None
        )
        if asked is not None:
            message = "the program can tell a traced value from an array here, and the graph is wrong on the example"
            return replace(asked, code="NST403", severity=Severity.ERROR, message=message, witness=witness)
    place = _name(search)
    severity = Severity.WARNING if candidate.leaves else Severity.ERROR
    message = "for these arguments function and graph differ, and no other finding says why"
    return Finding("NST601", severity, message, graph.name, 0, place, graph.name, witness=witness) if place else None


def _cut(text: str, limit: int = 200) -> str:
    one = " ".join(text.split())
    return one if len(one) <= limit else one[: limit - 1] + "…"
