"""What the line above a function says of PyTorch's own tracers, before and after they were asked."""

from __future__ import annotations

from dataclasses import replace

from nst_lsp.analysis.hovers import hover
from nst_lsp.analysis.lenses import What, lenses, titled
from nst_lsp.analysis.studies import Answer, Question
from nst_lsp.settings import read
from tests.server.messages import File, place, report
from tracer.worker.wire import ExampleSettled, FileDone, Remark, RemarkKind, Studied, Study

SOURCE = """\
import torch


# nst: example(torch.ones(3))
def f(x):
    print("hello")
    return x * 2


def beside():
    pass
"""
ASKED = Question("f", 0, Study.DYNAMO)
SAID = Studied(
    1,
    Study.DYNAMO,
    verdict="2 graphs, 1 break, 2 guards",
    remarks=(
        Remark(RemarkKind.GUARD, "", "x.shape[0] > 2", place(SOURCE, "x * 2")),
        Remark(RemarkKind.GUARD, "", "x is torch.float32[…]"),
        Remark(RemarkKind.BREAK, "print is called\nsee the log", place=place(SOURCE, 'print("hello")')),
    ),
)


def traced(file: File, fingerprint: str) -> File:
    """A whole run, by what the result rests on."""
    file.run(f=report(file.document.text.source, "ones(3)"))
    return file.receive(ExampleSettled(1, "f", 0, fingerprint), FileDone(1))


def lens(file: File, answers: dict[Question, Answer], what: What = What.DYNAMO, **more):
    view = replace(file.view, answers=answers, **more)
    assert [one.what for one in lenses(view, []) if one.what is what]
    return titled(view, what, "f", [])


def test_it_is_offered_then_told_and_stale_once_what_it_rests_on_is_another():
    file = traced(File(SOURCE), "one")
    offer = lens(file, {})
    assert (offer.title, offer.call.command, offer.call.study) == ("ask Dynamo", "nst.showStudy", "dynamo")
    assert lens(file, {}, asking=frozenset({ASKED})).title == "Dynamo …"
    known = {ASKED: Answer(SAID, file.traced.functions[0].outcomes[0])}
    said = lens(file, known)
    assert said.title == "Dynamo: 2 graphs, 1 break, 2 guards"
    assert said.note == "line 6: breaks the graph: print is called\nline 7: guards on x.shape[0] > 2"
    file.edit("    pass", "    # more\n    pass")
    assert lens(file, known).title.endswith("(stale)")
    file.start()
    assert not lens(traced(file, "one"), known).title.endswith("(stale)")  # it rests on what it did
    file.edit("x * 2", "x * 3")
    file.start()
    assert lens(traced(file, "two"), known).title.endswith("(stale)")


def test_what_is_remarked_of_a_place_is_told_where_one_points_at_it():
    file = traced(File(SOURCE), "one")
    view = replace(file.view, answers={ASKED: Answer(SAID, file.traced.functions[0].outcomes[0])})

    def pointed(line: int, column: int) -> str | None:
        found = hover(view, line, column, [], lambda _: None)
        return found.text if found else None

    assert pointed(6, 6) == "Dynamo breaks the graph: print is called"
    assert pointed(7, 12) == "Dynamo guards on x.shape[0] > 2"
    assert pointed(1, 1) is None


def test_an_export_is_told_once_it_was_asked_for():
    file = traced(File(SOURCE), "one")
    assert [one.what for one in lenses(file.view, [])] == [What.GRAPH, What.DYNAMO]
    stops = Studied(1, Study.EXPORT, verdict="it does not export: `f`")
    known = {replace(ASKED, study=Study.EXPORT): Answer(stops, file.traced.functions[0].outcomes[0])}
    assert lens(file, known, What.EXPORT).title == "torch.export: it does not export: f"


def test_other_files_and_other_settings_have_no_such_line():
    numpy = File(SOURCE.replace("torch", "numpy"))
    assert [one.what for one in lenses(traced(numpy, "one").view, [])] == [What.GRAPH]
    settings, problems = read({}, {"codeLens": ["dynamo"]})
    assert problems == []
    file = traced(File(SOURCE, settings), "one")
    assert [one.what for one in lenses(file.view, [])] == [What.DYNAMO]
    assert lenses(replace(file.view, settings=read({}, {"codeLens": False})[0]), []) == []
