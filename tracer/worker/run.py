"""What a worker's child does: load a file, trace its examples, compare function and graph.

Plain functions over the tracer; processes, limits and pipes are the business of their callers.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any

from .. import ledger, libraries, randomness
from ..annotated import from_annotations
from ..bindings import index_of
from ..callables import signature_of
from ..examples import BadExample, Example, arguments, collect, evaluate, written_arguments
from ..fingerprints import Fingerprints
from ..fixes import mended
from ..hollow import NoContentsError
from ..loader import deeper_recursion, load_module, read_text
from ..positions import FILES, SourceFile
from ..recorder import USER_FILES
from ..report import Result, compare_results, ended, ending, graph_info, lowered, run_plainly, same
from ..review import poor_sizes
from ..rules import Severity
from ..tracing import Trace, trace_call, verified
from ..trees import leaves
from ..trials import Outcome, Trial, Trials
from . import basis, imported, reading, wire
from .fitting import fitting
from .wire import (
    CompareCall,
    Compared,
    ExampleReport,
    Finding,
    FunctionReport,
    GraphInfo,
    ModuleLoaded,
    Options,
    Place,
    Status,
    TraceFile,
    file_of,
)

PendingExample = Example


@dataclass(frozen=True, slots=True)
class Loaded:
    """A loaded file: what to tell the server, and the examples still to be traced."""

    message: ModuleLoaded
    examples: list[PendingExample]
    module: ModuleType | None
    fingerprints: tuple[str, ...] = ()
    """Of each example, where the request asks for them."""
    request: TraceFile | None = None
    draws: randomness.State | None = None
    """The random state after the import, with which each example begins: a fork seeds `random` anew."""


def load(request: TraceFile, *, plain: bool = False) -> Loaded:
    """Load the file of a request, rewritten or `plain`; one that cannot be loaded gives findings, not an exception."""
    sys.path[:0] = [p for p in request.options.extra_paths if p not in sys.path]
    randomness.start()
    try:
        text = read_text(request.path) if request.text is None else request.text
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        return _not_loaded(request, imported.failure(request.path, error))
    try:
        module = load_module(request.path, text, root=request.root, overlay=request.overlay, plain=plain)
    except Exception as error:  # noqa: BLE001  # whatever the module raises is data
        return _not_loaded(request, imported.failure(request.path, error), _missing(request, error))
    libraries.attend()
    file = FILES[module.__file__ or request.path]
    with deeper_recursion():
        index_of(file)  # the examples' processes, forked from this one, share what is made here
    file.parents  # noqa: B018
    file.by_range  # noqa: B018
    examples, misplaced = collect(file)
    made, offers = from_annotations(file, module, {e.function for e in examples}, request.options.ranks)
    examples = sorted(examples + made, key=lambda e: e.place.span.line)
    if request.functions is not None:
        examples = [e for e in examples if e.function in request.functions]
    if request.options.mode == "fake" or any("spec(" in e.source for e in examples):
        libraries.prepare_abstract()
    functions = {e.function: FunctionReport(e.function, e.name_place) for e in examples}
    findings = imported.told(module.__file__ or request.path, ledger.taken())
    findings += tuple(_finding("NST502", m.message, m.place, m.text) for m in misplaced)
    dependencies = _dependencies(module.__file__)
    message = ModuleLoaded(
        request.id,
        findings,
        tuple(functions.values()),
        dependencies,
        offers=tuple(offers),
        basis=basis.current() if request.basis else None,
    )
    fingerprints = _fingerprints(request, file, dependencies, examples)
    return Loaded(message, examples, module, fingerprints, request, randomness.State.now())


def _fingerprints(
    request: TraceFile, file: SourceFile, dependencies: tuple[str, ...], examples: list[PendingExample]
) -> tuple[str, ...]:
    if request.known is None:
        return ()
    options = json.dumps(wire.plain(request.options), sort_keys=True)
    of_file = Fingerprints(file, dependencies, [options, *reading.stamps()])
    return tuple(map(of_file.of, examples))


def trace_example(
    loaded: Loaded, number: int, options: Options, emit: Callable[[ExampleReport], None], wait: Callable[[], object]
) -> None:
    """Trace one example and emit what it gave: once it is traced, once it is verified, once it has fixes.

    `wait` is called before fixes are tried, which others need not wait for.
    """
    example = loaded.examples[number]
    assert loaded.module is not None
    _draw_as_loaded(loaded)
    libraries.rest()  # threads of the module's own process are none of this one
    start = time.perf_counter()
    blank = ExampleReport(example.index, example.source, example.origin, example.place, Status.FAILED)
    try:
        example = fitting(example, loaded.module, options)
        function, args, kwargs = evaluate(example, loaded.module)
        trials = Trials(function, args, kwargs, options.mode)
        if options.verify:
            trials.start()  # before the trace, so that its trials know nothing of it
        found = trace_call(function, args, kwargs, options.mode)
    except (BadExample, TypeError, NotImplementedError, ValueError) as error:
        finding = _finding("NST502", str(error), example.place, example.source, example)
        findings = (finding,) if example.origin != "annotation" else ()  # nobody wrote this example
        emit(replace(blank, findings=findings, milliseconds=_since(start)))
        return
    if example.origin == "doctest" and not any(hasattr(leaf, "dtype") for leaf, _ in leaves([list(args), kwargs])):
        emit(
            replace(blank, status=Status.TRACED, milliseconds=_since(start))
        )  # a docstring's example of something else
        return
    report = first = _report(example, found, options, start)
    verifying = options.verify and found.error is None
    if not verifying:
        report = _lowered(first, found, options)
    emit(report)
    if verifying:
        with trials:
            seconds = min(4.0, options.timeout * 0.4)  # much more than most take: a busy machine is to change nothing
            checked = verified(found, trials, written_arguments(example, function), seconds)
        report = _lowered(_report(example, checked, options, start, first.graph), checked, options)
        emit(report)
    if options.verify and (found.error is None or isinstance(found.error, NoContentsError)):
        seconds = min(5.0, options.timeout / 2)
        with_fixes = mended(report, example, loaded.module.__file__, loaded.request, seconds, wait)
        if with_fixes is not report:
            emit(with_fixes)


def compare(request: CompareCall) -> Compared:
    """Run function and graph on the same arguments, the function as if nothing had been traced before."""
    blank = Compared(request.id, False, "", "", ())
    loaded = load(replace(file_of(request), functions=None))
    if loaded.module is None:
        return replace(blank, error=loaded.message.findings[0].message)
    example = next((one for one in loaded.examples if one.function == request.function), None)
    if example is None:
        known = tuple(one.name for one in loaded.message.functions)
        return replace(blank, error=f"{request.function} has no example in {request.path}", known=known)
    _draw_as_loaded(loaded)
    try:
        function, args, kwargs = evaluate(fitting(example, loaded.module, request.options), loaded.module)
        new_args, new_kwargs = _given(request, function, loaded.module)
        before, now = _attributes(function, args, kwargs), _attributes(function, new_args, new_kwargs)
        with Trials(partial(run_plainly, function, new_args, new_kwargs), (), {}, request.options.mode) as trials:
            found = trace_call(function, args, kwargs, request.options.mode)
            half = request.options.timeout / 2  # what does not end in it runs here, to be stopped on its line
            outcomes = trials.run([Trial()], half, time.monotonic() + half)
        plain = _result(outcomes) or run_plainly(function, new_args, new_kwargs)
        graph = run_plainly(found.graph.replay, new_args, new_kwargs)
        failed = [g.text for g in found.graph.failed_guards(*new_args, **new_kwargs)]
        failed += _decided_by_attributes(found, before, now)
    except (BadExample, TypeError, NotImplementedError, ValueError) as error:
        return replace(blank, error=str(error))
    end = ending(found, example.place.path)
    equal = not end and compare_results(plain, graph)
    raised = type(plain.error).__name__ if equal and plain.error is not None else ""
    guards = tuple(dict.fromkeys(failed))
    return Compared(request.id, equal, plain.text, graph.text, guards, partial=end, raised=raised)


def _given(
    request: CompareCall, function: Callable[..., Any], module: ModuleType
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a request.  Raises BadExample where they cannot be evaluated, or are none of the function's."""
    args, kwargs = arguments(request.arguments, module, what="the text of the arguments")
    signature = signature_of(function)
    try:
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise BadExample(f"{request.function}{signature} does not take these arguments: {error}") from error
    return args, kwargs


_Attributes = Mapping[str, tuple[object, Mapping[str, object]]]
"""By parameter: the object that was given, and the attributes it had then."""


def _attributes(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Attributes:
    given = signature_of(function).bind(*args, **kwargs).arguments
    return {name: (value, dict(vars(value))) for name, value in given.items() if hasattr(value, "__dict__")}


def _decided_by_attributes(found: Trace, before: _Attributes, now: _Attributes) -> Iterator[str]:
    """Conditions on attributes of arguments (`self.training`) that do not hold.

    They are no guards of the graph, which has hidden inputs as they were.  What the function itself set before it asked
    is left out.
    """
    for source in (source for one in found.judged if one.finding.code.startswith("NST1") for source in one.sources):
        owner, _, attribute = source.label.rpartition(".")
        for name, (value, had) in before.items():
            if value is source.holder and owner and attribute in had and same(had[attribute], source.value):
                has = now[name][1] if name in now else {}
                if attribute in has and not same(has[attribute], source.value):
                    yield f"{name}.{attribute} == {source.value!r}"


def _draw_as_loaded(loaded: Loaded) -> None:
    """Let what an example draws be the same in each check, whatever ran before it in this process."""
    assert loaded.draws is not None
    loaded.draws.put()
    randomness.Entropy.EXAMPLE.use()


def _result(outcomes: list[Outcome]) -> Result | None:
    """What the function gave in its own process, if that could be sent."""
    value = outcomes[0].value if outcomes and outcomes[0].known else None
    return value if isinstance(value, Result) else None


# ---- reports ---------------------------------------------------------------------------------------


def _report(
    example: Example, found: Trace, options: Options, start: float, info: GraphInfo | None = None
) -> ExampleReport:
    """What is known of an example; `info` is its graph, where that was told before."""
    status = Status.TRACED
    if found.error is not None:
        status = Status.PARTIAL if any(n.function is not None for n in found.graph.nodes) else Status.FAILED
    if info is None:
        shown = {} if found.capture.hollow else found.capture.example
        info = graph_info(found.graph, shown, options.formats, symbolic=options.mode == "symbolic")
        info = ended(info, ending(found, example.place.path))
    guards = tuple(wire.Guard(g.text, g.place) for g in found.guards)
    findings = tuple(replace(f, example=example.index, function=f.function or example.function) for f in found.findings)
    if example.origin == "annotation":
        findings = tuple(_of_annotations(f, example) for f in findings)
    else:
        findings += tuple(_poor_example(example, found))
    return ExampleReport(
        example.index, example.source, example.origin, example.place, status, findings, info, guards, found.valid_for,
        found.verdict, found.retraces, found.tried, found.cut_short, _since(start),
    )  # fmt: skip


def _lowered(report: ExampleReport, found: Trace, options: Options) -> ExampleReport:
    """A report with the operations of a library's own that its graph becomes: the first news need not wait for them."""
    if report.graph is None or found.capture.hollow:
        return report
    seconds = min(1.0, options.timeout / 10)
    return replace(report, graph=lowered(report.graph, found.graph, found.capture.example, seconds))


def _of_annotations(finding: Finding, example: Example) -> Finding:
    """What is said of an example that nobody wrote: a refusal of its arguments is none of the function's faults."""
    several = len(example.others) > 1  # not abstract and with contents only: sizes were open, and none fitted
    refused = several or finding.text.startswith(("raise", "assert"))
    if finding.code != "NST501" or not refused:
        return finding
    message = f"{finding.message}, for arguments made of its annotations: {example.source}"
    return replace(finding, severity=Severity.INFORMATION, message=message)


def _poor_example(example: Example, found: Trace) -> Iterator[Finding]:
    """NST506 where an example has axes of size 0 or 1: they broadcast, and hide faults."""
    names = poor_sizes(found.capture)
    if names:
        what = ", ".join(f"`{n}`" for n in names)
        message = f"{what} has an axis of size 0 or 1, which broadcasts and can hide faults: take 2 or more"
        yield replace(_finding("NST506", message, example.place, example.source, example), severity=Severity.HINT)


def _since(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 3)


def _finding(code: str, message: str, place: Place, text: str, example: Example | None = None) -> Finding:
    name, index = (example.function, example.index) if example else ("", 0)
    return Finding(code, Severity.ERROR, message, name, index, place, text)


def _not_loaded(request: TraceFile, finding: Finding, missing: Iterable[str] = ()) -> Loaded:
    path = os.path.realpath(request.path)
    findings, dependencies = imported.told(path, ledger.taken(), finding), _dependencies(path, missing)
    return Loaded(ModuleLoaded(request.id, findings, dependencies=dependencies), [], None)


def late_dependencies(loaded: Loaded) -> tuple[str, ...]:
    """The workspace files that have come since the module was loaded."""
    assert loaded.module is not None
    return tuple(path for path in _dependencies(loaded.module.__file__) if path not in loaded.message.dependencies)


def _dependencies(own: str | None, missing: Iterable[str] = ()) -> tuple[str, ...]:
    """The workspace files that were imported, or are waited for, besides the file itself."""
    return tuple(sorted({*USER_FILES, *missing} - {own}))


def _missing(request: TraceFile, error: Exception) -> Iterator[str]:
    """The files of the workspace that would be the module that was not found."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return
    parts = error.name.split(".")
    for folder in {os.path.dirname(os.path.realpath(request.path)), *([request.root] if request.root else [])}:
        yield os.path.join(folder, *parts) + ".py"
        yield os.path.join(folder, *parts, "__init__.py")
