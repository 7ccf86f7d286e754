"""What the graph page shows of a function, as plain data."""

from __future__ import annotations

from dataclasses import replace

from nst_lsp.analysis.picture import Around, Picture, nodes_at, picture, shown_path, spans
from nst_lsp.analysis.text import Text
from nst_lsp.settings import Settings
from tests.server.messages import PATH, File, finding, node, place, report, span
from tracer.rules import Severity
from tracer.worker.wire import GraphInfo, Guard, Place

SOURCE = """\
import numpy as np

gain = 3.0
half = lambda x: x / 2


class Layer:
    def shift(self, x):
        return x + gain


# nst: example(np.ones(3))
@staticmethod
def f(x):
    y = half(Layer().shift(x * gain))
    print(y)
    return y
"""
NODES = [
    node(SOURCE, "mul", "operator.mul", "x * gain"),
    node(SOURCE, "add", "operator.add", "x + gain"),
    node(SOURCE, "y", "operator.truediv", "x / 2", inputs=("add",)),
]


def traced(*findings, settings=Settings(), **more):  # noqa: B008  # it is frozen
    return File(SOURCE, settings).run(f=report(SOURCE, "np.ones(3)", *findings, nodes=NODES, **more))


def drawn(file: File, others: dict[str, str] | None = None) -> Picture:
    view = file.view
    function = view.traced.function("f")
    assert function is not None
    outcome = view.shown(function)
    assert outcome is not None
    texts = {PATH: file.document.text, **{path: Text(text) for path, text in (others or {}).items()}}
    found = picture(view, function, outcome, Around(texts.__getitem__, "/project", {PATH: file.told}))
    assert found is not None
    return found


def test_sources_are_functions_and_statements_the_own_one_first():
    found = drawn(traced())
    assert [(one.label, one.first, one.text.splitlines()[0]) for one in found.sources] == [
        ("f", 12, "# nst: example(np.ones(3))"),
        ("Layer.shift", 8, "    def shift(self, x):"),
        ("model.py", 4, "half = lambda x: x / 2"),
    ]
    assert [one.at and one.at.source for one in found.nodes] == [0, 1, 2]
    assert found.path == "model.py"


def test_places_lie_in_the_lines_of_their_source_also_after_edits():
    file = traced(finding(SOURCE, "NST205", "gain", 3))
    file.edit("import numpy as np", "import numpy as np\nimport os\n")
    file.edit("x * gain", "x  * gain")
    file.edit("    print(y)\n", "    print(y)\n    print(\n")  # no Python any more
    found = drawn(file)
    assert found.stale
    text = file.document.text
    for one in found.nodes:
        assert one.at is not None
        source = found.sources[one.at.source]
        lines = source.text.splitlines()
        assert lines[one.at.span.line - source.first] == text.line(one.at.span.line)
    assert [text.at(one.at.span) for one in found.nodes if one.at] == ["x  * gain", "x + gain", "x / 2"]
    assert [text.at(one.at.span) for one in found.remarks if one.at] == ["gain"]
    assert "print(\n" in found.sources[0].text


def test_what_is_gone_has_no_place():
    file = traced()
    file.edit("half = lambda x: x / 2", "")
    found = drawn(file)
    assert [one.at is None for one in found.nodes] == [False, False, True]
    assert [one.label for one in found.sources] == ["f", "Layer.shift"]


def test_a_finding_has_the_nodes_of_its_range_or_of_what_is_around_it():
    file = traced(
        finding(SOURCE, "NST205", "gain", 3),
        finding(SOURCE, "NST101", "y = half(Layer().shift(x * gain))"),
        finding(SOURCE, "NST301", "print(y)"),
    )
    found = drawn(file)
    assert {one.finding.code: one.nodes for one in found.remarks} == {
        "NST205": ("mul",),
        "NST101": ("mul",),
        "NST301": (),
    }
    mul, add, _ = found.nodes
    assert {found.remarks[index].finding.code for index in mul.remarks} == {"NST205", "NST101"}
    assert add.remarks == ()


def test_what_is_silenced_is_not_shown_and_the_settings_weigh():
    told = [finding(SOURCE, "NST205", "gain", 3), finding(SOURCE, "NST301", "print(y)")]
    file = traced(*told, settings=Settings(ignore=("NST3",), severity={"NST205": Severity.ERROR}))
    assert [(one.finding.code, one.finding.severity) for one in drawn(file).remarks] == [("NST205", Severity.ERROR)]
    file.edit("x * gain))", "x * gain))  # nst: ignore[NST205]")
    assert drawn(file).remarks == ()


def test_functions_of_other_files_are_sources_too_and_no_path_of_the_machine_is_told():
    helper = "def twice(x):\n    return x + x\n"
    away = replace(NODES[0], name="z", place=Place("/elsewhere/deep/helper.py", span(helper, "x + x")))
    guards = (Guard("x.shape[0] > 2", place(SOURCE, "x * gain")), Guard("x > 2", None))
    file = File(SOURCE).run(f=report(SOURCE, "np.ones(3)", nodes=[*NODES, away], guards=guards))
    found = drawn(file, {"/elsewhere/deep/helper.py": helper})
    last = found.sources[-1]
    assert (last.shown, last.label, last.first, last.path) == ("helper.py", "twice", 1, "/elsewhere/deep/helper.py")
    assert [(one.text, one.at and one.at.source) for one in found.guards] == [("x.shape[0] > 2", 0), ("x > 2", None)]


def test_paths_are_told_from_the_projects_folder_on():
    assert shown_path("/project/a/b.py", "/project") == "a/b.py"
    assert shown_path("/projects/a/b.py", "/project") == "b.py"


def test_the_nodes_at_a_position_are_those_of_the_smallest_expression():
    file = File(SOURCE).run(
        f=report(SOURCE, "np.ones(3)", nodes=[*NODES, node(SOURCE, "all", "f", "half(Layer().shift(x * gain))")])
    )
    found = spans(drawn(file))
    inner, outer = span(SOURCE, "x * gain"), span(SOURCE, "half(Layer()")
    assert nodes_at(found[PATH], inner.line, inner.column + 2) == ("mul",)
    assert nodes_at(found[PATH], outer.line, outer.column + 2) == ("all",)
    assert nodes_at(found[PATH], 1, 1) == ()


def test_a_function_without_a_graph_has_no_picture():
    file = File(SOURCE).run(f=report(SOURCE, "np.ones(3)", graph=None))
    function = file.traced.functions[0]
    around = Around(lambda path: file.document.text, "/project")
    assert picture(file.view, function, function.outcomes[0], around) is None


def test_another_report_is_compared_with():
    file = traced()
    function, outcome = file.traced.functions[0], file.traced.functions[0].outcomes[0]
    fewer = GraphInfo("def graph(x):\n    mul = x * gain\n    return mul\n", tuple(NODES[:1]), ("mul",))
    before = replace(outcome.report, graph=fewer)
    around = Around(lambda path: file.document.text, "/project", {PATH: file.told})
    found = picture(file.view, function, outcome, around, ("the save before", before))
    assert found is not None
    assert found.difference is not None
    assert found.difference.against == "the save before"
    assert set(found.difference.changes.added) == {"add", "y"}
    where = [at and found.sources[at.source].label for _, at in found.difference.reasons]
    assert {"Layer.shift", "model.py"} <= set(where)
