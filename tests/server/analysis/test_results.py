"""What is shown of results: while they come, while one types, and when a newer run fails."""

from __future__ import annotations

import pytest

from nst_lsp import settings
from nst_lsp.analysis.lenses import What, lenses, titled
from tests.server.messages import File, finding, report
from tracer.rules import Severity
from tracer.worker.wire import ExampleDone, FileDone, ModuleLoaded, Status, Verdict, Witness

SOURCE = """\
import numpy as np

# nst: example(np.ones(3))
# nst: example(np.ones(1))
def f(x):
    if x.shape[0] > 2:
        return x + bias
    return x

# nst: example(np.ones(4))
def g(x):
    return x * 2
"""
SHAPE = finding(SOURCE, "NST102", "x.shape[0] > 2", value="True")
BIAS = finding(SOURCE, "NST204", "bias")
FIRST = report(SOURCE, "np.ones(3)", SHAPE, BIAS, valid_for="x.shape[0] > 2")
SECOND = report(SOURCE, "np.ones(1)", finding(SOURCE, "NST102", "x.shape[0] > 2", severity=Severity.WARNING), index=1)
G = report(SOURCE, "np.ones(4)")


def traced():
    return File(SOURCE).run(f=[FIRST, SECOND], g=G)


def titles(file):
    return [(file.at(lens.span), one.title) for lens, one in zip(lenses(file.view, file.told), said(file), strict=True)]


def said(file):
    return [titled(file.view, lens.what, lens.function, file.told) for lens in lenses(file.view, file.told)]


def told(file):
    return [(one.code, file.at(one.span), one.stale) for one in file.told]


def test_before_the_first_trace_functions_with_examples_have_a_lens():
    assert titles(File(SOURCE)) == [("f", "trace …"), ("g", "trace …")]


def test_before_the_first_trace_a_syntax_error_takes_no_lens_away():
    assert titles(File(SOURCE.replace("(x):", "(x:"))) == [("f", "trace …"), ("g", "trace …")]


def test_a_lens_says_what_ran_it():
    graph, _, switch, _ = said(traced())
    assert graph.note.endswith("3.2 ms · Python 3.11.7 (/usr/bin/python3)")
    assert graph.note.startswith("valid for x.shape[0] > 2\n")
    assert switch.note == "np.ones(3)"


def test_a_lens_that_is_resolved_later_says_what_is_known_then():
    file, nothing = traced(), File(SOURCE)
    assert titled(nothing.view, What.GRAPH, "f", []).title == "trace …"
    assert titled(file.view, What.FINDINGS, "f", []).title == "no findings"


def test_lenses_say_graph_findings_and_example():
    assert titles(traced()) == [
        ("f", "graph: 0 operations · valid for x.shape[0] > 2"),
        ("f", "2 findings"),
        ("f", "example 1 of 2"),
        ("g", "graph: 0 operations"),
    ]


def test_lenses_carry_what_their_commands_need():
    shown, count, switch, _ = said(traced())
    assert (shown.call.command, shown.call.function, shown.call.example) == ("nst.showGraph", "f", 0)
    assert count.call == shown.call
    assert (switch.call.command, switch.call.example) == ("nst.switchExample", 1)


def test_another_example_can_be_shown():
    file = traced()
    file.chosen["f"] = 1
    assert ("f", "example 2 of 2") in titles(file)
    assert titles(file)[0] == ("f", "graph: 0 operations")


@pytest.mark.parametrize(
    ("more", "title"),
    [
        ({"status": Status.PARTIAL}, "graph: 0 operations · partial"),
        ({"status": Status.FAILED, "graph": None}, "graph: not traced"),
        ({"verdict": Verdict.DIFFERS}, "graph: 0 operations · differs from the function"),
    ],
)
def test_a_lens_says_how_the_trace_ended(more, title):
    assert titles(File(SOURCE).run(g=report(SOURCE, "np.ones(4)", **more))) == [("g", title)]


def test_lenses_can_be_switched_off():
    file = File(SOURCE, settings.Settings(code_lens=())).run(g=G)
    assert titles(file) == []


# ---- while one types -------------------------------------------------------------------------------


def test_results_move_with_the_text_and_are_marked_stale():
    file = traced().edit("import numpy as np\n", "import numpy as np\n\n\nbias = np.ones(3)\n")
    assert told(file) == [("NST102", "x.shape[0] > 2", True), ("NST204", "bias", True)]
    assert titles(file)[0] == ("f", "graph: 0 operations · valid for x.shape[0] > 2 (stale)")
    assert all("(stale)" in one.message for one in file.told)


def test_what_is_typed_and_taken_back_leaves_nothing_stale():
    file = traced().edit("return x\n", "return xy\n").edit("xy", "x")
    assert not any(stale for *_, stale in told(file))


def test_a_syntax_error_moves_results_and_clears_none():
    file = traced().edit("(x):", "(x:")
    assert told(file) == [("NST102", "x.shape[0] > 2", True), ("NST204", "bias", True)]
    assert [text for text, _ in titles(file)] == ["f", "f", "f", "g"]


def test_a_lens_stays_while_its_function_gets_another_name():
    assert [title for _, title in titles(traced().edit("g(x)", ""))][-1] == "graph: 0 operations (stale)"
    assert [title for _, title in titles(traced().edit("def g(x):\n    return x * 2\n", ""))][-1] == "example 1 of 2"


def test_a_finding_whose_text_is_replaced_is_gone():
    assert told(traced().edit("x.shape[0] > 2", "True")) == [("NST204", "bias", True)]


def test_one_expression_is_told_once_with_the_strongest_evidence():
    assert [(one.code, one.severity) for one in traced().told] == [
        ("NST102", Severity.WARNING),
        ("NST204", Severity.INFORMATION),
    ]


# ---- while results come ----------------------------------------------------------------------------


def test_each_result_stands_until_its_successor_is_there():
    file = traced().edit("x * 2", "x * 3")
    file.start()
    file.receive(file.loaded("f", "g"))
    assert [stale for *_, stale in told(file)] == [True, True]
    source = file.document.text.source
    file.receive(ExampleDone(2, "f", report(source, "np.ones(3)", finding(source, "NST204", "bias"))))
    assert told(file) == [("NST102", "x.shape[0] > 2", True), ("NST204", "bias", False)]
    file.receive(ExampleDone(2, "f", report(source, "np.ones(1)", index=1)), FileDone(2))
    assert told(file) == [("NST204", "bias", False)]


def test_what_a_run_did_not_renew_is_gone_at_its_end():
    file = traced().edit("# nst: example(np.ones(1))\n", "")
    file.start()
    source = file.document.text.source
    file.run(f=report(source, "np.ones(3)"))
    assert titles(file) == [("f", "graph: 0 operations")]


def test_a_result_may_come_twice():
    file = traced()
    file.receive(ExampleDone(1, "g", report(SOURCE, "np.ones(4)", verdict=Verdict.DIFFERS)))
    assert titles(file)[-1] == ("g", "graph: 0 operations · differs from the function")


@pytest.mark.parametrize("code", ["NST503", "NST504"])
def test_a_file_that_does_not_load_keeps_its_results(code):
    file = traced().edit("def g(x):", "def g(x:")
    file.start()
    failed = finding(file.document.text.source, code, "def g(x:", function="", severity=Severity.ERROR)
    file.receive(ModuleLoaded(2, (failed,)), FileDone(2))
    assert told(file) == [("NST102", "x.shape[0] > 2", True), ("NST204", "bias", True), (code, "def g(x:", False)]
    assert titles(file)[0][1].endswith("(stale)")


def test_a_run_that_could_not_be_done_keeps_what_there_was():
    file = traced()
    file.start()
    file.receive(file.loaded("f", "g"), FileDone(2, "the worker ended unexpectedly"))
    assert len(told(file)) == 2
    assert file.traced.error


def test_a_file_that_loads_without_examples_has_no_results():
    file = traced()
    file.start()
    file.receive(ModuleLoaded(2), FileDone(2))
    assert (told(file), file.traced.functions) == ([], ())


# ---- what a diagnostic holds -----------------------------------------------------------------------


def test_a_diagnostic_says_count_and_witness():
    witness = Witness({"x": "np.array([1., 2.])"}, "array([0., 1.])", "array([0.5, 0.7])")
    file = File(SOURCE).run(
        f=report(SOURCE, "np.ones(3)", finding(SOURCE, "NST102", "x.shape[0] > 2", count=60, witness=witness))
    )
    assert file.told[0].message == (
        "branch-on-shape: about x.shape[0] > 2 (×60)\n"
        "with x = np.array([1., 2.]): the function gives array([0., 1.]), the graph array([0.5, 0.7])"
    )


def test_an_untaken_branch_fades():
    from tests.server.messages import span

    dead = finding(SOURCE, "NST102", "x.shape[0] > 2", value="True", dead=(span(SOURCE, "return x\n"),))
    faded = File(SOURCE).run(f=report(SOURCE, "np.ones(3)", dead)).told[1]
    assert (faded.unnecessary, faded.severity, faded.finding) == (True, Severity.HINT, None)
    assert faded.message == "not in the graph: `x.shape[0] > 2` was True for the example"


def test_a_branch_that_another_example_takes_does_not_fade():
    from tests.server.messages import node, span

    dead = span(SOURCE, "return x\n")
    one = finding(SOURCE, "NST102", "x.shape[0] > 2", value="True", dead=(dead,))
    other = finding(SOURCE, "NST102", "x.shape[0] > 2", value="False", dead=(span(SOURCE, "return x + bias"),))
    first = report(SOURCE, "np.ones(3)", one)
    both = [first, report(SOURCE, "np.ones(1)", other, index=1)]
    assert not any(told.unnecessary for told in File(SOURCE).run(f=both).told)
    through = report(SOURCE, "np.ones(4)", nodes=[node(SOURCE, "y", "numpy.add", "x\n\n# nst")])
    assert not any(told.unnecessary for told in File(SOURCE).run(f=first, g=through).told)
    file = File(SOURCE).run(f=first).edit("import", "\nimport")
    assert [file.at(told.span) for told in file.told if told.unnecessary] == ["return x\n"]


def test_what_a_run_should_have_renewed_is_stale():
    file = traced()
    file.start()
    file.receive(ModuleLoaded(2, (finding(SOURCE, "NST503", "import numpy as np", function=""),)))
    assert not any(stale for code, _, stale in told(file) if code != "NST503")  # it may yet come
    file.receive(FileDone(2))
    assert [(code, stale) for code, _, stale in told(file)] == [("NST503", False), ("NST102", True), ("NST204", True)]
    assert titles(file)[0][1].endswith("(stale)")


def test_an_ignore_that_silences_nothing_fades_once_the_file_is_traced():
    source = SOURCE.replace("return x * 2", "return x * 2  # nst: ignore[NST204]")
    file = File(source)
    assert told(file) == []
    assert told(file.run(g=report(source, "np.ones(4)"))) == [("unused-ignore", "# nst: ignore[NST204]", False)]
    assert told(file.edit("x * 2", "x * 3")) == []  # nobody knows before the next run


def test_an_ignore_where_nothing_was_traced_is_left_alone():
    source = SOURCE.replace("return x * 2", "return x * 2  # nst: ignore[NST204]")
    assert told(File(source).run(f=report(source, "np.ones(3)"))) == []


def test_a_finding_may_lie_in_another_file():
    from dataclasses import replace

    from nst_lsp.analysis.diagnostics import diagnostics
    from nst_lsp.analysis.places import Places
    from tracer.worker.wire import Place

    helper = "def scale(x):\n    return x * gain\n"
    away = replace(
        finding(helper, "NST205", "gain"),
        place=Place("/project/helper.py", finding(helper, "NST205", "gain").place.span),
    )
    file = File(SOURCE).run(f=report(SOURCE, "np.ones(3)", away))
    assert told(file) == []
    there = diagnostics("/project/helper.py", helper, [file.traced], Places({}), settings.Settings(), "/project")
    assert [one.code for one in there] == ["NST205"]
