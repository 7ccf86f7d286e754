"""An answer as text: Python with comments, so that graphs that are printed to a file can be read by Python."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from tracer.rules import RULES
from tracer.worker.wire import Finding, Gradient, Place, Remark, RemarkKind

from ..analysis.studies import ASKED, BESIDE, VERBS, is_everywhere
from .asking import Asked
from .beside import Ours, Row, beside

_FEW = 2
"""Guards of one expression that are told one by one."""
_MOST = 6
"""Tensors that are named in one line."""


def told(asked: Asked) -> str:
    """The whole answer; the graphs come last, so that a terminal ends with what was asked for."""
    studied = asked.studied
    comments = [f"{asked.target.function}, example {asked.example}: {studied.verdict} (torch {studied.torch})"]
    comments += studied.notes
    if asked.study in BESIDE:
        comments += ["", *_compared(asked)]
    else:
        comments += [row for remark in studied.remarks for row in _remark("AOTDispatcher", remark, at=True)]
        comments += [row for gradient in studied.gradients for row in _gradient(gradient)]
    rows = [f"# {comment}".rstrip() for comment in comments]
    for graph in studied.graphs:
        rows += ["", "", *([f"# {graph.title}"] if len(studied.graphs) > 1 else []), graph.code]
    return "\n".join(rows)


def _compared(asked: Asked) -> Iterator[str]:
    name = ASKED[asked.study]
    remarks = asked.studied.remarks
    rows = [row for row in map(_without_kinds, beside(remarks, asked.ours)) if row.ours or row.theirs]
    for row in rows:
        yield from _row(row, name, asked.target.path)
    shown = {remark for row in rows for remark in row.theirs}
    left = [remark for remark in remarks if remark not in shown]
    for remark in left:
        if not is_everywhere(remark):
            yield from _remark(name, remark)
    tensors = [remark.condition for remark in left if is_everywhere(remark)]
    if tensors:
        more = f" and {len(tensors) - _MOST} more" if len(tensors) > _MOST else ""
        yield f"{name} guards on the kind of each tensor, too: {', '.join(tensors[:_MOST])}{more}"
    if asked.ours is None:
        yield "our own trace of it gave nothing to compare with"


def _without_kinds(row: Row) -> Row:
    """A row without the guards that there are everywhere, unless our trace has something to say of that very name."""
    kept = [one for one in row.theirs if not is_everywhere(one) or (row.ours and _subject(one) == row.text)]
    return replace(row, theirs=tuple(kept))


def _row(row: Row, name: str, path: str) -> Iterator[str]:
    where = "" if row.place.path == path else f" of {os.path.basename(row.place.path)}"
    yield f"line {row.place.span.line}{where}: {_short(row.text)}"
    behind = [remark for remark in row.theirs if _is_behind(remark)]
    behind = behind if len(behind) > _FEW else []
    for remark in row.theirs:
        if remark not in behind:
            yield from (f"    {told}" for told in _remark(name, remark))
    if behind:
        yield f"    {name} guards on {len(behind)} things behind it: {'; '.join(one.condition for one in behind)}"
    if not row.theirs:
        yield f"    {name}: nothing"
    for ours in row.ours:
        yield f"    non-strict: {_ours(ours)}"
    if not row.ours:
        yield "    non-strict: nothing"


def _is_behind(remark: Remark) -> bool:
    """Whether a guard is on what the expression at its place reaches, such as the settings of a module it calls."""
    subject = _subject(remark)
    return remark.kind is RemarkKind.GUARD and "." in subject and "shape" not in subject and subject not in remark.text


def _subject(remark: Remark) -> str:
    """What a guard is on, as far as its condition begins with it."""
    return remark.condition.removeprefix("len(").split(" ")[0]


def _remark(name: str, remark: Remark, *, at: bool = False) -> Iterator[str]:
    where = f"line {remark.place.span.line}, {_short(remark.text)}: " if at and remark.place is not None else ""
    times = f" ({remark.count} times)" if remark.count > 1 else ""
    what = f"{remark.condition}; {remark.message}" if remark.condition else remark.message
    yield f"{where}{name} {VERBS[remark.kind]} {what}{times}"
    for hint in remark.hints:
        yield f"    {hint}"


def _ours(ours: Ours) -> str:
    if isinstance(ours, Finding):
        name = RULES[ours.code].name if ours.code in RULES else ""
        return f"{ours.code} {name}: {' '.join(ours.message.split())}"
    return f"guard {ours.text}"


def _gradient(gradient: Gradient) -> Iterator[str]:
    if gradient.reached:
        yield f"gradient of {gradient.input}: {gradient.shape}"
        return
    yield f"gradient of {gradient.input}: none{'' if gradient.cuts else '; it does not reach the results'}"
    for cut in gradient.cuts:
        yield f"    {_line(cut.place)}{_short(cut.text)}: {cut.message}"


def _line(place: Place | None) -> str:
    return f"line {place.span.line}, " if place is not None else ""


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else f"{flat[:77]}..."
