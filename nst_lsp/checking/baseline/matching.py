"""Which findings a baseline knows, which of its entries are gone, and what it is to be after a run.

A finding is known where the baseline has an entry with the same file, function, rule and expression that weighs as
much or more: one that became worse is reported again.  Of several alike, as many are known as were written down; the
first ones, as nothing else tells them apart.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tracer.rules import Severity
from tracer.worker.wire import Finding, Status

from ...analysis.ranking import RANK, corners
from ..report import FileResult
from .file import Baseline, Entry, Key

_LONGEST = 120
"""Characters of an expression that are kept; the rest is told by its hash."""
_LAYOUT = re.compile(r"(?<=[(\[{]) |,? (?=[)\]}])| (?=\.[^\W\d])")
"""What a formatter puts between the parts of an expression that it spreads over lines, other than the space itself."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run looked at, as far as it matters for what it can say of a baseline."""

    folder: Path
    """The baseline's."""
    paths: tuple[str, ...]
    """What was checked, absolute."""
    whole: bool
    """Whether nothing was left out: no rule, no verification, no other mode."""

    @property
    def relative(self) -> tuple[str, ...]:
        return tuple(sorted({self.named(path) for path in self.paths}))

    def named(self, path: str) -> str:
        """A path as the baseline has it."""
        try:
            return PurePath(os.path.relpath(path, self.folder)).as_posix()
        except ValueError:  # another drive
            return PurePath(path).as_posix()

    def covers(self, baseline: Baseline) -> bool:
        """Whether it looked at all that the baseline speaks of."""
        looked = [Path(path) for path in self.paths]
        spoken_of = [Path(os.path.normpath(self.folder / path)) for path in baseline.paths]
        return all(any(path.is_relative_to(one) for one in looked) for path in spoken_of)


def split(results: Iterable[FileResult], baseline: Baseline, run: Run) -> list[FileResult]:
    """The results with the findings that the baseline knows set apart."""
    results = list(results)
    findings = _by_key(results, run)
    known = {id(finding) for match in _matches(findings, baseline, findings) for finding in match.known}
    return [_split(result, known) for result in results]


def _split(result: FileResult, known: set[int]) -> FileResult:
    findings = [*result.findings, *result.known]
    return replace(
        result,
        findings=tuple(finding for finding in findings if id(finding) not in known),
        known=tuple(finding for finding in findings if id(finding) in known),
    )


def gone(baseline: Baseline, results: Sequence[FileResult], run: Run) -> Counter[Entry]:
    """The entries that no longer occur, as far as the run can say.

    It can for files that are no more.  Else it must have looked at everything, and all files must have been checked:
    a finding in a helper shows only while a function that calls it is traced.  Of functions whose examples did not
    come to their end nothing is said.
    """
    left = _left(baseline, results, run)
    judges = run.whole and run.covers(baseline) and not any(map(_is_unchecked, results))
    unfinished = {(run.named(result.path), name) for result in results for name in _unfinished(result)}
    return Counter(
        {
            entry: count
            for entry, count in left.items()
            if (judges and (entry.path, entry.function) not in unfinished)
            or not os.path.lexists(run.folder / entry.path)
        }
    )


def worse(baseline: Baseline, results: Sequence[FileResult], run: Run) -> list[tuple[Finding, Entry]]:
    """The findings that are reported although they are known, as they weigh more now, by place."""
    findings = _by_key(results, run)
    pairs = [pair for match in _matches(findings, baseline, findings) for pair in match.worse]
    return sorted(pairs, key=lambda pair: (pair[0].place.path, corners(pair[0].place.span)))


def renewed(baseline: Baseline, results: Sequence[FileResult], run: Run) -> Baseline:
    """The baseline with all findings of the run, without the entries that are gone."""
    found = Counter(
        entry_of(finding, run)
        for result in results
        for finding in (*result.findings, *result.known)
        if not is_of_an_unchecked_file(finding)
    )
    kept = _left(baseline, results, run) - gone(baseline, results, run)
    paths = run.relative if run.covers(baseline) else baseline.paths
    return Baseline(paths, found + kept)


def pruned(baseline: Baseline, results: Sequence[FileResult], run: Run) -> Baseline:
    """The baseline without the entries that are gone."""
    return replace(baseline, known=Counter(baseline.known) - gone(baseline, results, run))


def is_of_an_unchecked_file(finding: Finding) -> bool:
    """Whether it says that a file could not be imported: nobody knows what else there is, so it is never known."""
    return finding.severity is Severity.ERROR and (
        finding.code == "NST503" or (finding.code == "NST504" and not finding.function)
    )


def entry_of(finding: Finding, run: Run) -> Entry:
    path = run.named(finding.place.path)
    return Entry(path, finding.function, finding.code, shortened(finding.text), finding.severity)


def shortened(text: str) -> str:
    """An expression on one line, however it is laid out in the source; a long one with a hash for its rest."""
    flat = _LAYOUT.sub("", " ".join(text.split()))
    if len(flat) <= _LONGEST:
        return flat
    return f"{flat[:_LONGEST]}… {hashlib.sha256(flat.encode('utf-8', 'replace')).hexdigest()[:8]}"


# ---- matching --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Match:
    """All findings that share a key, beside the entries that share it."""

    known: list[Finding]
    worse: list[tuple[Finding, Entry]]
    """Findings that weigh more than they are known to, each with an entry that is lighter."""
    left: list[Entry]
    """Entries that no finding stands for."""


def _matches(findings: Mapping[Key, list[Finding]], baseline: Baseline, keys: Iterable[Key]) -> Iterator[_Match]:
    for key in keys:
        yield _match(findings.get(key, []), baseline.by_key.get(key, []))


def _by_key(results: Iterable[FileResult], run: Run) -> dict[Key, list[Finding]]:
    findings: dict[Key, list[Finding]] = defaultdict(list)
    for result in results:
        for finding in (*result.findings, *result.known):
            if not is_of_an_unchecked_file(finding):
                findings[entry_of(finding, run).key].append(finding)
    return findings


def _match(findings: list[Finding], entries: list[Entry]) -> _Match:
    """Each finding, the weightiest first, takes the lightest entry that weighs as much."""
    known, new, left = [], [], sorted(entries, key=lambda entry: RANK[entry.severity])
    for finding in sorted(findings, key=lambda finding: -RANK[finding.severity]):
        fitting = next((entry for entry in left if RANK[entry.severity] >= RANK[finding.severity]), None)
        if fitting is None:
            new.append(finding)
        else:
            left.remove(fitting)
            known.append(finding)
    return _Match(known, list(zip(new, left, strict=False)), left[len(new) :])


def _left(baseline: Baseline, results: Sequence[FileResult], run: Run) -> Counter[Entry]:
    matches = _matches(_by_key(results, run), baseline, baseline.by_key)
    return Counter(entry for match in matches for entry in match.left)


def _is_unchecked(result: FileResult) -> bool:
    return result.error is not None or any(map(is_of_an_unchecked_file, result.findings))


def _unfinished(result: FileResult) -> Iterator[str]:
    for function in result.functions:
        if any(example.status is not Status.TRACED or example.cut_short for example in function.examples):
            yield function.name
