"""What PyTorch's own tracers answered about the examples of a file: kept, and told in the line above the function.

An answer takes seconds, so nobody asks but a person.  It stays until another takes its place, and is marked stale where
what it rests on may have changed: the same that our own trace of the example rests on.
"""

from __future__ import annotations

from collections.abc import Iterator

from tracer.worker.wire import Remark, RemarkKind, Span

from .studies import ASKED, VERBS, Answer, Question, is_everywhere
from .view import View


def is_stale(view: View, question: Question, answer: Answer) -> bool:
    """Whether the tracer may say something else by now."""
    function = view.traced.function(question.function)
    outcome = function.outcome(question.example) if function else None
    return outcome is None or view.stale(outcome) or not outcome.rests_on_the_same(answer.outcome)


def title(view: View, question: Question) -> str:
    """`Dynamo: 2 graphs, 1 break, 3 guards`, that it is being asked, or the offer to ask it."""
    name, answer = ASKED[question.study], view.answers.get(question)
    if question in view.asking:
        return f"{name} …"
    if answer is None:
        return f"ask {name}"
    verdict = answer.studied.verdict.replace("`", "").removeprefix(f"{name} ")
    return f"{name}: {verdict}" + (" (stale)" if is_stale(view, question, answer) else "")


def remarked(view: View) -> Iterator[tuple[Span, str]]:
    """What Dynamo and `torch.export` remark of places in the file, where these stand now.

    Nothing is underlined for it: a break is mostly where a finding stands, and there are guards on nearly every line.
    """
    for question, answer in view.answers.items():
        function = view.traced.function(question.function)
        shown = view.shown(function) if function else None
        if question.study not in ASKED or shown is None or shown.report.index != question.example:
            continue
        stale = " (stale)" if is_stale(view, question, answer) else ""
        for remark in answer.studied.remarks:
            if remark.place is None or remark.place.path != view.document.path or is_everywhere(remark):
                continue
            span = view.places.span(remark.place, answer.outcome.basis)
            if span is not None:
                yield span, f"{ASKED[question.study]} {_words(remark)}{stale}"


def note(view: View, question: Question) -> str:
    """Line by line what the tracer remarks, in plain text; what it costs to ask where it was not."""
    answer = view.answers.get(question)
    if answer is None:
        return "It takes some seconds, and is kept until what it rests on changes."
    told = list(_told(view, answer))
    more = len(told) - _MOST
    return "\n".join([*told[:_MOST], *([f"and {more} more"] if more > 0 else [])])


_MOST = 12
"""Lines of a note."""


def _told(view: View, answer: Answer) -> Iterator[str]:
    """What keeps it from one graph comes first."""
    remarks = [one for one in answer.studied.remarks if not is_everywhere(one)]
    for remark in sorted(remarks, key=lambda one: one.kind is RemarkKind.GUARD):
        span = view.places.span(remark.place, answer.outcome.basis) if remark.place else None
        where = f"line {span.line}: " if span else ""
        yield f"{where}{_words(remark)}"


def _words(remark: Remark) -> str:
    said = remark.condition or remark.message.split("\n")[0]
    return f"{VERBS[remark.kind]} {said}".strip()
