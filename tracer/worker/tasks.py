"""What a process that runs user code does for one request; in which processes its examples run is passed in.

`run` is what loads, traces and compares.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable

from . import basis, environment, handover, reading, run, studying, wire
from .frames import Emit, Ending, Kind, Outcome, body
from .masking import masked_data
from .stopped import finding
from .wire import CompareCall, ExampleDone, ExampleReport, ExampleSettled, ExampleStarted, Status, StudyCall, TraceFile

RunExamples = Callable[[TraceFile, "run.Loaded", Emit], None]


def trace_file(request: TraceFile, run_examples: RunExamples, emit: Emit) -> None:
    """Load the file, tell what is in it, and have its examples run."""
    arrivals = _Arrivals()
    loaded = run.load(request)
    emit(Kind.LOADED, body(loaded.message))
    arrivals.tell(emit)
    run_examples(request, loaded, emit)


def compare(request: CompareCall, emit: Emit) -> None:
    emit(Kind.COMPARED, body(run.compare(request)))


def study(request: StudyCall, emit: Emit) -> None:
    emit(Kind.STUDIED, body(studying.study(request)))


def trace_example(
    request: TraceFile, loaded: run.Loaded, number: int, emit: Emit, wait: Callable[[], object] = lambda: None
) -> None:
    """Trace one example in this process; `wait` is called before what others need not wait for."""
    example = loaded.examples[number]
    last: ExampleReport | None = None

    def report(result: ExampleReport) -> None:
        nonlocal last
        handover.disarm()
        last = result
        emit(Kind.REPORT, body(ExampleDone(request.id, example.function, result)))

    read, arrivals = reading.read(), _Arrivals()
    run.trace_example(loaded, number, request.options, report, wait)
    assert last is not None, f"no report on example {number}"
    arrivals.tell(emit)
    late = run.late_dependencies(loaded)
    stopped = any(finding.code == "NST504" for finding in last.findings)
    repeatable = not (last.cut_short or stopped or late or reading.read() - read)
    fingerprint = loaded.fingerprints[number] if loaded.fingerprints and repeatable else ""
    emit(
        Kind.SETTLED,
        body(
            ExampleSettled(
                request.id,
                example.function,
                example.index,
                fingerprint,
                dependencies=late,
                basis=basis.since(loaded.message.basis),
            )
        ),
    )


def keep(request: TraceFile, loaded: run.Loaded, number: int, emit: Emit) -> bool:
    """Whether the result that is at hand is still that of an example, which is told then."""
    if not loaded.fingerprints:
        return False
    example, fingerprint = loaded.examples[number], loaded.fingerprints[number]
    known = (request.known or {}).get(wire.example_key(example.function, example.index))
    kept = bool(fingerprint) and fingerprint == known
    if kept:
        settled = ExampleSettled(request.id, example.function, example.index, fingerprint, kept=True)
        emit(Kind.SETTLED, body(settled))
    return kept


def started(request: TraceFile, loaded: run.Loaded, number: int) -> ExampleStarted:
    pending = loaded.examples[number]
    return ExampleStarted(
        request.id, pending.function, pending.index, pending.place, source=pending.source, origin=pending.origin
    )


def stopped_report(
    outcome: Outcome, request: TraceFile, example: ExampleStarted, last: bytes | None, *, traced: bool
) -> bytes:
    """The last word on an example whose run was stopped: what it had reported, and why there is no more.

    Where it was `traced` by then, it was not the function that took long, but what we try on it.
    """
    found = finding(outcome, request, example.function, example.example, example.place)
    if last is not None:
        data = json.loads(last)
        if traced and outcome.ending is Ending.TIMED_OUT:
            data["report"]["cut_short"] = True
        else:
            data["report"]["findings"].append(masked_data(wire.plain(found)))
        return json.dumps(data).encode()
    report = ExampleReport(
        index=example.example,
        source=example.source,
        origin=example.origin,
        place=example.place,
        status=Status.FAILED,
        findings=(found,),
        output=outcome.output,
    )
    return body(ExampleDone(request.id, example.function, report))


class _Arrivals:
    """The modules that have come since, and are worth importing ahead.

    Those of installed distributions are.  Those of the workspace are not: they change.  Nor are those that were
    imported after code had set variables of the environment: for other files these would come too late.  And none is
    where threads were started, which do not survive a fork.
    """

    def __init__(self) -> None:
        self._known = frozenset(sys.modules)

    def tell(self, emit: Emit) -> None:
        """Their names, in their order."""
        come = (name for name in sys.modules if name not in self._known)
        new = [name for name in come if not environment.may_follow_settings(name)]
        if new and threading.active_count() == 1:
            folders = basis.package_folders()
            files = {name: getattr(sys.modules[name], "__file__", None) for name in new}
            third_party = [name for name, file in files.items() if isinstance(file, str) and file.startswith(folders)]
            emit(Kind.LEARNED, json.dumps(third_party).encode())
