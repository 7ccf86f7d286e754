"""The results of check and compare as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tracer.rules import Severity
from tracer.worker.wire import Compared

from ..cells import spot
from ..frames import SEVERITY_STYLE, Line, Piece, frame
from ..sources import Sources, shown_path
from .check import Checked
from .formats import title
from .report import FileResult


def file_lines(result: FileResult, sources: Sources) -> Iterator[Line]:
    """What is said of one file."""
    if result.error:
        error = Piece("error", SEVERITY_STYLE[Severity.ERROR])
        yield error, Piece(f": {shown_path(result.path)} could not be checked: {result.error}")
        yield ()
    for finding in result.findings:
        yield from frame(finding, sources)
        yield ()


def closing_lines(checked: Checked, seconds: float) -> Iterator[Line]:
    """What is said of all files together."""
    if checked.cut_short:
        names = ", ".join(checked.cut_short)
        yield (Piece(f"the time to search for witnesses ran out for {names}: a finding without one may have one"),)
    yield (Piece(sentence(checked, seconds)),)


def known_lines(checked: Checked, sources: Sources) -> Iterator[Line]:
    """The findings that the baseline has, one a line."""
    for result in checked.results:
        for finding in result.known:
            where = f"{shown_path(finding.place.path)}:{spot(finding.place, sources).line}:{finding.place.span.column}"
            function = f"  in {finding.function}" if finding.function else ""
            yield Piece("known", SEVERITY_STYLE[Severity.HINT]), Piece(f": {where} {title(finding)}{function}")


def sentence(checked: Checked, seconds: float) -> str:
    """`3 findings (1 error, 2 warnings) in 2 of 14 functions, 12 known, 0.8 s`."""
    return f"{outcome(checked)}, {seconds:.1f} s"


def outcome(checked: Checked) -> str:
    """The same without the time."""
    counts = Counter(finding.severity for finding in checked.findings)
    failed = sum(result.error is not None for result in checked.results)
    parts = [_found(counts, checked), *([f"{_many(failed, 'file')} could not be checked"] if failed else [])]
    known = [f"{checked.known} known"] if checked.known else []
    return ", ".join([*parts, *known])


def _found(counts: Counter[Severity], checked: Checked) -> str:
    if not counts and not checked.functions:
        return f"no examples found in {_many(len(checked.results), 'file')}: `nst init` proposes some"
    if not counts:
        return f"no findings in {_many(checked.functions, 'function')}"
    kinds = ", ".join(_many(counts[severity], severity.value) for severity in Severity if counts[severity])
    total = _many(counts.total(), "finding")
    return f"{total} ({kinds}) in {checked.touched} of {_many(checked.functions, 'function')}"


def compare_lines(compared: Compared) -> Iterator[Line]:
    """What function and graph gave, one above the other, and the guards that do not hold."""
    style = "bold green" if compared.equal else SEVERITY_STYLE[Severity.ERROR]
    same = f"both raise {compared.raised}" if compared.raised else "equal"
    yield (Piece(same if compared.equal else "function and graph differ", style),)
    yield from _entry("function", compared.function)
    yield from _entry("graph", f"partial: {compared.partial}" if compared.partial else compared.graph)
    for guard in compared.guards_failed:
        yield from _entry("guard", f"{guard}   does not hold")


def _entry(name: str, value: str) -> Iterator[Line]:
    first, *rest = value.split("\n")
    yield Piece(f"  {name:<10}", "bold"), Piece(first)
    for line in rest:
        yield (Piece(" " * 12 + line),)


def _many(count: int, word: str) -> str:
    plural = word if count == 1 or word == Severity.INFORMATION.value else f"{word}s"
    return f"{count} {plural}"
