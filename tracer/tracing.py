"""What users of the library call: `trace` and `make_graph`.

capture    the run, recorded, and its graph      (`capture`)
findings   what the graph lost                   (`findings`)
witnesses  arguments that prove it, on demand    (`verify`)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from .capture import Capture, build, capture, collector_resting
from .findings import Judged, findings_of
from .graph import Graph, Guard
from .guards import joined
from .perturb import standing_in
from .standing import resolved
from .traced import raw
from .trees import map_leaves
from .trials import Trials
from .verify import verify as search_witnesses
from .worker.wire import Finding, Verdict


@dataclass(frozen=True)
class Trace:
    """What one run of a function on an example gave."""

    graph: Graph
    output: Any
    """The function's own result on the example (plain NumPy), None where it raised."""
    findings: tuple[Finding, ...]
    guards: tuple[Guard, ...]
    valid_for: str
    """The guards as one condition in the user's words, empty where the graph holds for all arguments tried."""
    error: BaseException | None
    capture: Capture = field(repr=False)
    judged: tuple[Judged, ...] = field(repr=False)
    recorded: str = "source"
    """`source` where the function was rewritten from its source, `operators` where only operators were seen."""
    verdict: Verdict = Verdict.UNVERIFIED
    retraces: int = 0
    tried: str = ""
    """What the verdict rests on, in words."""
    cut_short: bool = False
    """Whether the time for searching ran out before everything was tried."""


def trace(fn: Callable[..., Any], *args: Any, mode: str = "symbolic", verify: bool = False, **kwargs: Any) -> Trace:
    """Run `fn` on an example and tell its graph and what the graph lost.

    Arrays among the arguments, also inside tuples, lists, dicts, named tuples and dataclasses, are the
    graph's inputs; numbers and strings are constants.  `mode` is `symbolic` (sizes stay expressions of the
    inputs' sizes), `real` (sizes are constants) or `fake` (sizes are constants, and no contents are touched).
    A `spec` among the arguments stands for an array without contents.  The arguments are not changed.
    What `fn` raises is not raised but told in `.error` and as a finding; TypeError is raised where the
    arguments do not fit the signature, ValueError for an unknown mode.  With `verify`, function and graph
    are compared on other arguments, and findings carry witnesses.
    """
    if verify:
        args, kwargs = resolved(fn, args, kwargs)
        with Trials(fn, args, kwargs, mode) as trials:
            return verified(trace_call(fn, args, kwargs, mode), trials)
    return trace_call(fn, args, kwargs, mode)


def trace_call(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], mode: str) -> Trace:
    """`trace` with the arguments in containers: a function may have parameters called `mode` and `verify`."""
    with collector_resting():
        captured = capture(fn, args, kwargs, mode)
        graph = build(captured)
        judged = tuple(findings_of(captured, graph))
    output = None if captured.failure else map_leaves(captured.result, lambda leaf, _: raw(leaf))
    return Trace(
        graph,
        output,
        tuple(j.finding for j in judged),
        graph.guards,
        joined(graph.guards),
        captured.failure.error if captured.failure else None,
        captured,
        judged,
        "source" if captured.rewritten else "operators",
    )


def verified(found: Trace, trials: Trials, written: Mapping[str, str] | None = None, seconds: float = 2.0) -> Trace:
    """A trace with a search for witnesses of at most `seconds` behind it.

    `trials` must have been entered before the function was traced; `written` is the text of the
    example's arguments by parameter, where it is known.  Arrays of simple contents stand in for abstract
    ones; where these are too large for that, and in `fake` mode, nothing is tried.
    """
    captured = found.capture
    if found.error is not None or captured.mode == "fake":
        return found
    if captured.hollow:
        try:
            captured, written = copy(captured), None
            captured.example = standing_in(captured.example)
        except MemoryError:
            return found
    told = search_witnesses(captured, found.graph, found.judged, trials, written or {}, seconds)
    return replace(
        found,
        findings=told.findings,
        verdict=told.verdict,
        retraces=told.retraces,
        tried=told.tried,
        cut_short=told.cut_short,
    )


def make_graph(
    fn: Callable[..., Any], tracing_mode: str = "real", pre_dispatch: bool = False
) -> Callable[..., Graph]:  # fmt: skip
    """The counterpart of PyTorch's `make_fx`: `make_graph(f)(*example)` is the graph of `f`, with its guards.

    `tracing_mode` and `pre_dispatch` are those of `make_fx`.  The graph's nodes are the calls of `f` itself, before
    anything is dispatched; of tensors, `to_fx` gives the operations below them, with `pre_dispatch` those that come
    before autograd and its decompositions (`aten.linear`, not `aten.t` and `aten.addmm`).
    Raises what `f` raises on the example, and NoContentsError where the example has not the contents that `f` needs.
    """

    @functools.wraps(fn)
    def traced(*args: Any, **kwargs: Any) -> Graph:
        with collector_resting():
            captured = capture(fn, args, kwargs, tracing_mode)
            if captured.failure is not None:
                raise captured.failure.error
            return replace(build(captured), tracing_mode=tracing_mode, pre_dispatch=pre_dispatch)

    return traced
