"""Which report a graph is compared with, and how long a change is news: runs that are repeated, kept, cancelled."""

from __future__ import annotations

from typing import Any

from nst_lsp.analysis.lenses import What, titled
from nst_lsp.analysis.traced import Outcome, advance
from tests.server.messages import File, node, place, report
from tracer.worker.wire import ExampleDone, ExampleReport, ExampleSettled, FileDone, GraphInfo, Status, Verdict

SOURCE = """\
import numpy as np

# nst: example(np.ones(3))
def f(x):
    return x * 2

limit = 3
"""


def found(factor: str, **more: Any) -> ExampleReport:
    """A report of `f` that multiplies by something."""
    nodes = (
        node(SOURCE, "x", "input", "x", code="x = x"),
        node(SOURCE, "mul", "operator.mul", "x * 2", code=f"mul = x * {factor}", inputs=("x",), line=1),
    )
    graph = GraphInfo(f"def f(x):\n    mul = x * {factor}\n    return mul\n", nodes, ("mul",))
    return report(SOURCE, "np.ones(3)", graph=graph, **more)


def save(file: File, *reports: ExampleReport, settled: bool = True) -> File:
    """A run over the text of now; where it is not settled, another takes its place before it ends."""
    file.start()
    file.receive(file.loaded("f"), *(ExampleDone(1, "f", one) for one in reports))
    return file.receive(ExampleSettled(1, "f", 0, "print"), FileDone(1)) if settled else file


def outcome(file: File) -> Outcome:
    [function] = file.traced.functions
    [one] = function.outcomes
    return one


def lens(file: File) -> str:
    return titled(file.view, What.GRAPH, "f", file.told).title


def edit(file: File) -> File:
    return file.edit("limit = ", "limit = 1")


def test_the_first_run_has_nothing_to_be_compared_with():
    file = save(File(SOURCE), found("2"))
    assert (outcome(file).before, lens(file)) == (None, "graph: 1 operation")


def test_a_change_is_told_from_the_first_report_on_and_in_the_same_words_once_it_is_verified():
    file = edit(save(File(SOURCE), found("2"), found("2", verdict=Verdict.AGREES)))
    file = save(file, found("3"), settled=False)
    first = lens(file)
    file.receive(ExampleDone(1, "f", found("3", verdict=Verdict.AGREES)))
    assert first == lens(file) == "graph: 1 operation · 1 operation changed: x * 2 → x * 3"


def test_a_run_over_the_same_text_takes_no_news_away():
    file = save(edit(save(File(SOURCE), found("2"))), found("3"))
    assert lens(save(file, found("3"))) == "graph: 1 operation · 1 operation changed: x * 2 → x * 3"


def test_a_graph_that_is_another_though_the_text_is_the_same_is_news():
    """A helper on the disk has changed."""
    file = save(save(File(SOURCE), found("2")), found("3"))
    assert lens(file) == "graph: 1 operation · 1 operation changed: x * 2 → x * 3"


def test_another_text_with_the_same_graph_is_no_news():
    file = save(edit(save(File(SOURCE), found("2"))), found("3"))
    assert lens(save(edit(file), found("3"))) == "graph: 1 operation"


def test_a_run_that_was_cancelled_is_nothing_to_be_compared_with():
    file = save(edit(save(File(SOURCE), found("2"))), found("3"), settled=False)
    assert lens(save(edit(file), found("4"))) == "graph: 1 operation · 1 operation changed: x * 2 → x * 4"
    file = save(edit(save(File(SOURCE), found("2"))), found("3"), settled=False)
    assert lens(save(edit(file), found("2"))) == "graph: 1 operation"  # it was taken back


def test_a_trace_that_failed_is_nothing_to_be_compared_with():
    file = save(edit(save(File(SOURCE), found("2"))), found("3", status=Status.PARTIAL))
    assert lens(save(edit(file), found("4"))) == "graph: 1 operation · 1 operation changed: x * 2 → x * 4"


def test_what_is_kept_keeps_what_it_was_compared_with_and_is_news_until_the_text_is_another():
    file = save(edit(save(File(SOURCE), found("2"))), found("3"))
    for change, is_news in ((lambda: None, True), (lambda: edit(file), False)):
        change()
        file.start()
        file.receive(file.loaded("f"))
        kept = ExampleSettled(1, "f", 0, "print", kept=True)
        file.traced = advance(file.traced, kept, file.basis, {"f#0": found("3")})
        file.receive(FileDone(1))
        assert outcome(file).before == found("2")
        assert (outcome(file).is_news, outcome(file).settled) == (is_news, True)
        news = " · 1 operation changed: x * 2 → x * 3" if is_news else ""
        assert lens(file) == f"graph: 1 operation{news}"


def test_the_reason_has_its_place():
    file = save(edit(save(File(SOURCE), found("2"))), found("3"))
    [reason] = outcome(file).changes.reasons
    assert reason.place == place(SOURCE, "x * 2")
